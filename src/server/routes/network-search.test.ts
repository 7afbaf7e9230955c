import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutbound } from '../../outbound/index.js'
import { type IndexServer, startIndexServer } from '../index-server.cases.js'

/** This server, a second one, and a third that plays all that can go wrong. */
let here: IndexServer
let there: IndexServer
let odd: OddServer

interface Seen {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any
}

interface OddServer {
  readonly url: string
  /** What it was asked since the last `answers`. */
  readonly seen: Seen[]
  /** Answers one after the other, the last one again and again. */
  answers(...listeners: RequestListener[]): void
}

const cleanups: (() => void)[] = []
afterAll(() => {
  for (const cleanup of cleanups) cleanup()
})

async function startOddServer(): Promise<OddServer> {
  const seen: Seen[] = []
  let left: RequestListener[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    seen.push({ path: request.url, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
    const answer = left.length > 1 ? left.shift()! : left[0]!
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const answers = (...listeners: RequestListener[]) => {
    seen.length = 0
    left = listeners
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, answers }
}

const says =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
const hit = (id: number, score: number, more: object = {}) => ({
  id,
  _federation: {
    indexUid: 'books',
    queriesPosition: 0,
    weightedRankingScore: score,
    weightedScoreValues: [{ weightedScore: score }],
    ...more,
  },
})
const page = (...hits: object[]) => ({
  hits,
  processingTimeMs: 7,
  limit: 20,
  offset: 0,
  estimatedTotalHits: hits.length,
})
const close: RequestListener = (request) => request.socket.destroy()
const silent: RequestListener = () => {}

const SETTINGS = { filterableAttributes: ['color', 'year'], sortableAttributes: ['year'] }

beforeAll(async () => {
  const outbound = createOutbound({ networks: 'any', userAgent: 'test' })
  cleanups.push(() => void outbound.close())
  ;[here, there, odd] = await Promise.all([
    startIndexServer({ context: { outbound } }),
    startIndexServer(),
    startOddServer(),
  ])
  for (const server of [here, there]) {
    await server.context.features.change({ network: true })
    await server.done('PATCH', '/indexes/books/settings', { body: SETTINGS })
  }
  await here.add('books', [
    { id: 1, title: 'Dune', color: 'Red', year: 1965 },
    { id: 2, title: 'Emma', color: 'green', year: 1815 },
  ])
  await there.add('books', [
    { id: 11, title: 'Dune Messiah', color: 'red', year: 1969, secret: 'sand' },
    { id: 12, title: 'Solaris', color: 'blue', year: 1961 },
  ])
  const { json: key } = await there.send('POST', '/keys', {
    body: { actions: ['search'], indexes: ['*'], expiresAt: null },
  })
  const remotes = {
    here: { url: `http://127.0.0.1:${here.port}` },
    there: { url: `http://127.0.0.1:${there.port}/ignored?too`, searchApiKey: key.key },
  }
  const { status, text } = await here.send('PATCH', '/network', { body: { self: 'here', remotes } })
  expect([status, text]).toEqual([200, expect.any(String)])
})

const federated = (queries: object[], federation: object = {}, server = here) =>
  server.send('POST', '/multi-search', { body: { queries, federation } })
const at = (remote: string, more: object = {}) => ({ indexUid: 'books', federationOptions: { remote }, ...more })
const ids = (hits: { id: number }[]) => hits.map(({ id }) => id)

describe('queries that name a remote', () => {
  test('are run there, and their hits say so', async () => {
    const { status, json } = await federated([at('here', { q: 'dune' }), at('there', { q: 'dune' })])
    expect(status).toBe(200)
    expect(json.hits).toEqual([
      {
        id: 1,
        title: 'Dune',
        color: 'Red',
        year: 1965,
        _federation: { indexUid: 'books', queriesPosition: 0, weightedRankingScore: 1, remote: 'here' },
      },
      {
        id: 11,
        title: 'Dune Messiah',
        color: 'red',
        year: 1969,
        secret: 'sand',
        _federation: {
          indexUid: 'books',
          queriesPosition: 1,
          weightedRankingScore: expect.any(Number),
          remote: 'there',
        },
      },
    ])
    expect(json).toMatchObject({ estimatedTotalHits: 2, remoteErrors: {} })
    expect(Object.keys(json).slice(-2)).toEqual(['requestUid', 'remoteErrors'])
  })

  test('may name this server', async () => {
    const { json } = await federated([at('here')])
    expect([ids(json.hits), json.hits[0]._federation.remote, json.remoteErrors]).toEqual([[1, 2], 'here', {}])
  })

  test('are merged by sorts and pages like all others', async () => {
    const sort = ['year:asc']
    const { json } = await federated([at('here', { sort }), at('there', { sort })], { page: 2, hitsPerPage: 2 })
    expect(ids(json.hits)).toEqual([1, 11])
    expect(json).toMatchObject({ page: 2, hitsPerPage: 2, totalPages: 2, totalHits: 4 })
    const offset = await federated([at('here', { sort }), at('there', { sort })], { offset: 1, limit: 2 })
    expect(ids(offset.json.hits)).toEqual([12, 1])
  })

  test('have facets, added up with those from here', async () => {
    const queries = [at('here'), at('there')]
    const byIndex = await federated(queries, { facetsByIndex: { books: ['year', 'color'] } })
    expect(byIndex.json.facetsByIndex).toEqual({
      books: {
        distribution: {
          color: { Red: 1, blue: 1, green: 1, red: 1 },
          year: { 1815: 1, 1961: 1, 1965: 1, 1969: 1 },
        },
        stats: { year: { min: 1815, max: 1969 } },
      },
    })
    const merged = await federated(queries, {
      facetsByIndex: { books: ['year'] },
      mergeFacets: { maxValuesPerFacet: 1 },
    })
    expect(merged.json.facetDistribution).toEqual({ year: { 1815: 1 } })
    const remoteOnly = await federated([at('there')], { facetsByIndex: { books: ['year'] } })
    expect(remoteOnly.json.facetsByIndex.books.distribution).toEqual({ year: { 1961: 1, 1969: 1 } })
  })

  test('lose hits whose distinct value another server has', async () => {
    const { json } = await federated([at('here'), at('there', { attributesToRetrieve: ['id'] })], {
      distinct: 'color',
      facetsByIndex: { books: ['year'] },
    })
    expect(ids(json.hits)).toEqual([1, 2, 12])
    expect(json.estimatedTotalHits).toBe(3)
    expect(json.facetsByIndex.books.distribution).toEqual({ year: { 1815: 1, 1961: 1, 1965: 1 } })
  })

  test('have metadata with the name of the remote', async () => {
    const { json } = await here.send('POST', '/multi-search', {
      body: { queries: [at('there', { q: 'a' }), { indexUid: 'books' }], federation: {} },
      headers: { 'Meili-Include-Metadata': 'true' },
    })
    const queryUid = expect.any(String)
    expect(json.metadata).toEqual([
      { query: 'a', queryUid, indexUid: 'books', primaryKey: 'id', remote: 'there' },
      { queryUid, indexUid: 'books', primaryKey: 'id', remote: 'here' },
    ])
  })

  test.each<[object, string]>([
    [at('nowhere'), 'invalid_multi_search_remote'],
    [at('there', { useNetwork: true }), 'invalid_multi_search_federation_options'],
  ])('%j is %s', async (query, code) => {
    const { status, json } = await federated([{ indexUid: 'books' }, query])
    expect([status, json.code]).toEqual([400, code])
    expect(json.message).toContain('`.queries[1]`')
  })
})

describe('searches of the whole network', () => {
  test('find the documents of all servers', async () => {
    const { json } = await here.send('POST', '/indexes/books/search', {
      body: { q: 'dune', useNetwork: true, facets: ['year'], showRankingScore: true },
    })
    expect(json.hits.map(({ id, _federation }: { id: number; _federation: object }) => [id, _federation])).toEqual([
      [1, { indexUid: 'books', queriesPosition: 0, weightedRankingScore: 1, remote: 'here' }],
      [11, { indexUid: 'books', queriesPosition: 0, weightedRankingScore: expect.any(Number), remote: 'there' }],
    ])
    expect(Object.keys(json)).toEqual([
      'hits',
      'query',
      'processingTimeMs',
      'limit',
      'offset',
      'estimatedTotalHits',
      'facetDistribution',
      'facetStats',
      'requestUid',
      'remoteErrors',
    ])
    expect(json).toMatchObject({
      query: 'dune',
      estimatedTotalHits: 2,
      facetDistribution: { year: { 1965: 1, 1969: 1 } },
      facetStats: { year: { min: 1965, max: 1969 } },
      remoteErrors: {},
    })
  })

  test('come from every route of searches', async () => {
    const { json: get } = await here.send('GET', '/indexes/books/search?useNetwork=true')
    expect(ids(get.hits)).toEqual([1, 2, 11, 12])
    const queries = [{ indexUid: 'books', useNetwork: true, limit: 3 }, { indexUid: 'books' }]
    const { json: multi } = await here.send('POST', '/multi-search', { body: { queries } })
    expect(multi.results.map(({ hits }: { hits: { id: number }[] }) => ids(hits))).toEqual([
      [1, 2, 11],
      [1, 2],
    ])
    expect(multi.results[0]).toHaveProperty('remoteErrors', {})
    expect(multi.results[1]).not.toHaveProperty('remoteErrors')
    const { json: one } = await federated([
      { indexUid: 'books', useNetwork: true },
      { indexUid: 'books', q: 'emma' },
    ])
    expect(ids(one.hits)).toEqual([2, 1, 11, 12])
  })

  test('made at the same time are not mixed up', async () => {
    const words = ['dune', 'emma', 'solaris', 'messiah', 'dune', 'emma']
    const answers = await Promise.all(
      words.map((q) => here.send('POST', '/indexes/books/search', { body: { q, useNetwork: true } })),
    )
    expect(answers.map(({ json }) => [json.query, ids(json.hits)])).toEqual([
      ['dune', [1, 11]],
      ['emma', [2]],
      ['solaris', [12]],
      ['messiah', [11]],
      ['dune', [1, 11]],
      ['emma', [2]],
    ])
  })

  test('stay here when they say so', async () => {
    const { json } = await here.send('POST', '/indexes/books/search', { body: { useNetwork: false } })
    expect(ids(json.hits)).toEqual([1, 2])
    expect(json).not.toHaveProperty('remoteErrors')
    expect(json.hits[0]).not.toHaveProperty('_federation')
  })

  test('make the distinct attribute of a query that of all', async () => {
    const query = { indexUid: 'books', useNetwork: true, distinct: 'color' }
    expect(ids((await federated([query])).json.hits)).toEqual([1, 2, 12])
    const { status, json } = await federated([query, { indexUid: 'books', distinct: 'year' }])
    expect([status, json.code]).toEqual([400, 'invalid_multi_search_distinct'])
  })

  test.each([['search'], ['facet-search']])(
    'say what is wrong with a filter even when nobody is asked: %s',
    async (route) => {
      const server = await startIndexServer()
      await server.done('POST', '/indexes', { body: { uid: 'books' } })
      await server.send('PATCH', '/experimental-features', { body: { network: true } })
      const body = {
        filter: [[{ x: 'nope' }]],
        useNetwork: true,
        ...(route === 'search' ? {} : { facetName: 'color' }),
      }
      const { status, json } = await server.send('POST', `/indexes/books/${route}`, { body })
      expect([status, json.code]).toEqual([400, 'invalid_search_filter'])
    },
  )

  test('find facet values everywhere', async () => {
    const { json } = await here.send('POST', '/indexes/books/facet-search', {
      body: { facetName: 'color', facetQuery: 'r', useNetwork: true, filter: 'year > 1900' },
    })
    expect(json).toEqual({
      facetHits: [
        { value: 'Red', count: 1 },
        { value: 'red', count: 1 },
      ],
      facetQuery: 'r',
      processingTimeMs: expect.any(Number),
      remoteErrors: {},
    })
  })

  test('are told that an index does not exist, as other searches are', async () => {
    const { status, json } = await here.send('POST', '/indexes/missing/search', { body: { useNetwork: true } })
    expect([status, json.code]).toEqual([404, 'index_not_found'])
    expect(json.message).not.toContain('queries')
  })

  test('of a server without a network find nothing', async () => {
    const { json } = await there.send('POST', '/indexes/books/search', { body: { useNetwork: true } })
    expect(json).toMatchObject({ hits: [], estimatedTotalHits: 0 })
    expect(json).not.toHaveProperty('remoteErrors')
  })
})

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
    const hurried = await startIndexServer({ desk: { remoteTimeoutMs: 300 } })
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
    const strict = await startIndexServer({ desk: { networks: [] } })
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

  test('are refused as other lists are', async () => {
    const { json } = await here.send('GET', '/indexes/books/documents?useNetwork=true&sort=title:asc')
    expect(json.code).toBe('invalid_document_sort')
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
