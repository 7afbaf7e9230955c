import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer
beforeAll(async () => {
  server = await startIndexServer()
})

describe('empty strings', () => {
  const documents = [
    { id: 10, k: '' },
    { id: 11, k: [] },
    { id: 12, k: {} },
    { id: 13, k: [''] },
    { id: 14 },
    { id: 15, k: [] },
    { id: 17, k: '' },
    { id: 18, k: 'a' },
    { id: 19, k: 'A' },
    { id: 20, n: { k: '' } },
    { id: 21, n: [{ k: '' }] },
  ]
  const search = async (body: object) => (await server.send('POST', '/indexes/empty/search', { body })).json
  const idsOf = async (body: object): Promise<number[]> => (await search(body)).hits.map(({ id }: { id: number }) => id)
  const idsWithout = (...ids: number[]) => documents.map(({ id }) => id).filter((id) => !ids.includes(id))

  beforeAll(async () => {
    await server.done('PATCH', '/indexes/empty/settings', { body: { filterableAttributes: ['k', 'n.k'] } })
    await server.add('empty', documents)
  })

  test('are one value where a request asks for distinct, other empty values are none', async () => {
    expect(await idsOf({ distinct: 'k' })).toEqual(idsWithout(17, 19))
    expect(await idsOf({ distinct: 'n.k' })).toEqual(idsWithout(21))
    expect(await search({ distinct: 'k', hitsPerPage: 1 })).toMatchObject({ totalHits: documents.length - 2 })
  })

  test('are no value where the settings do, even for the same search', async () => {
    await server.done('PATCH', '/indexes/empty/settings', { body: { distinctAttribute: 'k' } })
    expect(await idsOf({})).toEqual(idsWithout(19))
    expect(await idsOf({ distinct: 'k' })).toEqual(idsWithout(17, 19))
  })
})

test('merged facets of a federated search are those of the hits that stay', async () => {
  const documents = {
    books: [
      { id: 1, g: 'sf', shop: ['north', 'south'] },
      { id: 2, g: 'sf', shop: 'west' },
      { id: 3, g: 'Drama', shop: 'south' },
      { id: 4 },
    ],
    films: [
      { id: 1, g: ' SF', shop: 'north' },
      { id: 5, g: 'epic', shop: 'east' },
      { id: 6, g: 'drama', shop: 'south' },
    ],
  }
  for (const [index, sent] of Object.entries(documents)) {
    await server.done('PATCH', `/indexes/${index}/settings`, { body: { filterableAttributes: ['g', 'shop'] } })
    await server.add(index, sent)
  }
  const queries = [{ indexUid: 'books' }, { indexUid: 'films' }]
  const facetsOf = async (facetsByIndex: object) => {
    const federation = { distinct: 'shop', mergeFacets: {}, facetsByIndex }
    const { json } = await server.send('POST', '/multi-search', { body: { federation, queries } })
    expect(
      json.hits.map(
        ({ id, _federation: { indexUid } }: { id: number; _federation: { indexUid: string } }) => `${indexUid} ${id}`,
      ),
    ).toEqual([...['books 1', 'books 2', 'books 4', 'films 5']])
    return json.facetDistribution
  }
  expect(await facetsOf({ books: ['g'], films: ['g'] })).toEqual({ g: { epic: 1, sf: 2 } })
  // Hits of an index that was not counted take nothing away.
  expect(await facetsOf({ books: ['g'] })).toEqual({ g: { sf: 2 } })
})
