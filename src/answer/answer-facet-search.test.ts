import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { ByteWriter } from '../bytes/index.js'
import { ok } from '../errors/index.js'
import { parse } from '../json/index.js'
import { SearchIndex } from '../match/index.js'
import { payloadOf, TestIndex } from '../match/test-index.fixture.js'
import { checkBody } from '../shape/index.js'
import { writeFacetSearch } from './answer-facet-search.js'
import { facetSearchBody } from './request/facet-search-body.js'
import type { SearchContext } from './search-context.js'

const stored = new TestIndex()
afterAll(() => stored.delete())
afterEach(() => void vi.restoreAllMocks())

/** A clock that moves when it is told to. */
let now = 1000.9

/** An index whose first opening takes long. */
function contextOf(index: SearchIndex, openingMs: number): SearchContext {
  let isOpen = false
  const open = () => {
    if (!isOpen) now += openingMs
    isOpen = true
    index.refresh()
    return ok(index)
  }
  const gates = { containsFilter: false, foreignKeys: false, network: false, multimodal: false, legacySearch: false }
  return { gates, open, tenantFilter: () => null, network: null } as unknown as SearchContext
}

test('22.4.13: the time of a facet search is that of the search, without opening its index, in whole milliseconds', async () => {
  stored.run({ kind: 'settings', patches: ['{"filterableAttributes":["genre"]}'] })
  const payload = await payloadOf([{ id: 1, genre: 'drama' }])
  const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
  stored.run({ kind: 'documents', operations: [operation] })
  const body = parse('{"facetName":"genre"}')
  const query = checkBody(facetSearchBody, body.ok ? body.value : null)
  if (!query.ok) throw new Error(query.failure.message)
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const out = new ByteWriter(256)
  const index = new SearchIndex('shop', stored.folder)
  expect(writeFacetSearch(out, { uid: 'shop', query: query.value }, contextOf(index, 50)).ok).toBe(true)
  expect(JSON.parse(Buffer.from(out.take()).toString())).toEqual({
    facetHits: [{ value: 'drama', count: 1 }],
    facetQuery: null,
    processingTimeMs: 0,
  })
})
