import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ClusterServer, LocalCluster } from '../../scripts/cluster/local-cluster.js'
import { natsServerForTests } from '../../src/cluster/nats-server/cluster.fixture.js'
import { temporaryFolder } from '../../src/store/temporary.fixture.js'
import { createInlineIndexing, jobServices } from '../../src/tasks/index.js'
import { refusedStart } from '../server.js'

const nats = await natsServerForTests()

const films = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: from + i,
    title: `film ${from + i}`,
    overview: 'a stranger comes to town',
  }))

describe.runIf(nats !== undefined)('three servers with the same data', () => {
  let cluster: LocalCluster

  beforeAll(async () => {
    cluster = await LocalCluster.start({ folder: temporaryFolder() })
  }, 60_000)
  afterAll(() => cluster?.stop('SIGKILL'), 60_000)

  test('what one of them took is found on all of them once its task has succeeded', async () => {
    for (const [i, server] of cluster.servers.entries()) {
      const { status, body } = await server.request('POST', '/indexes/films/documents', films(i * 100, 100))
      expect(status).toBe(202)
      const other = cluster.servers[(i + 1) % 3]!
      expect(await other.waitTask(body.taskUid)).toMatchObject({ status: 'succeeded' })
      for (const each of cluster.servers) {
        const found = await each.request('GET', `/indexes/films/documents/${i * 100 + 99}`)
        expect([each.name, found.status]).toEqual([each.name, 200])
      }
    }
  }, 60_000)

  test('keys, features and settings are the same everywhere', async () => {
    const [a, b, c] = cluster.servers
    const key = await a!.request('POST', '/keys', { actions: ['search'], indexes: ['*'], expiresAt: null })
    expect(key.status).toBe(201)
    await b!.request('PATCH', '/experimental-features', { metrics: true })
    const settings = await c!.request('PATCH', '/indexes/films/settings', { filterableAttributes: ['title'] })
    await a!.waitTask(settings.body.taskUid)
    const views = await Promise.all(
      cluster.servers.map(async (server) => [
        (await server.request('GET', '/keys')).body,
        (await server.request('GET', '/experimental-features')).body.metrics,
        (await server.request('GET', '/indexes/films/settings')).body.filterableAttributes,
      ]),
    )
    expect(views[1]).toEqual(views[0])
    expect(views[2]).toEqual(views[0])
    expect(views[0]!.slice(1)).toEqual([true, ['title']])
  }, 60_000)

  test('tasks and batches are the same everywhere, down to their times', async () => {
    const views = await Promise.all(
      cluster.servers.map(async (server) => [
        (await server.request('GET', '/tasks')).body,
        (await server.request('GET', '/batches')).body,
      ]),
    )
    expect(views[1]).toEqual(views[0])
    expect(views[2]).toEqual(views[0])
  })

  test('a payload too long for the log itself gets to all of them', async () => {
    const long = films(1000, 20_000)
    const { body } = await cluster.servers[1]!.request('POST', '/indexes/long/documents', long)
    await cluster.servers[2]!.waitTask(body.taskUid)
    for (const server of cluster.servers) {
      expect((await server.request('GET', '/indexes/long/stats')).body.numberOfDocuments).toBe(20_000)
    }
  }, 120_000)

  test('a server that was killed catches up', async () => {
    const [a, b, c] = cluster.servers
    await c!.signal('SIGKILL')
    const { body } = await a!.request('POST', '/indexes/films/documents', films(5000, 10))
    expect(await b!.waitTask(body.taskUid)).toMatchObject({ status: 'succeeded' })
    await c!.start()
    await c!.ready()
    await c!.waitTask(body.taskUid)
    expect((await c!.request('GET', '/indexes/films/documents/5009')).status).toBe(200)
  }, 60_000)
})

describe.runIf(nats !== undefined)('data that do not lead to the log', () => {
  let cluster: LocalCluster

  beforeAll(async () => {
    cluster = await LocalCluster.start({ folder: temporaryFolder() })
    const { body } = await cluster.servers[0]!.request('POST', '/indexes/films/documents', films(0, 3000))
    await cluster.servers[1]!.waitTask(body.taskUid)
  }, 60_000)
  afterAll(() => cluster?.stop('SIGKILL'), 60_000)

  const numberOfDocuments = async (server: ClusterServer) =>
    (await server.request('GET', '/indexes/films/stats')).body.numberOfDocuments

  test('a new server reads the log from its beginning', async () => {
    const [, , c] = cluster.servers
    await c!.signal('SIGKILL')
    rmSync(join(c!.folder, 'data.ms'), { recursive: true })
    await c!.start()
    await c!.ready()
    expect(await numberOfDocuments(c!)).toBe(3000)
  }, 60_000)

  test('a server whose index differs notices with the next batch, and takes a copy of the data of another one', async () => {
    const [a, b, c] = cluster.servers
    await c!.signal('SIGKILL')
    await deleteOneDocument(join(c!.folder, 'data.ms/indexes'))
    await c!.start()
    await c!.ready()
    const { body } = await a!.request('POST', '/indexes/films/documents', films(100, 10))
    expect(await b!.waitTask(body.taskUid)).toMatchObject({ status: 'succeeded' })
    await until(async () => (await numberOfDocuments(c!).catch(() => 0)) === 3000)
    await c!.ready()
    expect(await c!.request('GET', '/indexes/films/documents/7')).toMatchObject({ body: { title: 'film 7' } })
    expect(readFileSync(c!.logPath, 'utf8')).toContain('takes a copy')
  }, 120_000)

  test('a server with data of its own is refused, in a sentence that says what to do', async () => {
    const folder = temporaryFolder()
    const alone = new ClusterServer('alone', cluster.servers[0]!.port + 1, folder, [])
    await alone.start()
    await alone.ready()
    await alone.request('POST', '/indexes/films/documents', films(0, 1))
    await alone.signal('SIGTERM')
    const { code, stderr } = await refusedStart(folder, ['--db-path', 'data.ms', ...cluster.servers[0]!.flags])
    expect([code, stderr]).toEqual([1, expect.stringContaining('`findling cluster recover`')])
  }, 60_000)
})

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(100)
}

/** As if the server had done something that the others did not. */
async function deleteOneDocument(indexesPath: string): Promise<void> {
  const indexing = createInlineIndexing(jobServices)
  const [folder] = readdirSync(indexesPath)
  await indexing.run(
    {
      path: join(indexesPath, folder!),
      indexUid: 'films',
      now: '2026-01-05T10:00:00Z',
      batchKey: 'another',
      create: null,
      work: { kind: 'deletions', operations: [{ kind: 'deleteIds', ids: ['105'] }] },
    },
    () => {},
  ).done
  await indexing.close()
}
