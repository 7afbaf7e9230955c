import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer
beforeAll(async () => {
  server = await startIndexServer()
})

const namesOf = async (index: string): Promise<string[]> =>
  (await server.send('POST', `/indexes/${index}/fields`, { body: { limit: 1000 } })).json.results.map(
    ({ name }: { name: string }) => name,
  )
const search = async (index: string, body: object) =>
  (await server.send('POST', `/indexes/${index}/search`, { body })).json
const hitsOf = async (index: string, body: object) => (await search(index, body)).hits
const settle = (index: string, body: object) => server.done('PATCH', `/indexes/${index}/settings`, { body })

describe('nested names that no setting is about are known', () => {
  const document = { id: 4, title: 'x', obj: { name: 'a', deep: [{ er: [{ t: 'b' }] }, 7] }, _geo: { lat: 1, lng: 2 } }

  beforeAll(async () => {
    await settle('quiet', { searchableAttributes: ['title'] })
    await server.add('quiet', [document])
  })

  test('to the list of fields', async () => {
    expect(await namesOf('quiet')).toEqual([
      ...['_geo', '_geo.lat', '_geo.lng', 'id', 'obj', 'obj.deep', 'obj.deep.er', 'obj.deep.er.t', 'obj.name', 'title'],
    ])
  })

  test('to attributesToRetrieve', async () => {
    const retrieved = (names: string[]) => hitsOf('quiet', { attributesToRetrieve: names })
    expect(await retrieved(['id', 'obj.name'])).toEqual([{ id: 4, obj: { name: 'a' } }])
    expect(await retrieved(['obj.deep.er.t'])).toEqual([{ obj: { deep: [{ er: [{ t: 'b' }] }, 7] } }])
    expect(await retrieved(['_geo.lat'])).toEqual([{ _geo: { lat: 1 } }])
    expect(await retrieved(['id', 'obj.unknown', 'obj.*'])).toEqual([{ id: 4 }])
  })

  test('to highlighting and cropping', async () => {
    const formatted = async (body: object) =>
      (await hitsOf('quiet', { attributesToRetrieve: [], ...body }))[0]._formatted
    expect(await formatted({ attributesToHighlight: ['obj.name'] })).toEqual({ obj: { name: 'a' } })
    expect(await formatted({ attributesToCrop: ['obj.deep.er'] })).toEqual({ obj: { deep: [{ er: [{ t: 'b' }] }] } })
    expect(await formatted({ attributesToHighlight: ['obj.unknown'] })).toBeUndefined()
  })

  test('to displayedAttributes, whenever those are set', async () => {
    await settle('quiet', { displayedAttributes: ['id', 'obj.name', 'title'] })
    expect(await hitsOf('quiet', {})).toEqual([{ id: 4, title: 'x', obj: { name: 'a' } }])
    expect(await hitsOf('quiet', { q: 'x', attributesToRetrieve: ['obj.name'], showMatchesPosition: true })).toEqual([
      { obj: { name: 'a' }, _matchesPosition: { title: [{ start: 0, length: 1 }] } },
    ])
    await settle('quiet', { displayedAttributes: ['*'] })
  })

  test('when their documents are gone', async () => {
    await server.add('gone', [{ id: 1, a: { b: 1 } }])
    await server.done('DELETE', '/indexes/gone/documents')
    expect(await namesOf('gone')).toEqual(['a', 'a.b', 'id'])
  })
})

describe('names are not known before a document has them', () => {
  beforeAll(async () => {
    for (const index of ['twice', 'deleted'])
      await settle(index, { filterableAttributes: [{ attributePatterns: ['*'] }] })
  })

  test('at the end of a batch: a document that is replaced in it leaves its top-level names alone', async () => {
    await server.add('twice', [
      { id: 1, any: { k: 10 }, _geo: { lat: 1, lng: 2 } },
      { id: 1, more: { l: 1 } },
    ])
    expect(await namesOf('twice')).toEqual(['_geo', 'any', 'id', 'more', 'more.l'])
    expect((await search('twice', { facets: ['*'] })).facetDistribution).toEqual({
      _geo: {},
      any: {},
      id: { '1': 1 },
      more: {},
      'more.l': { '1': 1 },
    })
    await server.add('twice', [{ id: 2, any: { k: 10 } }])
    expect((await search('twice', { facets: ['any'] })).facetDistribution).toEqual({ any: {}, 'any.k': { '10': 1 } })
    expect((await search('twice', { filter: 'any.k = 10' })).hits).toHaveLength(1)
  })

  test('nor one that is deleted in it', async () => {
    const add = () =>
      server.send('POST', '/indexes/deleted/documents', { body: [{ id: 1, any: { k: 10 } }, { id: 2 }] })
    const remove = () => server.send('DELETE', '/indexes/deleted/documents/1')
    const [added, removed] = await server.together(async () => [await add(), await remove()])
    expect([added?.batchUid, added?.status]).toEqual([removed?.batchUid, 'succeeded'])
    expect(await namesOf('deleted')).toEqual(['any', 'id'])
  })

  test.each([
    ['no candidate for a primary key', '', [{ a: 1, b: { c: 2 } }]],
    [
      'a document without id',
      '',
      [
        { id: 1, b: 2 },
        { b: 2, c: 3 },
      ],
    ],
    ['another primary key', '?primaryKey=zz', [{ id: 1, b: 2 }]],
  ])('an addition that fails (%s) leaves none', async (_, query, documents) => {
    const index = `failed-${documents.length}${query.length}`
    expect((await server.add(index, documents, query)).status).toBe('failed')
    expect(await namesOf(index)).toEqual([])
  })
})

test('documents are sorted by a point after the last one with a position is gone, but not before the first', async () => {
  await settle('places', { sortableAttributes: ['_geo'] })
  const sorted = () => server.codeOf('GET', '/indexes/places/documents?sort=_geoPoint(1,2):asc')
  await server.add('places', [{ id: 1 }])
  expect(await sorted()).toBe('invalid_document_sort')
  await server.add('places', [{ id: 2, _geo: { lat: 1, lng: 1 } }])
  expect(await sorted()).toBe(200)
  await server.done('DELETE', '/indexes/places/documents/2')
  expect(await sorted()).toBe(200)
})
