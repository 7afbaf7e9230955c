import { beforeAll, describe, expect, test } from 'vitest'
import type { IndexServer } from '../index-server.fixture.js'
import { ids, type OddServer, openNetwork, says } from './network-servers.fixture.js'

let here: IndexServer
let there: IndexServer
let odd: OddServer

beforeAll(async () => {
  ;({ here, there, odd } = await openNetwork())
})

describe('lists of documents', () => {
  const key = async (server: IndexServer) => {
    const { json } = await server.send('POST', '/keys', {
      body: { actions: ['search', 'documents.get'], indexes: ['*'], expiresAt: null },
    })
    return json.key
  }
  const list = async (query: string) =>
    (await here.send('GET', `/indexes/books/documents?useNetwork=true${query}`)).json

  beforeAll(async () => {
    const { json } = await here.send('GET', '/network')
    const before = json.remotes.there.searchApiKey
    await here.send('PATCH', '/network', { body: { remotes: { there: { searchApiKey: await key(there) } } } })
    return async () => {
      await here.send('PATCH', '/network', { body: { remotes: { there: { searchApiKey: before } } } })
    }
  })

  test('are one list of all servers, one server after the other', async () => {
    expect(await list('&fields=id')).toEqual({
      results: [{ id: 1 }, { id: 2 }, { id: 11 }, { id: 12 }],
      offset: 0,
      limit: 20,
      total: 4,
    })
  })

  test('are merged by what they are sorted by, then cut', async () => {
    expect(ids((await list('&sort=year:asc')).results)).toEqual([2, 12, 1, 11])
    expect(ids((await list('&sort=year:desc&offset=1&limit=2')).results)).toEqual([1, 12])
    expect(await list('&sort=year:desc&offset=3&limit=9&fields=id&filter=year>1900')).toEqual({
      results: [],
      offset: 3,
      limit: 9,
      total: 3,
    })
    const { json } = await here.send('POST', '/indexes/books/documents/fetch', {
      body: { useNetwork: true, ids: [1, '12'], fields: ['id'], sort: ['year:asc'] },
    })
    expect([json.results, json.total]).toEqual([[{ id: 12 }, { id: 1 }], 2])
  })

  test('stay here unless they are asked for', async () => {
    const { json } = await here.send('GET', '/indexes/books/documents?useNetwork=false')
    expect([ids(json.results), Object.keys(json)]).toEqual([
      [1, 2],
      ['results', 'offset', 'limit', 'total'],
    ])
  })

  test('tell of servers that failed', async () => {
    odd.answers(says(500, ''))
    await here.send('PATCH', '/network', { body: { remotes: { odd: { url: odd.url } } } })
    const failing = await list('')
    odd.answers(says(200, { results: [{ id: 99 }], total: 1 }))
    const incomplete = await list('')
    await here.send('PATCH', '/network', { body: { remotes: { odd: null } } })
    expect([ids(failing.results), failing.remoteErrors.odd.code]).toEqual([[1, 2, 11, 12], 'remote_remote_error'])
    expect([ids(incomplete.results), incomplete.remoteErrors.odd.code]).toEqual([[1, 2, 11, 12], 'remote_bad_response'])
  })

  describe('with shards', () => {
    const documents = [{ id: 1 }, { id: 2 }]
    const shards = (change: object | null) => here.send('PATCH', '/network', { body: { shards: change } })
    const copies = async () => (await here.send('GET', '/indexes/copies/documents?useNetwork=true')).json
    beforeAll(async () => {
      for (const server of [here, there]) await server.add('copies', documents)
      return () => shards(null)
    })

    test('21.10 L179: have the documents of a shard that several remotes hold once', async () => {
      await shards({ both: { remotes: ['here', 'there'] } })
      expect(await copies()).toEqual({ results: documents, offset: 0, limit: 20, total: 2 })
      await shards({ both: null, mine: { remotes: ['here'] }, theirs: { remotes: ['there'] } })
      expect((await copies()).total).toBe(4)
    })

    test('come from another owner while one is away', async () => {
      odd.answers(says(500, ''))
      await here.send('PATCH', '/network', { body: { remotes: { odd: { url: odd.url } }, shards: null } })
      await shards({ both: { remotes: ['odd', 'there'] }, mine: { remotes: ['here'] } })
      const failing = await copies()
      expect([failing.total, failing.remoteErrors.odd.code]).toEqual([2, 'remote_remote_error'])
      expect(await copies()).toMatchObject({ total: 4, results: [...documents, ...documents] })
      await here.send('PATCH', '/network', { body: { remotes: { odd: null } } })
    })
  })

  test('are refused as other lists are', async () => {
    const { json } = await here.send('GET', '/indexes/books/documents?useNetwork=true&sort=title:asc')
    expect(json.code).toBe('invalid_document_sort')
  })
})
