import { beforeAll, describe, expect, test, vi } from 'vitest'
import { SearchQueue } from '../../searching/index.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer
const first = { id: 1, name: 'a', nested: { content: 'x', more: 'y' }, c: [1, { t: 2, m: 3 }, { m: 4 }], 'd.e': 1 }
const second = { id: 2, name: 'b', c: 5 }

beforeAll(async () => {
  server = await startIndexServer()
  await server.add('docs', [first, second])
})

const get = async (path: string) => (await server.send('GET', `/indexes/docs/documents${path}`)).json
const fetched = async (body: object, index = 'docs') =>
  (await server.send('POST', `/indexes/${index}/documents/fetch`, { body })).json
const codeOf = (query: string, index = 'docs') => server.codeOf('GET', `/indexes/${index}/documents${query}`)
const fetchCode = (body: object | string, index = 'docs') =>
  server.codeOf('POST', `/indexes/${index}/documents/fetch`, {
    body,
    headers: { 'content-type': 'application/json' },
  })

describe('one document', () => {
  test.each<[string, unknown]>([
    ['/1', first],
    ['/1?fields=*', first],
    ['/1?fields=id,*', first],
    ['/1?fields=id', { id: 1 }],
    ['/1?fields=nested.content,id', { id: 1, nested: { content: 'x' } }],
    ['/1?fields=d.e', { 'd.e': 1 }],
    ['/1?fields=wrong', {}],
    ['/1?fields=', {}],
    ['/2?fields=c.t', {}],
    ['/1?fields=c.t', { c: [{ t: 2 }] }],
    ['/1?retrieveVectors=true&fields=name', { name: 'a', _vectors: {} }],
    ['/1?fields=_vectors', {}],
    ['/%31', first],
  ])('GET %s', async (path, document) => {
    expect(await get(path)).toEqual(document)
  })

  test.each([
    ['/1?useNetwork=false', 'bad_request'],
    ['/1?retrieveVectors=tamo', 'invalid_document_retrieve_vectors'],
    ['/3', 'document_not_found'],
    ['/not%20an%20id', 'document_not_found'],
  ])('GET %s is refused with %s', async (path, code) => {
    expect(await codeOf(path)).toBe(code)
  })

  test('a large document is shown the same way, by a search thread', async () => {
    // What cannot be packed into less.
    const large = {
      id: 9,
      text: Array.from({ length: 60_000 }, (_, i) => Math.sin(i)).join(' '),
      nested: { a: 1, b: 2 },
    }
    await server.add('large', [large])
    const run = vi.spyOn(server.context.searching, 'run')
    const show = async (query: string) => (await server.send('GET', `/indexes/large/documents/9${query}`)).json
    expect(await show('')).toEqual(large)
    expect(await show('?fields=nested.a')).toEqual({ nested: { a: 1 } })
    expect(await show('?fields=id&retrieveVectors=true')).toEqual({ id: 9, _vectors: {} })
    expect(run).toHaveBeenCalledTimes(3)
    run.mockRestore()
  })

  test('parameters come before the uid, the uid before the index', async () => {
    expect(await codeOf('/1?x=1', 'bad%20uid')).toBe('bad_request')
    expect(await codeOf('/1', 'bad%20uid')).toBe('invalid_index_uid')
    expect(await codeOf('/1', 'missing')).toBe('index_not_found')
    expect((await get('/3')).message).toContain('3')
  })
})

