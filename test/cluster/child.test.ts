import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ClusterServer } from '../../scripts/cluster/local-cluster.js'
import { natsServerForTests } from '../../src/cluster/nats-server/cluster.fixture.js'
import { ROOT_CERTIFICATE, SERVER_CERTIFICATE, SERVER_KEY } from '../../src/server/certificates.fixture.js'
import { temporaryFolder } from '../../src/store/temporary.fixture.js'

const CLI = join(import.meta.dirname, '../../dist/cli.js')
const SOON = { timeout: 30_000, interval: 100 }
const nats = await natsServerForTests()

describe.runIf(nats !== undefined)('servers that start their nats-servers themselves', () => {
  const folder = temporaryFolder()
  let servers: ClusterServer[]

  beforeAll(async () => {
    servers = await threeServers(folder)
    await Promise.all(servers.map((server) => server.start()))
    await Promise.all(servers.map((server) => server.ready()))
  }, 90_000)
  afterAll(async () => {
    await Promise.all((servers ?? []).map((server) => server.signal('SIGTERM')))
    // Also those of servers that were killed.
    for (const pid of (servers ?? []).map(natsPid).filter(isRunning)) process.kill(pid, 'SIGKILL')
  }, 60_000)

  test('have the same data, and a log with three replicas named after them, by TLS and a password', async () => {
    const { body } = await servers[0]!.request('POST', '/indexes/films/documents', [{ id: 1 }])
    expect(await servers[1]!.waitTask(body.taskUid)).toMatchObject({ status: 'succeeded' })
    expect((await servers[2]!.request('GET', '/indexes/films/documents/1')).status).toBe(200)
    const { log } = (await servers[0]!.request('GET', '/cluster')).body
    const names = log.replicas.map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(['one', 'three', 'two'])
  }, 60_000)

  test('start a nats-server again that was killed, and say so', async () => {
    const pid = natsPid(servers[1]!)
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => {
      expect(natsPid(servers[1]!)).not.toBe(pid)
      expect(isRunning(natsPid(servers[1]!))).toBe(true)
    }, SOON)
    expect(readFileSync(servers[1]!.logPath, 'utf8')).toContain('nats-server has ended')
    await vi.waitFor(async () => {
      const { log } = (await servers[0]!.request('GET', '/cluster')).body
      expect(log.replicas).toHaveLength(3)
      for (const replica of log.replicas) expect(replica).toMatchObject({ isOffline: false, isCurrent: true })
    }, SOON)
  }, 90_000)

  test('end it with themselves', async () => {
    const pid = natsPid(servers[2]!)
    await servers[2]!.signal('SIGTERM')
    expect(isRunning(pid)).toBe(false)
    await servers[2]!.start()
    await servers[2]!.ready()
  }, 60_000)

  test('end one that a killed server left behind, and go on with its data', async () => {
    const left = natsPid(servers[2]!)
    await servers[2]!.signal('SIGKILL')
    const { body } = await servers[0]!.request('POST', '/indexes/films/documents', [{ id: 2 }])
    await servers[0]!.waitTask(body.taskUid)
    await servers[2]!.start()
    await servers[2]!.ready()
    expect(natsPid(servers[2]!)).not.toBe(left)
    expect(isRunning(left)).toBe(false)
    await servers[2]!.waitTask(body.taskUid)
    expect((await servers[2]!.request('GET', '/indexes/films/documents/2')).status).toBe(200)
  }, 90_000)
})

test('without a nats-server the launch ends with a sentence that says what to install', async () => {
  const cluster = ['--cluster-name', 'demo', '--cluster-nats', 'child', '--cluster-replicas', '1']
  const where = ['--db-path', join(temporaryFolder(), 'data.ms'), '--http-addr', '127.0.0.1:0']
  const argv = [CLI, ...where, ...cluster, '--cluster-nats-bin', '/nowhere/nats-server']
  await expect(promisify(execFile)(process.execPath, argv)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /findling: --cluster-nats-bin names no nats-server that is new enough \(\/nowhere\/nats-server\): install nats-server 2\.15 or later [^\n]*\n$/,
    ),
  })
})

async function threeServers(folder: string): Promise<ClusterServer[]> {
  const first = await freeBase()
  const peers = [0, 1, 2].map((i) => `127.0.0.1:${first + i + 2_000}`).join(',')
  const tls = [
    ...['--cluster-nats-ca-path', file(folder, 'root.pem', ROOT_CERTIFICATE)],
    ...['--cluster-nats-cert-path', file(folder, 'server.pem', SERVER_CERTIFICATE)],
    ...['--cluster-nats-key-path', file(folder, 'server.key', SERVER_KEY)],
  ]
  return ['one', 'two', 'three'].map((name, i) => {
    const port = first + 3 + i
    const own = ['--cluster-name', 'demo', '--cluster-node-name', name, '--cluster-nats', 'child']
    const child = ['--cluster-nats-port', `${first + i}`, '--cluster-peers', peers, '--cluster-nats-bin', nats!]
    const login = ['--cluster-nats-user', 'findling', '--cluster-nats-password', 'a "quoted" password']
    const url = ['--cluster-advertise-url', `http://127.0.0.1:${port}`]
    return new ClusterServer(name, port, join(folder, name), [...own, ...child, ...login, ...tls, ...url])
  })
}

function file(folder: string, name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Where six ports are free, and those 2000 and 4000 above the first three. */
async function freeBase(): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 8_000)
    const ports = [0, 1, 2].flatMap((i) => [base + i, base + i + 2_000, base + i + 4_000, base + i + 3])
    const areFree = await Promise.all(ports.map(isFree))
    if (areFree.every(Boolean)) return base
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  const isListening = await Promise.race([
    once(probe, 'listening').then(() => true),
    once(probe, 'error').then(() => false),
  ]).catch(() => false)
  await new Promise((resolve) => probe.close(resolve))
  return isListening
}

const natsPid = ({ folder }: ClusterServer): number =>
  Number(readFileSync(join(folder, 'data.ms', 'nats', 'nats-server.pid'), 'utf8'))

/** What has ended has no arguments any more, even where nobody has asked how it ended. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0
  } catch {
    return false
  }
}
