import type { RequestListener } from 'node:http'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'
import { at, close, hit, ids, type OddServer, openNetwork, page, says, silent } from './network-servers.fixture.js'

let here: IndexServer
let there: IndexServer
let odd: OddServer

beforeAll(async () => {
  ;({ here, there, odd } = await openNetwork())
})

const federated = (queries: object[], federation: object = {}, server = here) =>
  server.send('POST', '/multi-search', { body: { queries, federation } })

describe('what other servers are sent', () => {
  const withOdd = async (run: () => Promise<void>, more: object = {}) => {
    await here.send('PATCH', '/network', { body: { remotes: { odd: { url: `${odd.url}/path`, ...more } } } })
    try {
      await run()
    } finally {
      await here.send('PATCH', '/network', { body: { remotes: { odd: null } } })
    }
  }

  test('is a federated search from the first hit on', async () => {
    odd.answers(says(200, page()))
    await withOdd(
      async () => {
        const query = at('odd', {
          q: 'x',
          filter: ['a = 1', ['b = 2', 'c = d']],
          sort: ['a:asc'],
        })
        const { json } = await federated(
          [{ indexUid: 'books' }, { ...query, federationOptions: { remote: 'odd', weight: 2 } }],
          {
            offset: 3,
            limit: 4,
            facetsByIndex: { books: ['color'] },
            mergeFacets: {},
          },
        )
        expect(json.remoteErrors).toEqual({})
      },
      { searchApiKey: 'secret' },
    )
    const [asked] = odd.seen
    expect(odd.seen).toHaveLength(1)
    expect(asked).toMatchObject({
      path: '/multi-search',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json', 'meili-proxy-search': 'true' },
    })
    expect(asked!.headers).not.toHaveProperty('meili-include-metadata')
    expect(asked!.body.federation).toEqual({ limit: 7, offset: 0, facetsByIndex: { books: ['color'] } })
    const [query] = asked!.body.queries
    expect(query).toMatchObject({
      indexUid: 'books',
      q: 'x',
      sort: ['a:asc'],
      federationOptions: { weight: 2, queryPosition: 1 },
    })
    expect(query.filter).toBe('"a" = "1" AND ("b" = "2" OR "c" = "d")')
    for (const absent of [
      'limit',
      'offset',
      'facets',
      'useNetwork',
      'personalize',
      'showPerformanceDetails',
      'distinct',
    ]) {
      expect(query).not.toHaveProperty(absent)
    }
  })

  test('has the filter of the tenant token in it', async () => {
    const { json: key } = await here.send('POST', '/keys', {
      body: { actions: ['search'], indexes: ['*'], expiresAt: null },
    })
    const searchRules = { books: { filter: 'year > 1900' } }
    const token = new SignJWT({ apiKeyUid: key.uid, searchRules }).setProtectedHeader({ alg: 'HS256' })
    const signed = await token.sign(Buffer.from(key.key))
    odd.answers(says(200, page()))
    await withOdd(async () => {
      const queries = [at('odd', { filter: 'color = red' }), at('here')]
      const { json } = await here.send('POST', '/multi-search', { body: { queries, federation: {} }, key: signed })
      expect(ids(json.hits)).toEqual([1])
    })
    expect(odd.seen[0]!.body.queries[0].filter).toBe('"color" = "red" AND "year" > "1900"')
  })

  test.each<[object, object]>([
    [
      { page: 3, hitsPerPage: 2 },
      { page: 1, hitsPerPage: 6 },
    ],
    [{ page: 0 }, { page: 0, hitsPerPage: 20 }],
    [{ hitsPerPage: 2 }, { page: 1, hitsPerPage: 2 }],
  ])('for %j is %j', async (federation, sent) => {
    odd.answers(says(200, { ...page(), totalHits: 0 }))
    await withOdd(async () => void (await federated([at('odd')], federation)))
    expect(odd.seen[0]!.body.federation).toEqual({ ...sent, facetsByIndex: {} })
  })
})

