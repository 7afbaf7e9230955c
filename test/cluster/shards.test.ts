import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClusterServer, LocalCluster } from '../../scripts/cluster/local-cluster.js'
import { natsServerForTests } from '../../src/cluster/nats-server/cluster.fixture.js'
import { shardOf } from '../../src/sharding/index.js'
import { temporaryFolder } from '../../src/store/temporary.fixture.js'

const nats = await natsServerForTests()

const YEARS = 30
const films = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: from + i, title: `film ${from + i}`, year: (from + i) % YEARS }))

describe.runIf(nats !== undefined)('documents that are divided among servers with one log', () => {
  let cluster: LocalCluster
  /** The documents there should be, by id. */
  const there = new Set<number>()

  beforeAll(async () => {
    cluster = await LocalCluster.start({ folder: temporaryFolder() })
    const [server] = cluster.servers
    await server!.request('PATCH', '/experimental-features', { network: true, editDocumentsByFunction: true })
    const settings = { filterableAttributes: ['id', 'year', '_geo'], sortableAttributes: ['id'] }
    await done(server!, 'PATCH', '/indexes/films/settings', settings)
    await add(server!, films(0, 600))
  }, 120_000)
  afterAll(() => cluster?.stop('SIGKILL'), 60_000)

  async function done(server: ClusterServer, method: string, path: string, body?: unknown) {
    const answer = await server.request(method, path, body)
    expect([path, answer.status, answer.body?.message]).toEqual([path, 202, undefined])
    // Any server tells, and then has it.
    return cluster.servers.find(({ isRunning }) => isRunning)!.waitTask(answer.body.taskUid)
  }

  async function add(server: ClusterServer, documents: readonly { id: number }[]) {
    const task = await done(server, 'POST', '/indexes/films/documents', documents)
    expect(task).toMatchObject({ status: 'succeeded', details: { indexedDocuments: documents.length } })
    for (const { id } of documents) there.add(id)
  }

  /** What each server that runs finds is all there is. */
  async function expectWhole(): Promise<void> {
    for (const server of cluster.servers.filter(({ isRunning }) => isRunning)) {
      const { body } = await server.request('POST', '/indexes/films/search', {
        q: '',
        hitsPerPage: 1,
        facets: ['year'],
      })
      expect([server.name, body.totalHits, body.remoteErrors ?? {}]).toEqual([server.name, there.size, {}])
      const counts = Object.values<number>(body.facetDistribution.year)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(there.size)
    }
  }

  async function countsHere(): Promise<number[]> {
    const counts = cluster.servers.map(async (server) => {
      const { body } = await server.request('POST', '/indexes/films/search', { hitsPerPage: 0, useNetwork: false })
      return body.totalHits as number
    })
    return Promise.all(counts)
  }

  /** Documents that others own are deleted some seconds after a change. */
  async function expectHere(counts: readonly number[]): Promise<void> {
    for (let tries = 0; tries < 150 && String(await countsHere()) !== String(counts); tries++) await sleep(100)
    expect(await countsHere()).toEqual(counts)
  }

  const ofShard = (names: readonly string[], wanted: readonly string[]): number =>
    [...there].filter((id) => wanted.includes(shardOf(names, String(id)))).length

  test('each server keeps the documents of its shards, and any of them answers for all', async () => {
    const [a, b, c] = cluster.servers
    const shards = { one: { remotes: [a!.name] }, two: { remotes: [b!.name] } }
    const task = await done(c!, 'PATCH', '/network', { leader: a!.name, shards })
    expect(task).toMatchObject({ type: 'networkTopologyChange', status: 'succeeded', details: { movedDocuments: 0 } })
    await expectWhole()
    const names = ['one', 'two']
    await expectHere([ofShard(names, ['one']), ofShard(names, ['two']), 0])
    const { body } = await c!.request('GET', '/network')
    expect(body).toMatchObject({ self: c!.name, shards, remotes: { [a!.name]: { url: a!.url, searchApiKey: null } } })
  }, 120_000)

  test('any server takes writes, and counts are those of the whole', async () => {
    const [a, b, c] = cluster.servers
    await add(c!, films(600, 60))
    const removed = await done(b!, 'POST', '/indexes/films/documents/delete', { filter: 'year = 7' })
    const gone = [...there].filter((id) => id % YEARS === 7)
    expect(removed).toMatchObject({ status: 'succeeded', details: { deletedDocuments: gone.length } })
    for (const id of gone) there.delete(id)
    const edited = await done(a!, 'POST', '/indexes/films/documents/edit', {
      filter: 'year = 8',
      function: 'doc.title = "edited"',
    })
    const of8 = [...there].filter((id) => id % YEARS === 8)
    expect(edited).toMatchObject({ status: 'succeeded', details: { editedDocuments: of8.length } })
    await done(b!, 'PUT', '/indexes/films/documents', [{ id: of8[0], note: 'a partial update' }])
    for (const server of cluster.servers) {
      const { body } = await server.request('GET', `/indexes/films/documents/${of8[0]}`)
      expect(body).toEqual({ id: of8[0], title: 'edited', year: 8, note: 'a partial update' })
    }
    await expectWhole()
  }, 120_000)

  test('what one server cannot carry out none does', async () => {
    const [, , c] = cluster.servers
    const good = [...there].slice(0, 5).map((id) => ({ id, title: 'replaced' }))
    const task = await done(c!, 'POST', '/indexes/films/documents', [...good, { id: 9999, _geo: 'nowhere' }])
    expect(task).toMatchObject({ status: 'failed', error: { code: 'invalid_document_geo_field' } })
    const { body } = await c!.request('POST', '/indexes/films/search', { q: 'replaced' })
    expect(body.hits).toEqual([])
    await expectWhole()
  }, 120_000)

  test('a server that joins gets its share, and a dead one is done without where others have its documents', async () => {
    const [a, b, c] = cluster.servers
    const before = await countsHere()
    const task = await done(a!, 'PATCH', '/network', { shards: { three: { remotes: [c!.name] } } })
    const names = ['one', 'three', 'two']
    expect(task).toMatchObject({ status: 'succeeded', details: { movedDocuments: ofShard(names, ['three']) } })
    expect(before[0]! + before[1]!).toBe(there.size)
    await expectWhole()
    const owners = { one: [a!, b!], two: [b!, c!], three: [c!, a!] }
    const shards = Object.entries(owners).map(([name, list]) => [name, { remotes: list.map((each) => each.name) }])
    expect(await done(b!, 'PATCH', '/network', { shards: Object.fromEntries(shards) })).toMatchObject({
      status: 'succeeded',
      details: { movedDocuments: there.size },
    })
    await c!.signal('SIGKILL')
    await expectWhole()
    await add(a!, films(700, 50))
    await expectWhole()
    await c!.start()
    await c!.ready()
    await expectWhole()
    await expectHere(
      [
        ['one', 'three'],
        ['one', 'two'],
        ['three', 'two'],
      ].map((wanted) => ofShard(names, wanted)),
    )
  }, 180_000)

  test('a server that lost its folder gets its documents from the others', async () => {
    const [a, , c] = cluster.servers
    await c!.signal('SIGKILL')
    rmSync(c!.folder, { recursive: true })
    await done(a!, 'PUT', '/indexes/films/documents', [{ id: 3, note: 'while it was away' }])
    await c!.start()
    await c!.ready(120_000)
    await expectWhole()
    const names = ['one', 'three', 'two']
    await expectHere(
      [
        ['one', 'three'],
        ['one', 'two'],
        ['three', 'two'],
      ].map((wanted) => ofShard(names, wanted)),
    )
    const { body } = await c!.request('GET', '/indexes/films/documents/3')
    expect(body.note).toBe('while it was away')
  }, 180_000)

  test('a change that waits for a server does not end when documents of the one before are deleted', async () => {
    const [a, b, c] = cluster.servers
    await done(a!, 'PATCH', '/network', { shards: { one: { remotes: [b!.name, c!.name] } } })
    await c!.signal('SIGSTOP')
    const shards = { one: { remotes: [a!.name, c!.name] }, two: { remotes: [a!.name, c!.name] } }
    const asked = await b!.request('PATCH', '/network', { shards })
    // Longer than those of the former shards are kept.
    await sleep(8_000)
    await c!.signal('SIGCONT')
    expect(await b!.waitTask(asked.body.taskUid)).toMatchObject({ status: 'succeeded' })
    await c!.ready()
    await expectWhole()
    await expectHere([there.size, 0, there.size])
  }, 180_000)

  test('what only one server had is lost with its folder, and nothing else waits for it', async () => {
    const [a, b, c] = cluster.servers
    await done(a!, 'PATCH', '/network', { shards: { three: { remotes: [c!.name] } } })
    await c!.signal('SIGKILL')
    rmSync(c!.folder, { recursive: true })
    const written = await b!.request('POST', '/indexes/films/documents', films(800, 40))
    expect(written.status).toBe(202)
    await c!.start()
    await c!.ready(120_000)
    expect(await a!.waitTask(written.body.taskUid)).toMatchObject({ status: 'succeeded' })
    const names = ['one', 'three', 'two']
    for (const id of [...there]) if (shardOf(names, String(id)) === 'three') there.delete(id)
    for (const { id } of films(800, 40)) there.add(id)
    // Those of the lost shard that were written before it was given back are lost as well, or not.
    const { body } = await c!.request('POST', '/indexes/films/search', { q: '', hitsPerPage: 1 })
    const late = ofShard(names, ['three'])
    expect(there.size - late).toBeLessThanOrEqual(body.totalHits)
    expect(body.totalHits).toBeLessThanOrEqual(there.size)
  }, 180_000)

  test('what would need all documents on one server is refused, not done by half', async () => {
    const [a, b] = cluster.servers
    expect(await done(a!, 'POST', '/dumps')).toMatchObject({ status: 'failed', error: { code: 'internal' } })
    expect((await b!.request('PATCH', '/network', { leader: null })).body.code).toBe('invalid_network_leader')
    const unknown = await b!.request('PATCH', '/network', { shards: { four: { remotes: ['nobody'] } } })
    expect(unknown.body.code).toBe('invalid_network_shards')
  }, 60_000)
})
