import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completeLockfile, type Lockfile, missingOptionals } from '../scripts/lockfile.js'

const ours: Lockfile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))

test('the lockfile holds the binaries of all platforms (else: npx tsx scripts/complete-lockfile.ts)', () => {
  expect(missingOptionals(ours).map(({ name }) => name)).toEqual([])
})

test('the lockfile names no registry', () => {
  expect(Object.values(ours.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})

test('a missing binary is added with the platform that its name says', () => {
  const lockfile: Lockfile = {
    packages: {
      '': {},
      'node_modules/tool': {
        version: '1.0.0',
        dev: true,
        optionalDependencies: { '@t/linux-x64-musl': '1.0.0', '@t/win32-x64': '1.0.0' },
      },
      'node_modules/@t/win32-x64': { version: '1.0.0' },
    },
  }
  completeLockfile(lockfile)
  const entry = { version: '1.0.0', dev: true, optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] }
  expect(lockfile.packages['node_modules/@t/linux-x64-musl']).toEqual(entry)
  expect(missingOptionals(lockfile)).toEqual([])
})
