import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completeLockfile, type Lockfile, missingOptionals, withoutIntegrity } from '../scripts/lockfile.js'

const ours: Lockfile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))

test('the lockfile holds the binaries of all platforms (else: npx tsx scripts/complete-lockfile.ts)', () => {
  expect(missingOptionals(ours).map(({ name }) => name)).toEqual([])
})

test('the lockfile says of every package, binaries of other platforms too, which bytes it has', () => {
  expect(withoutIntegrity(ours)).toEqual([])
  const weak = Object.entries(ours.packages).filter(([, { integrity }]) => integrity?.startsWith('sha512-') === false)
  expect(weak).toEqual([])
})

test('the lockfile names no registry', () => {
  expect(Object.values(ours.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})

const incomplete = (): Lockfile => ({
  packages: {
    '': {},
    'node_modules/tool': {
      version: '1.0.0',
      integrity: 'sha512-tool',
      dev: true,
      optionalDependencies: { '@t/linux-x64-musl': '1.0.0', '@t/win32-x64': '1.0.0' },
    },
    'node_modules/@t/win32-x64': { version: '1.0.0' },
  },
})

test('a missing binary is added with the platform that its name says, and with what the registry says of its bytes', () => {
  const lockfile = incomplete()
  expect(completeLockfile(lockfile, (name, version) => `sha512-${name}-${version}`)).toEqual([])
  const entry = { version: '1.0.0', integrity: 'sha512-@t/linux-x64-musl-1.0.0', dev: true, optional: true }
  const platform = { os: ['linux'], cpu: ['x64'], libc: ['musl'] }
  expect(lockfile.packages['node_modules/@t/linux-x64-musl']).toEqual({ ...entry, ...platform })
  expect(lockfile.packages['node_modules/@t/win32-x64']?.integrity).toBe('sha512-@t/win32-x64-1.0.0')
  expect(missingOptionals(lockfile)).toEqual([])
})

test('binaries that the registry does not hold are told', () => {
  const integrityOf = (name: string) => (name.includes('linux') ? 'sha512-known' : undefined)
  expect(completeLockfile(incomplete(), integrityOf)).toEqual(['@t/win32-x64@1.0.0'])
})