describe('lists', () => {
  test('displayed attributes do not matter here', async () => {
    await server.add('hidden', [{ id: 1, a: 2, b: 3 }])
    await server.done('PUT', '/indexes/hidden/settings/displayed-attributes', { body: ['a'] })
    expect(await server.list('hidden')).toEqual([{ id: 1, a: 2, b: 3 }])
    expect(await fetched({}, 'hidden')).toEqual({ results: [{ id: 1, a: 2, b: 3 }], offset: 0, limit: 20, total: 1 })
  })

  test.each<[string, string]>([
    ['?offset=', 'invalid_document_offset'],
    ['?offset=-1', 'invalid_document_offset'],
    ['?offset=doggo', 'invalid_document_offset'],
    ['?limit=1.5', 'invalid_document_limit'],
    ['?retrieveVectors=tamo', 'invalid_document_retrieve_vectors'],
    ['?ids=1,illegal/id', 'invalid_document_ids'],
    ['?sort=age', 'invalid_document_sort'],
    ['?filter=true', 'invalid_document_filter'],
    ['?filter=cool%20doggo', 'invalid_document_filter'],
    ['?useNetwork=1', 'bad_request'],
    ['?useNetwork=true', 'feature_not_enabled'],
    ['?doggo=1', 'bad_request'],
  ])('GET %s is refused with %s', async (query, code) => {
    expect(await codeOf(query)).toBe(code)
  })

  test.each<[object | string, string]>([
    ['null', 'bad_request'],
    [{ offset: 'x' }, 'invalid_document_offset'],
    [{ offset: null }, 'invalid_document_offset'],
    [{ limit: -1 }, 'invalid_document_limit'],
    [{ fields: 'name' }, 'invalid_document_fields'],
    [{ retrieveVectors: null }, 'invalid_document_retrieve_vectors'],
    [{ ids: 1 }, 'invalid_document_ids'],
    [{ ids: ['illegal/id'] }, 'invalid_document_ids'],
    [{ ids: [1, true] }, 'invalid_document_ids'],
    [{ ids: [1.5] }, 'invalid_document_ids'],
    [{ filter: true }, 'invalid_document_filter'],
    [{ filter: 'cool doggo' }, 'invalid_document_filter'],
    [{ filter: 'nofilter = 1' }, 'invalid_document_filter'],
    [{ sort: ['age'] }, 'invalid_document_sort'],
    [{ sort: ['age:asc'] }, 'invalid_document_sort'],
    [{ sort: 'age:asc' }, 'invalid_document_sort'],
    [{ sort: ['_geo:asc'] }, 'invalid_document_sort'],
    [{ sort: ['_geoPoint(91,0):asc'] }, 'invalid_document_sort'],
    [{ useNetwork: true }, 'feature_not_enabled'],
    [{ useNetwork: 1 }, 'bad_request'],
    [{ q: '' }, 'bad_request'],
  ])('fetching %j is refused with %s', async (body, code) => {
    expect(await fetchCode(body)).toBe(code)
  })

  test('a filter that is none is refused in a network of nobody too', async () => {
    const alone = await startIndexServer()
    await alone.send('PATCH', '/experimental-features', { body: { network: true } })
    await alone.add('docs', [first])
    const body = { filter: [[['id = 1']]], useNetwork: true }
    expect(await alone.codeOf('POST', '/indexes/docs/documents/fetch', { body })).toBe('invalid_document_filter')
  })

  test('21.10 L179: a server without a network is all of it', async () => {
    const alone = await startIndexServer()
    await alone.send('PATCH', '/experimental-features', { body: { network: true } })
    await alone.add('docs', [first, second])
    const get = (index: string, value: string) =>
      alone.send('GET', `/indexes/${index}/documents?useNetwork=${value}&fields=id`)
    const list = { results: [{ id: 1 }, { id: 2 }], offset: 0, limit: 20, total: 2 }
    for (const value of ['true', 'false', '', 'null']) expect((await get('docs', value)).json).toEqual(list)
    const { status, json } = await get('missing', 'true')
    expect([status, json.code]).toEqual([404, 'index_not_found'])
    const fetched = await alone.send('POST', '/indexes/docs/documents/fetch', {
      body: { useNetwork: true, fields: ['id'] },
    })
    expect(fetched.json).toEqual(list)
  })

  test('21.10 L179: no value of useNetwork, or null, is the default, whether there are networks or not', async () => {
    for (const value of ['', 'null']) expect(await get(`?useNetwork=${value}`)).toMatchObject({ total: 2 })
  })

  test('an index that is missing is seen after ids and the syntax of sort, before the filter', async () => {
    expect(await fetchCode({ ids: ['illegal/id'] }, 'missing')).toBe('invalid_document_ids')
    expect(await fetchCode({ sort: ['age'] }, 'missing')).toBe('invalid_document_sort')
    expect(await fetchCode({ filter: 'cool doggo' }, 'missing')).toBe('index_not_found')
    expect(await codeOf('', 'missing')).toBe('index_not_found')
  })

  test.each<[string, unknown[], number]>([
    ['?limit=1', [{ id: 1 }], 2],
    ['?offset=1', [{ id: 2 }], 2],
    ['?offset=5', [], 2],
    ['?limit=0', [], 2],
    ['?ids=2', [{ id: 2 }], 1],
    ['?ids=2,1,2,9', [{ id: 1 }, { id: 2 }], 2],
    ['?filter=', [{ id: 1 }, { id: 2 }], 2],
  ])('GET %s', async (query, results, total) => {
    expect(await get(`${query}&fields=id`)).toMatchObject({ results, total })
  })

  test.each<[object, unknown[], number]>([
    [{ ids: [2, '1', 42] }, [{ id: 1 }, { id: 2 }], 2],
    [{ ids: [] }, [], 0],
    [{ ids: null, filter: '', sort: null }, [{ id: 1 }, { id: 2 }], 2],
    [{ offset: 1, limit: 1 }, [{ id: 2 }], 2],
    [{ sort: [] }, [{ id: 1 }, { id: 2 }], 2],
  ])('fetching %j', async (body, results, total) => {
    expect(await fetched({ ...body, fields: ['id'] })).toMatchObject({ results, total })
  })

  test('names are taken literally by fetch, and vectors come last', async () => {
    const shown = async (body: object) => (await fetched({ ids: [1], ...body })).results[0]
    expect(await shown({ fields: ['*'] })).toEqual({})
    expect(await shown({ fields: [] })).toEqual({})
    expect(await shown({ fields: ['c.t'] })).toEqual({ c: [{ t: 2 }] })
    expect(await shown({ fields: null })).toEqual(first)
    expect(await shown({ fields: ['_vectors'] })).toEqual({})
    const withVectors = await server.send('POST', '/indexes/docs/documents/fetch', {
      body: { ids: [1], retrieveVectors: true, fields: ['name'] },
    })
    expect(withVectors.text).toContain('[{"name":"a","_vectors":{}}]')
  })

  test('vectors of no embedder are shown as they were sent', async () => {
    await server.add('vectors', [{ id: 1, _vectors: { mine: [1, 2] }, z: 1 }])
    expect((await server.send('GET', '/indexes/vectors/documents/1?retrieveVectors=true')).text).toBe(
      '{"id":1,"z":1,"_vectors":{"mine":[1,2]}}',
    )
    expect(await server.list('vectors')).toEqual([{ id: 1, z: 1 }])
  })
})

