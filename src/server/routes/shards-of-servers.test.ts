import { describe, expect, test, vi } from 'vitest'
import { fail } from '../../errors/index.js'
import { shardOf } from '../../sharding/index.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'
import { MASTER_KEY } from '../test-server.fixture.js'

const IDS = Array.from({ length: 60 }, (_, i) => `${i}`)
const documents = IDS.map((id) => ({ id, text: 'fox', size: Number(id) }))

/** Servers by name, which know nothing of each other yet. */
async function startServers(...names: string[]): Promise<Record<string, IndexServer>> {
  const started = await Promise.all(
    names.map(async (name) => {
      const server = await startIndexServer()
      await server.context.features.change({ network: true })
      return [name, server] as const
    }),
  )
  return Object.fromEntries(started)
}

const remotesOf = (servers: Record<string, IndexServer>) =>
  Object.fromEntries(
    Object.entries(servers).map(([name, { port }]) => [
      name,
      { url: `http://127.0.0.1:${port}`, searchApiKey: MASTER_KEY, writeApiKey: MASTER_KEY },
    ]),
  )

const owned = (shards: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(shards).map(([name, remotes]) => [name, { remotes }]))

/** Makes `a` the leader, and waits for the end of the change everywhere. */
async function lead(servers: Record<string, IndexServer>, shards: Record<string, string[]>, more: object = {}) {
  const body = { self: 'a', leader: 'a', remotes: remotesOf(servers), shards: owned(shards), ...more }
  const task = await servers.a!.done('PATCH', '/network', { body })
  expect([task.status, task.error]).toEqual(['succeeded', null])
  for (const [name, { taskUid }] of Object.entries<{ taskUid: number }>(task.network.remote_tasks)) {
    expect((await servers[name]!.ended(taskUid)).status).toBe('succeeded')
  }
  return task
}

const idsOn = async (server: IndexServer) =>
  ((await server.list('books')) as { id: string }[]).map(({ id }) => id).sort()
const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
const inSecond = (id: string) => shardOf(['s1', 's2'], id) === 's2'
const idsOf = (names: string[], ...shards: string[]) => IDS.filter((id) => shards.includes(shardOf(names, id))).sort()

/** A task of the leader, when all others have heard of it. */
async function sentTask(servers: Record<string, IndexServer>, taskUid: number) {
  for (;;) {
    const task = await servers.a!.ended(taskUid)
    const outcomes = Object.values<{ taskUid?: number }>(task.network.remote_tasks)
    if (outcomes.length > 0 && outcomes.every((outcome) => outcome.taskUid !== undefined)) return task
  }
}

/** What became of a task of the leader everywhere. */
async function everywhere(servers: Record<string, IndexServer>, method: string, path: string, body?: unknown) {
  const { uid } = await servers.a!.done(method, path, { body: body as object })
  const task = await sentTask(servers, uid)
  const remote: Record<string, { status: string; details: unknown; network: unknown }> = {}
  for (const [name, { taskUid }] of Object.entries<{ taskUid: number }>(task.network.remote_tasks)) {
    const { status, details, network } = await servers[name]!.ended(taskUid)
    remote[name] = { status, details, network }
  }
  return { task, remote }
}

