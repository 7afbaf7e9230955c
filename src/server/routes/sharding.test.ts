import { beforeEach, describe, expect, test } from 'vitest'
import { shardOf } from '../../sharding/index.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer
const url = 'http://localhost:7700'

beforeEach(async () => {
  server = await startIndexServer()
  await server.context.features.change({ network: true })
})

const patch = (body: object) => server.send('PATCH', '/network', { body })
const lead = (shards: object) =>
  server.done('PATCH', '/network', { body: { self: 'me', leader: 'me', remotes: { me: { url } }, shards } })
const ALL = ['1', '2', '3', '4', '5', '6', '7', '8']
const documents = ALL.map((id) => ({ id, text: 'fox' }))
const inShard = (names: string[], name: string) => ALL.filter((id) => shardOf(names, id) === name)
const found = async (filter: unknown) => {
  const { json } = await server.send('POST', '/indexes/books/search', { body: { filter, useNetwork: false } })
  return json.hits?.map(({ id }: { id: string }) => id).sort() ?? json.code
}

describe('a server that leads alone', () => {
  test('spec 8, case 38: takes the lead by a task, and gives it up at once', async () => {
    const answer = await patch({
      self: 'me',
      leader: 'me',
      remotes: { me: { url } },
      shards: { s: { remotes: ['me'] } },
    })
    expect([answer.status, answer.json]).toEqual([
      202,
      {
        taskUid: 0,
        indexUid: null,
        status: 'enqueued',
        type: 'networkTopologyChange',
        enqueuedAt: expect.any(String),
      },
    ])
    const task = await server.ended(0)
    expect([task.status, task.details]).toEqual(['succeeded', { movedDocuments: 0, message: 'finished' }])
    expect((await server.send('GET', '/network')).json).toMatchObject({
      leader: 'me',
      shards: { s: { remotes: ['me'] } },
    })
    const cleared = await patch({ leader: null, self: null, remotes: { me: null }, shards: { s: null } })
    expect([cleared.status, cleared.json]).toEqual([
      200,
      { self: null, remotes: {}, shards: {}, leader: null, version: expect.any(String) },
    ])
  })

  test('keeps all documents, and finds them by shard', async () => {
    await server.add('books', documents)
    await lead({ a: { remotes: ['me'] }, b: { remotes: ['me'] } })
    expect(await found('_shard = a')).toEqual(inShard(['a', 'b'], 'a'))
    await server.done('DELETE', '/indexes/books/documents')
    const { details } = await server.add('books', documents)
    expect(details).toEqual({ receivedDocuments: 8, indexedDocuments: 8 })
    expect(await found('_shard = b')).toEqual(inShard(['a', 'b'], 'b'))
    expect(await found('_shard != b')).toEqual(inShard(['a', 'b'], 'a'))
    expect(await found(['_shard IN [a, b]'])).toEqual(ALL)
    await lead({ c: { remotes: ['me'] } })
    expect(await found('_shard = c')).toEqual(inShard(['a', 'b', 'c'], 'c'))
    const { json } = await server.send('POST', '/indexes/books/documents/fetch', { body: { filter: '_shard = c' } })
    expect(json.total).toBe(inShard(['a', 'b', 'c'], 'c').length)
    expect((await server.list('books')).length).toBe(8)
  })

  test('spec 8, case 47: does not know other shards or other operators', async () => {
    await server.add('books', documents)
    expect(await found('_shard = nope')).toBe('invalid_search_filter')
    await lead({ a: { remotes: ['me'] } })
    expect(await found('_shard = nope')).toBe('invalid_search_filter')
    expect(await found('_shard > a')).toBe('invalid_search_filter')
    expect(await found('_shard EXISTS')).toBe('invalid_search_filter')
    await server.context.features.change({ network: false })
    const { json } = await server.send('POST', '/indexes/books/search', { body: { filter: '_shard = a' } })
    expect(json.code).toBe('feature_not_enabled')
  })

  test('takes no second change before the first is done', async () => {
    const codes = await server.together(async () => {
      const body = { self: 'me', leader: 'me', remotes: { me: { url } }, shards: { s: { remotes: ['me'] } } }
      const [first, second] = [await patch(body), await patch({ shards: { t: { remotes: ['me'] } } })]
      expect([second.status, second.json.code]).toEqual([400, 'unprocessed_network_task'])
      expect(Object.keys((await server.send('GET', '/network')).json.shards)).toEqual(['s'])
      return [first]
    })
    expect(codes.map(({ status }) => status)).toEqual(['succeeded'])
  })
})
