import { beforeAll, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let hasty: IndexServer

beforeAll(async () => {
  hasty = await startIndexServer({ executor: { maxOrderMs: -1 } })
  await hasty.done('PATCH', '/indexes/shop/settings', {
    body: { filterableAttributes: ['kind'], sortableAttributes: ['kind'], distinctAttribute: null },
  })
  await hasty.add(
    'shop',
    Array.from({ length: 30 }, (_, id) => ({ id, kind: `k${id}`, name: 'lamp' })),
  )
})

test.each<[string, string, object]>([
  ['a search', '/indexes/shop/search', { q: 'lamp' }],
  ['a filter', '/indexes/shop/search', { filter: 'kind = k1', limit: 0 }],
  ['facets', '/indexes/shop/search', { facets: ['kind'], limit: 0 }],
  ['a sort', '/indexes/shop/search', { sort: ['kind:asc'], limit: 1 }],
  ['several queries', '/multi-search', { queries: [{ indexUid: 'shop' }] }],
  ['a federated search', '/multi-search', { federation: {}, queries: [{ indexUid: 'shop' }] }],
  ['a facet search', '/indexes/shop/facet-search', { facetName: 'kind', filter: 'kind = k1' }],
  ['a list', '/indexes/shop/documents/fetch', {}],
  ['a sorted list', '/indexes/shop/documents/fetch', { sort: ['kind:asc'] }],
  ['a list of ids', '/indexes/shop/documents/fetch', { ids: [1, 2] }],
])('%s that takes longer than it may is refused, and says so', async (_, path, body) => {
  const { status, json } = await hasty.send('POST', path, { body })
  expect([status, json.code]).toEqual([400, 'bad_request'])
  expect(json.message).toContain('took longer')
})

test('what there is time for is answered', async () => {
  expect(await hasty.codeOf('POST', '/indexes/shop/search', { body: { limit: 0 } })).toBe(200)
  expect(await hasty.codeOf('GET', '/indexes/shop/documents?limit=0')).toBe(200)
})