describe('filtered and sorted lists', () => {
  beforeAll(async () => {
    await server.done('PATCH', '/indexes/pets/settings', {
      body: {
        filterableAttributes: ['kind', { attributePatterns: ['age'], features: { filter: { comparison: false } } }],
        sortableAttributes: ['age', 'email', 'owner', '_geo', 'never'],
      },
    })
    await server.add('pets', [
      { id: 0, kind: 'dog', age: 3, email: 'b', _geo: { lat: 0, lng: 0.002 } },
      { id: 1, kind: 'cat', age: 1, email: 'B', owner: { name: 'z' } },
      { id: 2, kind: 'dog', age: 3, email: 'c', _geo: { lat: 0, lng: 0.001 } },
      { id: 3, kind: 'dog' },
      { id: 4, kind: 'cat', age: 'old', email: 'É', owner: { name: 'a' } },
      { id: 5, kind: 'cat', age: null, email: 'a' },
      { id: 6, kind: 'bat', age: [2, 'young', 9] },
    ])
  })

  const ids = async (body: object) => {
    const { results, total } = await fetched({ ...body, limit: 100 }, 'pets')
    return [results.map(({ id }: { id: number }) => id), total]
  }

  test.each<[object, number[], number]>([
    [{ filter: 'kind = DOG' }, [0, 2, 3], 3],
    [{ filter: ['kind = dog', ['age = 3', 'age = 1']] }, [0, 2], 2],
    [{ filter: 'kind = dog', ids: [3, 4] }, [3], 1],
    [{ sort: ['never:asc'] }, [0, 1, 2, 3, 4, 5, 6], 7],
    // Numbers, then strings, then those without; a null is counted but left out; one with both comes twice.
    [{ sort: ['age:asc'] }, [1, 6, 0, 2, 4, 6, 3], 7],
    [{ sort: ['age:desc'] }, [6, 0, 2, 1, 6, 4, 3], 7],
    [{ sort: ['age:asc', 'email:desc'] }, [1, 6, 2, 0, 4, 6, 3], 7],
    [{ sort: ['email:asc'] }, [5, 0, 1, 2, 4, 3, 6], 7],
    [{ sort: ['owner.name:asc'] }, [4, 1, 0, 2, 3, 5, 6], 7],
    [{ sort: ['_geoPoint(0,0):asc'] }, [2, 0, 1, 3, 4, 5, 6], 7],
    [{ sort: ['_geoPoint(0,0):desc', 'email:asc'] }, [0, 2, 5, 1, 4, 3, 6], 7],
    [{ sort: ['kind:asc'], filter: 'nofilter = 1' }, [], 0],
  ])('%j', async (body, expected, total) => {
    if (total === 0) expect(await fetchCode(body, 'pets')).toBe('invalid_document_filter')
    else expect(await ids(body)).toEqual([expected, total])
  })

  test('pages are cut out of the sorted list', async () => {
    const page = await fetched({ sort: ['age:asc'], offset: 1, limit: 2, fields: ['id'] }, 'pets')
    expect(page).toEqual({ results: [{ id: 6 }, { id: 0 }], offset: 1, limit: 2, total: 7 })
  })

  test('GET reads filter and sort as text', async () => {
    const got = async (query: string) =>
      (await server.send('GET', `/indexes/pets/documents?fields=id&${query}`)).json.results?.map(
        ({ id }: { id: number }) => id,
      )
    expect(await got('filter=kind%20%3D%20cat')).toEqual([1, 4, 5])
    expect(await got('sort=age:desc,%20email:desc&limit=4')).toEqual([6, 2, 0, 1])
    expect(await got(`sort=${encodeURIComponent('_geoPoint(0,0):asc,email:asc')}&limit=3`)).toEqual([2, 0, 5])
  })

  test.each(['[["kind = cat","kind = bat"]]', '["kind = cat"]', '[]', 'null', '5', '{"kind":"cat"}'])(
    '21.9 L177: the filter of GET documents is a string expression, not %s',
    async (filter) => {
      const { status, json } = await server.send('GET', `/indexes/pets/documents?filter=${encodeURIComponent(filter)}`)
      expect([status, json.code]).toEqual([400, 'invalid_document_filter'])
      expect(json.message).toContain('expected')
      if (filter.startsWith('[')) expect(json.message).toContain('documents/fetch')
    },
  )

  test('21.9 L177: an expression may be written as a JSON string', async () => {
    const { json } = await server.send('GET', `/indexes/pets/documents?filter=${encodeURIComponent('"kind = cat"')}`)
    expect(json.total).toBe(3)
  })

  test('an attribute that cannot be used is named', async () => {
    expect(await fetchCode({ sort: ['kind:asc'] }, 'pets')).toBe('invalid_document_sort')
    expect(await fetchCode({ filter: 'age > 1' }, 'pets')).toBe('invalid_search_filter')
    expect((await fetched({ sort: ['kind:asc'] }, 'pets')).message).toMatch(/kind.*age/)
    expect(await fetchCode({ sort: ['_geoPoint(0,0):asc'] })).toBe('invalid_document_sort')
  })
})