describe('a server that does not play along', () => {
  const errorsOf = async (server: IndexServer) => {
    await server.send('PATCH', '/network', { body: { self: 'here', remotes: { odd: { url: odd.url } } } })
    const { status, json } = await federated([{ indexUid: 'books', q: 'dune' }, at('odd')], {}, server)
    await server.send('PATCH', '/network', { body: { remotes: { odd: null } } })
    expect(status).toBe(200)
    return { local: ids(json.hits).includes(1), error: json.remoteErrors.odd, hits: json.hits, asked: odd.seen.length }
  }

  test.each<[string, RequestListener, string, number]>([
    ['closes the connection', close, 'remote_could_not_send_request', 4],
    ['fails', says(500, 'oops'), 'remote_remote_error', 4],
    ['answers with a page for people', says(200, '<html>'), 'remote_bad_response', 4],
    ['answers another question', says(200, { results: [] }), 'remote_bad_response', 4],
    ['redirects', says(302, ''), 'remote_bad_response', 4],
    ['forgets what hits are compared by', says(200, page({ id: 1 })), 'remote_bad_response', 1],
    [
      'has hits with values of unknown kinds',
      says(200, page(hit(1, 1, { weightedScoreValues: [{ x: 1 }] }))),
      'remote_bad_response',
      1,
    ],
    ['wants another key', says(403, '{}'), 'remote_invalid_api_key', 1],
    ['wants a key', says(401, '{}'), 'remote_invalid_api_key', 1],
    ['does not like the request', says(400, '{"code":"x"}'), 'remote_bad_request', 1],
  ])('%s', async (_name, answer, code, attempts) => {
    odd.answers(answer)
    const { local, error, asked } = await errorsOf(here)
    expect([local, error.code, asked]).toEqual([true, code, attempts])
    expect(Object.keys(error)).toEqual(['message', 'code', 'type', 'link'])
    expect(error.message).toContain('`odd`')
  })

  test('is forgiven when it works the next time', async () => {
    odd.answers(says(503, ''), close, says(200, page(hit(99, 2))))
    const { error, hits } = await errorsOf(here)
    expect(error).toBeUndefined()
    expect(hits[0]).toEqual({
      id: 99,
      _federation: { indexUid: 'books', queriesPosition: 0, weightedRankingScore: 2, remote: 'odd' },
    })
  })

  test('says why it refused', async () => {
    odd.answers(says(400, 'no such index'))
    expect((await errorsOf(here)).error).toMatchObject({
      message: expect.stringMatching(/400.*no such index/),
      type: 'invalid_request',
    })
  })

  test('is not waited for longer than agreed, and others are answered meanwhile', async () => {
    const hurried = await startIndexServer({ executor: { remoteTimeoutMs: 300 } })
    await hurried.context.features.change({ network: true })
    await hurried.add('books', [{ id: 1, title: 'Dune' }])
    const order: string[] = []
    odd.answers(silent)
    const slow = errorsOf(hurried).finally(() => order.push('slow'))
    while (odd.seen.length === 0) await hurried.send('GET', '/health')
    const { json } = await hurried.send('POST', '/indexes/books/search', { body: { q: 'dune' } })
    order.push('fast')
    const { local, error, asked } = await slow
    expect([ids(json.hits), order]).toEqual([[1], ['fast', 'slow']])
    expect([local, error.code, error.type, asked]).toEqual([true, 'remote_timeout', 'system', 1])
  })

  test('is not called on an address that is not allowed', async () => {
    const strict = await startIndexServer({ executor: { networks: [] } })
    await strict.context.features.change({ network: true })
    await strict.add('books', [{ id: 1, title: 'Dune' }])
    odd.answers(says(200, page()))
    const { error, asked } = await errorsOf(strict)
    expect([error.code, asked]).toEqual(['remote_could_not_send_request', 0])
  })

  test('with a URL that cannot be called is an error of the network', async () => {
    await here.send('PATCH', '/network', { body: { remotes: { mail: { url: 'mailto:a@b' } } } })
    const { json } = await federated([{ indexUid: 'books' }, at('mail')])
    await here.send('PATCH', '/network', { body: { remotes: { mail: null } } })
    expect([ids(json.hits), json.remoteErrors.mail.code]).toEqual([[1, 2], 'invalid_network_url'])
  })

  test('rests for a while where shards could be had elsewhere', async () => {
    odd.answers(says(500, ''))
    const remotes = { odd: { url: odd.url } }
    await here.send('PATCH', '/network', { body: { remotes, shards: { s: { remotes: ['odd'] } } } })
    await federated([at('odd')])
    const { json } = await here.send('GET', '/network')
    expect([json.remotes.odd.status, json.remotes.there.status]).toEqual(['unavailable', 'available'])
    await here.send('PATCH', '/network', { body: { remotes: { odd: null } } })
  })

  test('does not help a search that fails here', async () => {
    odd.answers(silent)
    await here.send('PATCH', '/network', { body: { remotes: { odd: { url: odd.url } } } })
    const { status, json } = await federated([{ indexUid: 'missing' }, at('odd')])
    await here.send('PATCH', '/network', { body: { remotes: { odd: null } } })
    expect([status, json.code]).toEqual([400, 'index_not_found'])
  })
})

