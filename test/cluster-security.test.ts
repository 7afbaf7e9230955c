/** The replicated log with credentials and certificates, against real nats-servers. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LogUnavailable, openLog } from '../src/cluster/index.js'
import { NatsCluster, natsServerForTests } from '../src/cluster/nats-server/cluster.fixture.js'
import {
  CLIENT_CERTIFICATE,
  CLIENT_KEY,
  ROOT_CERTIFICATE,
  SERVER_CERTIFICATE,
  SERVER_KEY,
} from '../src/server/certificates.fixture.js'
import { temporaryFolder } from '../src/store/temporary.fixture.js'

const binary = await natsServerForTests()

test.skipIf(binary === undefined)(
  'a log over TLS with a password, which nobody opens without both',
  async () => {
    const folder = temporaryFolder()
    const file = (name: string, content: string) => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    }
    const caFile = file('ca.pem', ROOT_CERTIFICATE)
    const serverTls = {
      caFile,
      certFile: file('server.pem', SERVER_CERTIFICATE),
      keyFile: file('server.key', SERVER_KEY),
    }
    const tls = { caFile, certFile: file('client.pem', CLIENT_CERTIFICATE), keyFile: file('client.key', CLIENT_KEY) }
    const credentials = { user: 'findling', password: 'p@ss "word"/1' }
    const cluster = await NatsCluster.start(binary!, { authorization: credentials, tls: serverTls })
    const options = {
      servers: cluster.addresses,
      monitors: cluster.monitors,
      name: 'secret',
      replicas: 3,
      timeoutMs: 10_000,
    }
    const log = await openLog({ ...options, credentials, tls })
    expect(await log.append({ id: 'a', kind: 'task', body: Buffer.from('b') })).toBe(1)
    expect((await log.health()).replicas).toHaveLength(3)
    await log.close()
    const hasty = { ...options, timeoutMs: 500 }
    await expect(openLog({ ...hasty, tls })).rejects.toThrow(/refuse the credentials/)
    const wrong = { ...credentials, password: 'guessed' }
    await expect(openLog({ ...hasty, credentials: wrong, tls })).rejects.toThrow(LogUnavailable)
    await expect(openLog({ ...hasty, credentials, tls: { caFile } })).rejects.toThrow(LogUnavailable)
  },
  60_000,
)

test('the door of the cluster loads no package of NATS', () => {
  const door = join(import.meta.dirname, '..', 'src', 'cluster', 'index.ts')
  const code = `
    import { createRequire } from 'node:module'
    await import(${JSON.stringify(door)})
    const loaded = Object.keys(createRequire(${JSON.stringify(door)}).cache).filter((path) => path.includes('@nats-io'))
    console.log(loaded.length)
    await import('@nats-io/jetstream')
    console.log(Object.keys(createRequire(${JSON.stringify(door)}).cache).some((path) => path.includes('@nats-io')))`
  const cwd = join(import.meta.dirname, '..')
  const args = ['--import', 'tsx', '--input-type=module', '--eval', code]
  expect(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })).toBe('0\ntrue\n')
})