describe('writes under a leader', () => {
  test('spec 8, case 46: go to all servers, and each keeps its share', async () => {
    const servers = await startServers('a', 'b')
    await lead(servers, { s1: ['a'], s2: ['b'] })
    const { task, remote } = await everywhere(servers, 'POST', '/indexes/books/documents?customMetadata=x', documents)
    const [here, there] = [idsOf(['s1', 's2'], 's1'), idsOf(['s1', 's2'], 's2')]
    const { version } = (await servers.a!.send('GET', '/network')).json
    expect(task).toMatchObject({
      status: 'succeeded',
      details: { receivedDocuments: 60, indexedDocuments: here.length },
      network: { remote_tasks: { b: { taskUid: expect.any(Number), error: null } }, network_version: version },
      customMetadata: 'x',
    })
    expect(remote.b).toEqual({
      status: 'succeeded',
      details: { receivedDocuments: 60, indexedDocuments: there.length },
      network: { origin: { remoteName: 'a', taskUid: task.uid, networkVersion: version } },
    })
    expect([await idsOn(servers.a!), await idsOn(servers.b!)]).toEqual([here, there])
    expect(await servers.b!.codeOf('POST', '/indexes/books/documents', { body: documents })).toBe('not_leader')
    expect(await servers.b!.codeOf('PATCH', '/indexes/books/settings', { body: {} })).toBe('not_leader')
    expect(await servers.b!.codeOf('POST', '/dumps')).toBe(202)
  })

  test('of every kind have the same effect on all', async () => {
    const servers = await startServers('a', 'b')
    for (const server of Object.values(servers)) await server.context.features.change({ editDocumentsByFunction: true })
    await lead(servers, { s1: ['a', 'b'] })
    const send = (method: string, path: string, body?: unknown) => everywhere(servers, method, path, body)
    await send('POST', '/indexes', { uid: 'books', primaryKey: 'id' })
    await send('PATCH', '/indexes/books/settings', { filterableAttributes: ['size'], stopWords: ['the'] })
    await send('PUT', '/indexes/books/settings/sortable-attributes', ['size'])
    await send('DELETE', '/indexes/books/settings/stop-words')
    await send('POST', '/indexes/books/documents', documents)
    await send('PUT', '/indexes/books/documents', [{ id: '1', more: 1 }])
    await send('PUT', '/indexes/books/documents?skipCreation=true', [{ id: 'new' }])
    await send('POST', '/indexes/books/documents', [])
    await send('DELETE', '/indexes/books/documents/2')
    await send('POST', '/indexes/books/documents/delete-batch', ['3', '4'])
    await send(
      'POST',
      '/indexes/books/documents/delete-batch',
      Array.from({ length: 2000 }, (_, i) => `${i + 50}`),
    )
    await send('POST', '/indexes/books/documents/delete', { filter: 'size > 40' })
    await send('POST', '/indexes/books/documents/edit', { function: 'doc.size = doc.size * 2', filter: 'size < 10' })
    await send('POST', '/indexes', { uid: 'other' })
    await send('PATCH', '/indexes/other', { primaryKey: 'sku' })
    await send('POST', '/swap-indexes', [{ indexes: ['books', 'other'] }])
    await send('PATCH', '/indexes/books', { uid: 'renamed' })
    const shown = async (server: IndexServer) => [
      await server.list('other'),
      (await server.send('GET', '/indexes/other/settings')).json,
      (await server.send('GET', '/indexes')).json.results.map(({ uid, primaryKey }: Record<string, string>) => [
        uid,
        primaryKey,
      ]),
    ]
    const there = await shown(servers.b!)
    expect(there).toEqual(await shown(servers.a!))
    expect(there[0]).toHaveLength(38)
    expect(there[2]).toEqual([
      ['other', 'id'],
      ['renamed', 'sku'],
    ])
    const { remote } = await send('DELETE', '/indexes/renamed')
    expect(remote.b!.status).toBe('succeeded')
  })

  test('reach a server that was away in their order', async () => {
    const servers = await startServers('a', 'b')
    await lead(servers, { s1: ['a', 'b'] })
    const url = `http://127.0.0.1:${servers.b!.port}`
    // Nobody listens on the port of the discard service.
    await servers.a!.context.network.change({
      patch: { remotes: new Map([['b', { url: 'http://127.0.0.1:9' }]]) } as never,
      led: undefined,
      begin: () => ({ ok: true, value: undefined }),
    })
    const before = performance.now()
    const first = await servers.a!.send('POST', '/indexes/books/documents', { body: [{ id: '1', n: 1 }] })
    expect(performance.now() - before).toBeLessThan(1500)
    await servers.a!.send('DELETE', '/indexes/books/documents')
    const last = await servers.a!.send('POST', '/indexes/books/documents', { body: [{ id: '2', n: 2 }] })
    const failing = await servers.a!.ended(first.json.taskUid)
    expect([failing.status, failing.network.remote_tasks.b.error.code]).toEqual([
      'succeeded',
      'remote_could_not_send_request',
    ])
    await servers.a!.context.network.change({
      patch: { remotes: new Map([['b', { url }]]) } as never,
      led: undefined,
      begin: () => ({ ok: true, value: undefined }),
    })
    const sent = async () => (await servers.a!.send('GET', `/tasks/${last.json.taskUid}`)).json.network.remote_tasks.b
    while ((await sent())?.taskUid === undefined) await new Promise((resolve) => setTimeout(resolve, 20))
    await servers.b!.ended((await sent()).taskUid)
    expect(await servers.b!.list('books')).toEqual([{ id: '2', n: 2 }])
  })

  test.each<[Record<string, string>, string]>([
    [{ 'x-meili-proxy-origin-remote': 'a' }, 'inconsistent_document_change_headers'],
    [{ 'meili-proxy-origin-taskuid': '1' }, 'inconsistent_document_change_headers'],
    [
      { 'x-meili-proxy-import-remote': 'a', 'x-meili-proxy-import-index': 'b', 'x-meili-proxy-import-docs': '1' },
      'inconsistent_document_change_headers',
    ],
    [{ 'x-meili-proxy-origin-remote': '%zz', 'x-meili-proxy-origin-taskuid': '1' }, 'invalid_header_value'],
    [{ 'x-meili-proxy-origin-remote': 'a', 'x-meili-proxy-origin-taskuid': 'x' }, 'invalid_header_value'],
    [
      {
        'x-meili-proxy-origin-remote': 'a',
        'x-meili-proxy-origin-taskuid': '1',
        'x-meili-proxy-origin-network-version': 'x',
      },
      'invalid_header_value',
    ],
    [{ 'x-meili-proxy-origin-remote': 'a', 'x-meili-proxy-origin-taskuid': '1' }, 'network_version_too_old'],
    [
      {
        'x-meili-proxy-origin-remote': 'a',
        'x-meili-proxy-origin-taskuid': '1',
        'x-meili-proxy-import-remote': 'a',
        'x-meili-proxy-import-index': 'b',
        'x-meili-proxy-import-docs': '1',
      },
      'import_task_without_network_task',
    ],
  ])('spec 8, case 48: %j is %s', async (headers, code) => {
    const { a } = await startServers('a')
    await lead({ a: a! }, { s1: ['a'] })
    expect(await a!.codeOf('POST', '/indexes/books/documents', { body: documents, headers })).toBe(code)
  })
})

