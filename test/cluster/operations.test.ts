import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { LocalCluster, MASTER_KEY } from '../../scripts/cluster/local-cluster.js'
import { natsServerForTests } from '../../src/cluster/nats-server/cluster.fixture.js'
import { temporaryFolder } from '../../src/store/temporary.fixture.js'

const CLI = join(import.meta.dirname, '../../dist/cli.js')
const SOON = { timeout: 30_000, interval: 200 }

const nats = await natsServerForTests()

describe.runIf(nats !== undefined)('what operators see', () => {
  let cluster: LocalCluster

  beforeAll(async () => {
    cluster = await LocalCluster.start({ folder: temporaryFolder() })
  }, 60_000)
  afterAll(() => cluster?.stop('SIGKILL'), 60_000)

  test('every server shows all members, one coordinator and a log with three replicas', async () => {
    const { body } = await cluster.servers[0]!.request('POST', '/indexes/films/documents', [{ id: 1 }])
    await cluster.servers[0]!.waitTask(body.taskUid)
    const views = await Promise.all(cluster.servers.map((server) => settled(server)))
    const names = ['findling-1', 'findling-2', 'findling-3']
    for (const [i, view] of views.entries()) {
      expect(view).toMatchObject({ enabled: true, name: 'demo', node: names[i], isReady: true, problem: null })
      expect(view.members.map(({ name }: { name: string }) => name)).toEqual(names)
      expect(view.members.filter((member: { self: boolean }) => member.self)).toMatchObject([{ name: names[i] }])
      expect(view.members[0].url).toBe(cluster.servers[0]!.url)
      expect(view.coordinator).toBe(views[0].coordinator)
      expect(view.log).toMatchObject({ firstSequence: 1, leader: expect.stringMatching(/^nats-[123]$/) })
      expect(view.log.replicas).toHaveLength(3)
      expect(view.log.bytes).toBeGreaterThan(0)
    }
    expect(names).toContain(views[0].coordinator)
  }, 60_000)

  test('metrics show the place of a server in the log', async () => {
    const [a] = cluster.servers
    await a!.request('PATCH', '/experimental-features', { metrics: true })
    await settled(a!)
    const answer = await fetch(`${a!.url}/metrics`, { headers: { authorization: `Bearer ${MASTER_KEY}` } })
    const text = await answer.text()
    expect(text).toMatch(/^findling_cluster_ready 1$/m)
    expect(text).toMatch(/^findling_cluster_members\{state="ready"\} 3$/m)
    expect(text).toMatch(/^findling_cluster_log_replicas\{state="current"\} 3$/m)
    expect(text).toMatch(/^findling_cluster_registered_sequence [1-9]\d*$/m)
  }, 60_000)

  test('findling cluster status ends with 0 while all is well, and with 1 when a server or the log is gone', async () => {
    const [a, b, c] = cluster.servers
    const status = () => findling('cluster', 'status', '--url', a!.url, '--api-key', MASTER_KEY)
    await settled(a!)
    expect(await status()).toMatchObject({ code: 0, stdout: expect.stringContaining('3 of 3 replicas current') })
    await c!.signal('SIGKILL')
    await vi.waitFor(async () => {
      expect(await status()).toMatchObject({ code: 1, stdout: expect.stringContaining('! findling-3 is not ready') })
    }, SOON)
    await c!.start()
    await c!.ready()
    await settled(b!)
    await Promise.all(cluster.nats.slice(1).map((server) => server.signal('SIGKILL')))
    await vi.waitFor(async () => {
      const stdout = expect.stringMatching(/nobody answers for it|has no majority/)
      expect(await status()).toMatchObject({ code: 1, stdout })
    }, SOON)
    await Promise.all(cluster.nats.slice(1).map((server) => server.start()))
    await Promise.all(cluster.servers.map((server) => server.ready()))
  }, 120_000)

  test('without a majority every kind of write is answered with 503 in time, and searches go on', async () => {
    const [a] = cluster.servers
    await Promise.all(cluster.nats.slice(1).map((server) => server.signal('SIGKILL')))
    const key = { actions: ['search'], indexes: ['*'], expiresAt: null }
    const refused = await Promise.all([
      a!.request('POST', '/indexes/films/documents', [{ id: 2 }]),
      a!.request('POST', '/keys', key),
      a!.request('PATCH', '/experimental-features', { containsFilter: true }),
    ])
    for (const { status, body } of refused) expect([status, body.code]).toEqual([503, 'cluster_unavailable'])
    expect((await a!.request('POST', '/indexes/films/search', {})).status).toBe(200)
    await Promise.all(cluster.nats.slice(1).map((server) => server.start()))
    await Promise.all(cluster.servers.map((server) => server.ready()))
  }, 120_000)
})

/** The built program, until it ends. */
async function findling(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [CLI, ...argv]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

/** What a server shows once everybody has heard of everything. */
async function settled(server: LocalCluster['servers'][number]) {
  for (;;) {
    const { body } = await server.request('GET', '/cluster')
    const isSettled = body.members.every(
      (member: { lag: number; isReady: boolean }) => member.isReady && member.lag === 0,
    )
    if (isSettled && body.members.length === 3) return body
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
