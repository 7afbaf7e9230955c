/**
 * `npx tsx scripts/complete-lockfile.ts`: adds to the lockfile what npm leaves out when a registry does not hold the
 * binaries of every platform. Without them `npm ci` refuses the lockfile as out of date, and without their integrity it
 * would install whatever a registry sends. If the registry does not know one, a version has to be chosen that it holds
 * for all platforms: nothing is written then.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completeLockfile, type Lockfile, missingOptionals } from './lockfile.js'

function integrityOf(name: string, version: string): string | undefined {
  const { stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' })
  return stdout.trim() || undefined
}

const file = join(import.meta.dirname, '..', 'package-lock.json')
const lockfile: Lockfile = JSON.parse(readFileSync(file, 'utf8'))
const added = missingOptionals(lockfile).length
const unknown = completeLockfile(lockfile, integrityOf)
if (unknown.length > 0) {
  console.error(
    `lockfile: the registry does not hold ${unknown.join(', ')}: choose versions that it has for all platforms`,
  )
  process.exitCode = 1
} else {
  writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`)
  console.log(`lockfile: ${added} added`)
}