describe('a change of the network', () => {
  test('moves the documents of a new shard, and nothing else', async () => {
    const servers = await startServers('a', 'b', 'c')
    const { a, b, c } = servers
    await lead({ a: a!, b: b! }, { s1: ['a'], s2: ['b'] })
    await everywhere(servers, 'PATCH', '/indexes/books/settings', { filterableAttributes: ['size'] })
    await everywhere(servers, 'POST', '/indexes/books/documents', documents)
    const task = await lead(servers, { s3: ['c'] })
    const names = ['s1', 's2', 's3']
    const moved = IDS.filter((id) => shardOf(['s1', 's2'], id) === 's1' && shardOf(names, id) === 's3')
    expect(task.details).toEqual({ movedDocuments: moved.length, message: 'finished' })
    expect(await Promise.all([a!, b!, c!].map(idsOn))).toEqual(names.map((name) => idsOf(names, name)))
    const settings = (await c!.send('GET', '/indexes/books/settings')).json
    expect(settings.filterableAttributes).toEqual(['size'])
    const { json } = await c!.send('GET', '/network')
    expect([json.self, json.leader, Object.keys(json.remotes)]).toEqual(['c', 'a', ['a', 'b', 'c']])
    await everywhere(servers, 'POST', '/indexes/books/documents', [...documents, { id: 'new' }])
    expect((await Promise.all([a!, b!, c!].map(idsOn))).flat().length).toBe(61)
  })

  test('keeps the places of equal documents that one server hands to another', async () => {
    const servers = await startServers('a', 'b', 'c')
    const { a, b, c } = servers
    const shuffled = [...documents.slice(17), ...documents.slice(0, 17).reverse()]
    await a!.add('books', shuffled.slice(0, 20))
    await lead({ a: a! }, { s1: ['a'] })
    for (let from = 20; from < 60; from += 10) await a!.add('books', shuffled.slice(from, from + 10))
    const order = async (server: IndexServer): Promise<string[]> => {
      const { json } = await server.send('POST', '/indexes/books/search', { body: { q: 'fox', limit: 100 } })
      return json.hits.map(({ id }: { id: string }) => id)
    }
    const expected = shuffled.map(({ id }) => id)
    await lead({ a: a!, b: b! }, { s1: ['a'], s2: ['b'] })
    expect([await order(a!), await order(b!)]).toEqual([expected, expected])
    await lead(servers, { s1: ['c'], s2: ['b'] })
    expect([await order(a!), await order(c!)]).toEqual([expected, expected])
  })

  test('spreads what one server had in the order in which it had it', async () => {
    const servers = await startServers('a', 'b')
    const shuffled = [...documents.slice(30), ...documents.slice(0, 30)]
    await servers.a!.add('books', shuffled)
    await lead(servers, { s1: ['a'], s2: ['b'] })
    const { json } = await servers.b!.send('POST', '/indexes/books/search', { body: { q: 'fox', limit: 100 } })
    expect(json.hits.map(({ id }: { id: string }) => id)).toEqual(shuffled.map(({ id }) => id))
  })

  test('gives a shard another owner, and takes it from one that leaves', async () => {
    const servers = await startServers('a', 'b', 'c')
    const { a, b, c } = servers
    await lead({ a: a!, b: b! }, { s1: ['a'], s2: ['b'] })
    await everywhere(servers, 'POST', '/indexes/books/documents', documents)
    await lead(servers, { s1: ['a', 'c'], s2: ['b', 'c'] })
    expect(await idsOn(c!)).toEqual([...IDS].sort())
    expect(await idsOn(a!)).toEqual(idsOf(['s1', 's2'], 's1'))
    await lead(servers, { s2: ['a'] }, { remotes: { b: null } })
    expect(await Promise.all([a!, b!].map(idsOn))).toEqual([[...IDS].sort(), []])
  })

  test('spreads what servers had before they were led; what the leader has counts', async () => {
    const servers = await startServers('a', 'b')
    await servers.a!.add(
      'books',
      documents.slice(0, 40).map((document) => ({ ...document, from: 'a' })),
    )
    await servers.b!.add(
      'books',
      documents.slice(20).map((document) => ({ ...document, from: 'b' })),
    )
    await lead(servers, { s1: ['a'], s2: ['b'] })
    const all = (await Promise.all([servers.a!, servers.b!].map((server) => server.list('books')))).flat()
    const from = (all as { id: string; from: string }[]).map(({ id, from }) => [Number(id), from] as const)
    from.sort(([x], [y]) => x - y)
    expect(from).toEqual(IDS.map((id, i) => [Number(id), i < 40 ? 'a' : 'b']))
  })

  test('that waits for a server can be canceled, and made again', async () => {
    const servers = await startServers('a', 'b')
    const { a, b } = servers
    await a!.add('books', documents)
    const away = { ...remotesOf(servers), b: { url: 'http://127.0.0.1:9', writeApiKey: MASTER_KEY } }
    const shards = owned({ s1: ['a'], s2: ['b'] })
    const { json } = await a!.send('PATCH', '/network', { body: { self: 'a', leader: 'a', remotes: away, shards } })
    const shown = async () => (await a!.send('GET', `/tasks/${json.taskUid}`)).json
    while ((await shown()).status !== 'processing') await pause()
    const behind = await a!.send('POST', '/indexes/books/documents', { body: [{ id: 'late' }] })
    await a!.send('POST', `/tasks/cancel?uids=${json.taskUid}`)
    const canceled = await a!.ended(json.taskUid)
    expect([canceled.status, canceled.details.movedDocuments]).toEqual(['canceled', 0])
    expect((await a!.ended(behind.json.taskUid)).details.indexedDocuments).toBe(1)
    expect(await idsOn(a!)).toHaveLength(61)
    await lead(servers, { s1: ['a'], s2: ['b'] })
    expect([...(await idsOn(a!)), ...(await idsOn(b!))].sort()).toEqual([...IDS, 'late'].sort())
    expect(await idsOn(b!)).toEqual([...idsOf(['s1', 's2'], 's2'), 'late'].filter((id) => inSecond(id)).sort())
  })

  test('can be canceled until the leader has changed over, and goes through afterwards', async () => {
    const servers = await startServers('a', 'b')
    const { a, b } = servers
    await lead({ a: a! }, { s1: ['a'] })
    await a!.add('books', documents)
    // As if messages got lost: the follower hears that the leader has changed over when it may.
    const deaf = new Set<string>(['changedOver'])
    const { topology } = b!.context
    const hear = topology.hear.bind(topology)
    vi.spyOn(topology, 'hear').mockImplementation(async (origin, message) =>
      deaf.has(message.type) ? fail('import_task_without_network_task', 'not now') : hear(origin, message),
    )
    const body = { remotes: remotesOf(servers), shards: owned({ s2: ['b'] }) }
    const { json } = await a!.send('PATCH', '/network', { body })
    const task = async (server: IndexServer, uid: number) => (await server.send('GET', `/tasks/${uid}`)).json
    const says = async (server: IndexServer, uid: number, text: string) => {
      while (!(await task(server, uid)).details.message.startsWith(text)) await pause()
    }
    await says(a!, json.taskUid, 'changing over')
    const led = (await task(a!, json.taskUid)).network.remote_tasks.b.taskUid
    const cancel = async (server: IndexServer, uid: number) => {
      const { taskUid } = (await server.send('POST', `/tasks/cancel?uids=${uid}`)).json
      return (await server.ended(taskUid)).details.canceledTasks
    }
    await says(b!, led, 'waiting for others to finish')
    expect([await cancel(a!, json.taskUid), await cancel(b!, led)]).toEqual([0, 0])
    deaf.clear()
    expect([(await a!.ended(json.taskUid)).status, (await b!.ended(led)).status]).toEqual(['succeeded', 'succeeded'])
    expect([...(await idsOn(a!)), ...(await idsOn(b!))].sort()).toEqual([...IDS].sort())
  })

  test('that one server cannot follow changes nothing on any', async () => {
    const servers = await startServers('a', 'b')
    const { a, b } = servers
    await a!.add('books', documents)
    await b!.add('books', [{ sku: 1 }], '?primaryKey=sku')
    const body = { self: 'a', leader: 'a', remotes: remotesOf(servers), shards: owned({ s1: ['a'], s2: ['b'] }) }
    const task = await a!.done('PATCH', '/network', { body })
    expect([task.status, task.error.message]).toEqual(['failed', expect.stringContaining('"b"')])
    expect((await sentTask(servers, task.uid)).network.remote_tasks.b.error).toBe(null)
    expect(await idsOn(a!)).toHaveLength(60)
    expect(((await b!.list('books')) as { sku?: number }[]).some(({ sku }) => sku === 1)).toBe(true)
  })

  test('is complete for whoever searches, also by the shards there were, until all servers have changed over', async () => {
    const servers = await startServers('a', 'b', 'c')
    const { a, b, c } = servers
    await lead({ a: a!, b: b! }, { s1: ['a'], s2: ['b'] })
    await everywhere(servers, 'POST', '/indexes/books/documents', documents)
    const before = (await a!.send('GET', '/network')).json.version
    const found = new Map<string, Set<unknown>>()
    let isOver = false
    const searching = Object.entries(servers).map(async ([name, server]) => {
      while (!isOver) {
        const { json } = await server.send('POST', '/indexes/books/search', { body: { hitsPerPage: 1 } })
        const { json: list } = await server.send('POST', '/indexes/books/documents/fetch', { body: { limit: 0 } })
        const seen = [json.totalHits ?? json.code, list.total ?? list.code, json.remoteErrors, list.remoteErrors]
        found.set(name, (found.get(name) ?? new Set()).add(JSON.stringify(seen)))
        await pause()
      }
    })
    await lead(servers, { s1: ['a'], s2: ['b'], s3: ['c'] })
    isOver = true
    await Promise.all(searching)
    const complete = JSON.stringify([60, 60, {}, undefined])
    expect([found.get('a'), found.get('b')]).toEqual([new Set([complete]), new Set([complete])])
    // Until it has heard of the index, there is none.
    const known = [...found.get('c')!].filter((seen) => !String(seen).includes('index_not_found'))
    expect(known).toEqual([complete])
    const asked = (version: string) => {
      const headers = {
        'x-findling-shards': 'true',
        'x-findling-network-version': version,
        'meili-proxy-search': 'true',
      }
      const body = { queries: [{ indexUid: 'books', filter: '_shard = s1', useNetwork: false }], federation: {} }
      return c!.codeOf('POST', '/multi-search', { body, headers })
    }
    const { version } = (await a!.send('GET', '/network')).json
    const later = `f${version.slice(1)}`
    expect([await asked(version), await asked(before), await asked(later)]).toEqual([
      200,
      'shard_map_outdated',
      'shard_map_unknown',
    ])
  })

  test('knows who takes part, and which change is meant', async () => {
    const servers = await startServers('a', 'b')
    const { a } = servers
    const away = { ...remotesOf(servers), b: { url: 'http://127.0.0.1:9' } }
    const body = { self: 'a', leader: 'a', remotes: away, shards: owned({ s1: ['a'] }) }
    const { json } = await a!.send('PATCH', '/network', { body })
    const { version } = (await a!.send('GET', '/network')).json
    const origin = { remoteName: 'b', taskUid: 0, networkVersion: version }
    const says = (message: object, more: object = {}) =>
      a!.codeOf('POST', '/network/control', { body: { origin: { ...origin, ...more }, message } })
    const finished = { type: 'importFinishedForRemote', successful: true }
    expect(await says({ ...finished, remote: 'x' })).toBe('receive_import_finished_unknown_remote')
    expect(await says({ type: 'exportNoIndexForRemote', remote: 'x' })).toBe('import_task_unknown_remote')
    const other = { networkVersion: '01a1edbd-e916-7bb3-8c22-b06d2498efd5' }
    expect(await says({ ...finished, remote: 'b' }, other)).toBe('network_version_mismatch')
    const handed = (remote: string) => ({
      'x-meili-proxy-origin-remote': 'b',
      'x-meili-proxy-origin-taskuid': '0',
      'x-meili-proxy-origin-network-version': version,
      'x-meili-proxy-import-remote': remote,
      'x-meili-proxy-import-index': 'books',
      'x-meili-proxy-import-docs': '1',
      'x-meili-proxy-import-index-count': '1',
      'x-meili-proxy-import-task-key': 'k',
      'x-meili-proxy-import-total-index-docs': '1',
    })
    const hand = (remote: string) =>
      a!.codeOf('POST', '/indexes/books/documents', { body: [{ id: 1 }], headers: handed(remote) })
    expect([await hand('x'), await hand('b'), await hand('b')]).toEqual([
      'import_task_unknown_remote',
      202,
      'import_task_already_received',
    ])
    await a!.send('POST', `/tasks/cancel?uids=${json.taskUid}`)
    expect((await a!.ended(json.taskUid)).status).toBe('canceled')
    const { results } = (await a!.send('GET', '/tasks?types=documentAdditionOrUpdate')).json
    expect((await a!.ended(results[0].uid)).network).toEqual({
      import_from: { remoteName: 'b', indexName: 'books', documentCount: 1 },
      network_change: origin,
    })
  })
})