describe('lists wait among the searches', () => {
  const queue = new SearchQueue({ permits: 1, queueSize: 0, dropAfterMs: 60_000 })
  let busy: IndexServer

  beforeAll(async () => {
    busy = await startIndexServer({ context: { searchQueue: queue } })
    await busy.add('docs', [first, second])
  })

  const codes = async () => [
    await busy.codeOf('GET', '/indexes/docs/documents'),
    await busy.codeOf('POST', '/indexes/docs/documents/fetch', { body: {} }),
  ]

  test('with no place left the answer is 503 and says when to come again; a bad request is told so', async () => {
    const held = await queue.acquire()
    const { status, headers, json } = await busy.send('POST', '/indexes/docs/documents/fetch', { body: {} })
    expect([status, json.code, headers['retry-after']]).toEqual([503, 'too_many_search_requests', '10'])
    expect(await busy.codeOf('GET', '/indexes/docs/documents?limit=x')).toBe('invalid_document_limit')
    expect(await busy.codeOf('GET', '/indexes/docs/documents/1')).toBe(200)
    if (held.ok) held.value.release()
    expect(await codes()).toEqual([200, 200])
    expect(queue.running).toBe(0)
  })

  test('unless the feature says that they need not', async () => {
    const held = await queue.acquire()
    await busy.send('PATCH', '/experimental-features', { body: { disableDocumentsFetchQueue: true } })
    expect(await codes()).toEqual([200, 200])
    await busy.send('PATCH', '/experimental-features', { body: { disableDocumentsFetchQueue: false } })
    if (held.ok) held.value.release()
  })

  test('and are found by whoever searches, from the bytes that were sent', async () => {
    const run = vi.spyOn(busy.context.searching, 'run')
    await codes()
    expect(run.mock.calls.map(([{ kind, uid }]) => [kind, uid])).toEqual([
      ['listParameters', 'docs'],
      ['listBody', 'docs'],
    ])
    run.mockRestore()
  })
})
