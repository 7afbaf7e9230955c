/**
 * `npx tsx scripts/complete-lockfile.ts`: adds to the lockfile what npm leaves out when a registry does not hold the
 * binaries of every platform. Without them `npm ci` refuses the lockfile as out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completeLockfile, type Lockfile, missingOptionals } from './lockfile.js'

const file = join(import.meta.dirname, '..', 'package-lock.json')
const lockfile: Lockfile = JSON.parse(readFileSync(file, 'utf8'))
const added = missingOptionals(lockfile).length
completeLockfile(lockfile)
writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`)
console.log(`lockfile: ${added} added`)
