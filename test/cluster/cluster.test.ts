import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LocalCluster } from '../../scripts/cluster/local-cluster.js'
import { natsServerForTests } from '../../src/cluster/nats-server/cluster.fixture.js'
import { temporaryFolder } from '../../src/store/temporary.fixture.js'

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
