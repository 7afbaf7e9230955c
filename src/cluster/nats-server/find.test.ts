import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import { findNatsServer, NatsServerMissing } from './find.js'

test('the one that is named is taken, if it is new enough', async () => {
  const named = program(temporaryFolder(), 'mine', '2.16.0')
  expect(await findNatsServer({ FINDLING_NATS_SERVER: named })).toBe(named)
  const other = program(temporaryFolder(), 'other', '2.15.0')
  expect(await findNatsServer({ FINDLING_NATS_SERVER: named }, other)).toBe(other)
  await expect(findNatsServer({}, '/nowhere/nats-server')).rejects.toThrow(/^--cluster-nats-bin names no nats-server /)
  const old = program(temporaryFolder(), 'old', '2.9.10')
  await expect(findNatsServer({ FINDLING_NATS_SERVER: old })).rejects.toThrow(NatsServerMissing)
  await expect(findNatsServer({ FINDLING_NATS_SERVER: '/nowhere/nats-server' })).rejects.toThrow(
    /FINDLING_NATS_SERVER names no nats-server .*: install nats-server 2\.15 or later .* or install Go/,
  )
})

test('one on the path comes before that of the cache, unless it is too old', async () => {
  const cache = temporaryFolder()
  const cached = program(join(cache, 'findling', 'nats-server-2.15.2'), 'nats-server', '2.15.2')
  const path = temporaryFolder()
  const environment = { PATH: [path, '/usr/bin', '/bin'].join(delimiter), XDG_CACHE_HOME: cache }
  expect(await findNatsServer(environment)).toBe(cached)
  const onPath = program(path, 'nats-server', '2.15.0')
  expect(await findNatsServer(environment)).toBe(onPath)
  program(path, 'nats-server', '2.14.9')
  expect(await findNatsServer(environment)).toBe(cached)
})

test('without any, and without Go, one sentence says what to install', async () => {
  const environment = { PATH: temporaryFolder(), XDG_CACHE_HOME: temporaryFolder() }
  await expect(findNatsServer(environment)).rejects.toThrow(
    /^There is no nats-server and Go could not build one: install /,
  )
})

test('several that need one at the same time have it built once', async () => {
  const [path, cache] = [temporaryFolder(), temporaryFolder()]
  const runs = join(path, 'runs')
  const binary = join(cache, 'findling', 'nats-server-2.15.2', 'nats-server')
  const steps = [`echo run >> ${runs}`, 'sleep 0.5', `cp ${program(path, 'built', '2.15.2')} "$GOBIN/nats-server"`]
  writeFileSync(join(path, 'go'), ['#!/bin/sh', ...steps, ''].join('\n'), { mode: 0o755 })
  const environment = { PATH: [path, '/usr/bin', '/bin'].join(delimiter), XDG_CACHE_HOME: cache }
  const found = await Promise.all([1, 2, 3].map(() => findNatsServer(environment)))
  expect(found).toEqual([binary, binary, binary])
  expect(readFileSync(runs, 'utf8')).toBe('run\n')
})

/** A program that says it is a nats-server. */
function program(folder: string, name: string, version: string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\necho "nats-server: v${version}"\n`)
  chmodSync(path, 0o755)
  return path
}