describe('answering another server', () => {
  const proxied = (server: IndexServer, queries: object[], federation: object = {}) =>
    server.send('POST', '/multi-search', { body: { queries, federation }, headers: { 'Meili-Proxy-Search': 'true' } })

  test('hits carry what they are compared by', async () => {
    const query = { indexUid: 'books', q: 'dune', sort: ['year:desc'], attributesToRetrieve: ['id'] }
    const { json } = await proxied(there, [{ ...query, federationOptions: { weight: 0.5, queryPosition: 6 } }], {
      distinct: 'color',
      facetsByIndex: { books: ['year'] },
    })
    expect(json.hits).toEqual([
      {
        id: 11,
        _federation: {
          indexUid: 'books',
          queriesPosition: 6,
          weightedRankingScore: expect.any(Number),
          weightedScoreValues: [
            { weightedScore: expect.any(Number) },
            { sort: { asc: false, value: 1969 } },
            { weightedScore: expect.any(Number) },
          ],
          extra_document: { color: 'red', year: 1969 },
        },
      },
    ])
  })

  test('hits hand over the values that merging compares, and nothing beside them', async () => {
    await there.done('PATCH', '/indexes/hidden/settings', {
      body: {
        displayedAttributes: ['id'],
        filterableAttributes: ['meta.color', 'maker.country', 'tags'],
        sortableAttributes: ['meta.year'],
      },
    })
    const meta = { color: 'Red', year: 1969, price: 'hidden price' }
    const maker = [{ country: 'fr', name: 'hidden name' }, { country: 'de' }]
    await there.add('hidden', [{ id: 1, meta, maker, tags: { a: ['x', 'y'], b: true }, 'meta.note': 'hidden note' }])
    const query = { indexUid: 'hidden', sort: ['meta.year:asc'] }
    const federation = { distinct: 'meta.color', facetsByIndex: { hidden: ['maker.country', 'tags'] } }
    const { json, text } = await proxied(there, [query], federation)
    expect(json.hits[0]._federation).toMatchObject({
      weightedScoreValues: expect.arrayContaining([{ sort: { asc: true, value: 1969 } }]),
      extra_document: { 'meta.color': 'red', 'maker.country': ['de', 'fr'], 'tags.a': ['x', 'y'], 'tags.b': 'true' },
    })
    expect(json.hits[0]).toEqual({ id: 1, _federation: expect.anything() })
    expect(text).not.toContain('hidden ')
  })

  test('objects cannot be had by the name that contains something filterable', async () => {
    const { status, json } = await proxied(there, [{ indexUid: 'hidden' }], { distinct: 'meta' })
    expect([status, json.code]).toEqual([400, 'invalid_search_distinct'])
  })

  test('errors name the place that the query has there', async () => {
    const { json } = await proxied(there, [{ indexUid: 'missing', federationOptions: { queryPosition: 6 } }])
    expect(json.message).toContain('`.queries[6]`')
  })

  test('needs the feature', async () => {
    const other = await startIndexServer()
    const { status, json } = await proxied(other, [])
    expect([status, json.code]).toEqual([400, 'feature_not_enabled'])
  })
})
