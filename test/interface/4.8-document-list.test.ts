/** Section 4.8 of the interface document, line by line: GET /indexes/{index_uid}/documents. */
import { beforeAll, expect, test } from 'vitest'
import { done } from '../filled-server.js'
import type { TestServer } from '../server.js'
import { ANONYMOUS, startGuarded } from './walk.js'

let server: TestServer

const FILMS = Array.from({ length: 25 }, (_, i) => ({ id: 25 - i, title: `Film ${25 - i}`, year: 1990 + (i % 3) }))

interface List {
  readonly results: Record<string, unknown>[]
  readonly limit: number
  readonly offset: number
  readonly total: number
}

const list = (query = '') => server.request<List>('GET', `/indexes/films/documents${query}`)
const ids = async (query = '') => (await list(query)).body.results.map(({ id }) => id)
const codeOf = async (query: string) => (await server.request('GET', `/indexes/films/documents${query}`)).body.code

beforeAll(async () => {
  server = await startGuarded()
  const embedders = { mine: { source: 'userProvided', dimensions: 2 } }
  const settings = { filterableAttributes: ['year'], sortableAttributes: ['year', 'id'], embedders }
  await done(server, 'PATCH', '/indexes/films/settings', settings)
  await done(
    server,
    'POST',
    '/indexes/films/documents',
    FILMS.map((film) => ({ ...film, _vectors: { mine: [1, film.id] } })),
  )
})

test('L164, L165: the route is deprecated, and documents/fetch takes filters as arrays', async () => {
  const { body } = await server.request<{ paths: Record<string, { get: object }> }>('GET', '/openapi.json')
  const [route] = Object.keys(body.paths).filter((path) => /^\/indexes\/\{\w+\}\/documents$/.test(path))
  expect(body.paths[route ?? '']?.get).toMatchObject({ deprecated: true })
  const fetched = await server.request('POST', '/indexes/films/documents/fetch', { filter: ['year = 1990'] })
  expect(fetched).toMatchObject({ status: 200, body: { total: 9 } })
})

test('L166: documents come in the order of their arrival', async () => {
  expect(await ids('?limit=3')).toEqual([25, 24, 23])
})

test('L167: the index is named by its uid', async () => {
  expect(await server.request('GET', '/indexes/a b/documents'.replace(' ', '%20'))).toMatchObject({
    status: 400,
    body: { code: 'invalid_index_uid' },
  })
})

test('L168: without parameters it answers the defaults', async () => {
  expect(await list()).toMatchObject({ status: 200, body: { offset: 0, limit: 20, total: 25 } })
})

test('L172: offset skips documents', async () => {
  expect(await ids('?offset=23')).toEqual([2, 1])
  expect(await codeOf('?offset=-1')).toBe('invalid_document_offset')
})

test('L173: limit bounds the documents', async () => {
  expect(await ids('?limit=2')).toEqual([25, 24])
  expect(await ids('?limit=0')).toEqual([])
  expect(await codeOf('?limit=-1')).toBe('invalid_document_limit')
})

test('L174: fields chooses attributes, * means all', async () => {
  const first = async (query: string) => (await list(`?limit=1&${query}`)).body.results[0]
  expect(await first('fields=id,year')).toEqual({ id: 25, year: 1990 })
  expect(await first('fields=*')).toEqual(FILMS[0])
  expect(await first('')).toEqual(FILMS[0])
})

test('L175: retrieveVectors includes embeddings', async () => {
  const { body } = await list('?limit=1&retrieveVectors=true')
  expect(body.results[0]).toHaveProperty('_vectors.mine')
  expect((await list('?limit=1')).body.results[0]).not.toHaveProperty('_vectors')
})

test('L176: ids chooses documents', async () => {
  expect((await ids('?ids=3,7,999')).sort()).toEqual([3, 7])
})

test('L177: filter is an expression in a string, on filterable attributes', async () => {
  expect((await list('?filter=year%20%3D%201990')).body.total).toBe(9)
  expect(await codeOf(`?filter=${encodeURIComponent('["year = 1990"]')}`)).toBe('invalid_document_filter')
  expect(await codeOf('?filter=title%20%3D%20x')).toBe('invalid_document_filter')
})

test('L178: sort names attributes and directions', async () => {
  expect(await ids('?limit=3&sort=year:desc,id:asc')).toEqual([2, 5, 8])
  expect(await codeOf('?sort=year:upwards')).toBe('invalid_document_sort')
})

test('L179: useNetwork needs the feature, and without a network answers from here', async () => {
  expect(await codeOf('?useNetwork=true')).toBe('feature_not_enabled')
  await server.request('PATCH', '/experimental-features', { network: true })
  for (const value of ['true', 'false', 'null', ''])
    expect((await list(`?useNetwork=${value}`)).body).toMatchObject({ total: 25 })
  const { body } = await server.request('GET', '/indexes/none/documents?useNetwork=true')
  expect(body.code).toBe('index_not_found')
})

test('L181: the list, or the error that the document names', async () => {
  expect(Object.keys((await list()).body).sort()).toEqual(['limit', 'offset', 'results', 'total'])
  const anonymous = await server.request('GET', '/indexes/films/documents', undefined, ANONYMOUS)
  expect(anonymous.body).toMatchObject({ code: 'missing_authorization_header', type: 'auth' })
  const missing = await server.request('GET', '/indexes/none/documents')
  expect(missing.body).toMatchObject({ code: 'index_not_found', type: 'invalid_request' })
})
