import { afterAll, describe, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { ValueIndex } from '../../rank/order/value-index.fixture.js'
import { checkFacetSearchEnabled } from './check-facet-search.js'
import { facetSearch } from './facet-search.js'

const opened: ValueIndex[] = []
afterAll(async () => {
  for (const index of opened) await index.delete()
})

const GENRES = [['Fantasy', 'Science Fiction'], ['fantasy'], ['Family', 5], ['Café'], [true], ['Fantasy Horror']]

async function genres(settings: object = {}, values: readonly unknown[] = GENRES): Promise<ValueIndex> {
  const documents = values.map((genres, id) => ({ id, genres }))
  const made = await ValueIndex.of({ filterableAttributes: ['genres'], ...settings }, documents)
  opened.push(made)
  return made
}

interface Asked {
  readonly facetName?: string
  readonly candidates?: Bitmap
  readonly locales?: readonly string[]
}

function search({ index }: ValueIndex, facetQuery: string | null, asked: Asked = {}) {
  const { facetName = 'genres', candidates = index.docIds, locales = null } = asked
  const result = facetSearch({ index, facetName, facetQuery, locales, candidates })
  return result.ok ? result.value.map(({ value, count }) => `${value} ${count}`) : result.failure
}

describe('matching', () => {
  test('values are found by their beginning, with typos, without accents', async () => {
    const made = await genres()
    expect(search(made, 'fan')).toEqual(['Fantasy 2', 'Fantasy Horror 1'])
    expect(search(made, 'fantazy')).toEqual(['Fantasy 2', 'Fantasy Horror 1'])
    expect(search(made, 'FÀN')).toEqual(['Fantasy 2', 'Fantasy Horror 1'])
    expect(search(made, 'cafe')).toEqual(['Café 1'])
    expect(search(made, 'tru')).toEqual(['true 1'])
    expect(search(made, '5')).toEqual([])
  })

  test('a query is matched from the start of the whole value', async () => {
    const made = await genres()
    expect(search(made, 'fiction')).toEqual([])
    expect(search(made, 'science f')).toEqual(['Science Fiction 1'])
  })

  test('blanks of the query count; an empty one finds everything', async () => {
    const made = await genres()
    expect(search(made, ' fan')).toEqual([])
    expect(search(made, 'fan ')).toEqual([])
    expect(search(made, ' ')).toEqual([])
    expect(search(made, '')).toEqual([
      'Café 1',
      'Family 1',
      'Fantasy 2',
      'Fantasy Horror 1',
      'Science Fiction 1',
      'true 1',
    ])
    expect(search(made, null)).toEqual(search(made, ''))
  })

  test('the length in bytes decides how many typos there may be', async () => {
    const made = await genres({}, ['abcde', 'abcdefghi', 'éabcd'])
    // Four bytes: none.
    expect(search(made, 'xbcd')).toEqual([])
    // Five: one.
    expect(search(made, 'xbcde')).toEqual(['abcde 1', 'abcdefghi 1'])
    expect(search(made, 'bacde')).toEqual(['abcde 1', 'abcdefghi 1'])
    expect(search(made, 'xycde')).toEqual([])
    // Nine: two, also at the beginning.
    expect(search(made, 'xycdefghi')).toEqual(['abcdefghi 1'])
    expect(search(made, 'xyzdefghi')).toEqual([])
    expect(search(made, 'a'.repeat(100_000))).toEqual([])
  })

  test('typos can be switched off: everywhere, for an attribute, for a word', async () => {
    expect(search(await genres({ typoTolerance: { enabled: false } }), 'fantazy')).toEqual([])
    expect(search(await genres({ typoTolerance: { disableOnAttributes: ['genres'] } }), 'fantazy')).toEqual([])
    const made = await genres({ typoTolerance: { disableOnWords: ['Fantasy'] } })
    expect(search(made, 'fantasy')).toEqual(['Fantasy 2'])
    expect(search(made, 'fantas')).toEqual(['Fantasy 2', 'Fantasy Horror 1'])
  })

  test('the locales of a rule, as far as they are asked for, decide how texts are folded', async () => {
    const rule = { localizedAttributes: [{ attributePatterns: ['genres'], locales: ['swe'] }] }
    const made = await genres(rule, ['Åkt'])
    expect(search(made, 'åkt')).toEqual(['Åkt 1'])
    expect(search(made, 'akt')).toEqual([])
    expect(search(made, 'åkt', { locales: ['deu'] })).toEqual([])
    const unruled = await genres({}, ['Åkt'])
    expect(search(unruled, 'akt', { locales: ['swe'] })).toEqual(['Åkt 1'])
  })
})

describe('order and counts', () => {
  test('by folded and then by normalized form; without a query by normalized form', async () => {
    const values = ['éb', 'ea', 'Ec', 'éc', 'ec']
    const made = await genres({}, values)
    expect(search(made, 'e')).toEqual(['ea 1', 'éb 1', 'Ec 2', 'éc 1'])
    expect(search(made, null)).toEqual(['ea 1', 'Ec 2', 'éb 1', 'éc 1'])
  })

  test('by count and then by value, both descending', async () => {
    const values = ['b', 'B', 'a', 'C', 'd', 'd', 'd']
    const faceting = { sortFacetValuesBy: { genres: 'count' }, maxValuesPerFacet: 3 }
    const made = await genres({ faceting }, values)
    // `a` is behind `C` among bytes, though not among normalized values.
    expect(search(made, null)).toEqual(['d 3', 'b 2', 'a 1'])
    made.set({ faceting: { maxValuesPerFacet: 0 } })
    expect(search(made, null)).toEqual([])
    expect(search(made, 'd')).toEqual([])
  })

  test('only candidates count, but the whole index decides about the spelling', async () => {
    const made = await genres({}, ['Fantasy', 'FANTASY', 'fantasy'])
    expect(search(made, 'fan', { candidates: Bitmap.of(1, 2) })).toEqual(['Fantasy 2'])
    expect(search(made, null, { candidates: Bitmap.of(2) })).toEqual(['Fantasy 1'])
    expect(search(made, 'fan', { candidates: Bitmap.empty() })).toEqual([])
    made.remove(0)
    expect(search(made, 'fan')).toEqual(['FANTASY 2'])
  })

  test('at most as many hits as the settings allow', async () => {
    const values = Array.from({ length: 150 }, (_, i) => `v${String(i).padStart(3, '0')}`)
    const made = await genres({}, values)
    expect(search(made, 'v')).toHaveLength(100)
    expect(search(made, null)).toHaveLength(100)
    expect(search(made, 'v', { candidates: Bitmap.range(120, 150) })).toHaveLength(30)
  })

  test('values of changed documents come and go', async () => {
    const made = await genres({}, ['Drama', 'Comedy'])
    expect(search(made, 'com')).toEqual(['Comedy 1'])
    await made.add([
      { id: 1, genres: 'Commedia' },
      { id: 7, genres: 'Combat' },
    ])
    expect(search(made, 'com')).toEqual(['Combat 1', 'Commedia 1'])
    expect(search(made, '')).toEqual(['Combat 1', 'Commedia 1', 'Drama 1'])
  })
})

describe('checks', () => {
  test('the setting switches facet search off', async () => {
    const made = await genres({ facetSearch: false })
    expect(checkFacetSearchEnabled(made.index)).toMatchObject({ ok: false, failure: { code: 'facet_search_disabled' } })
    made.set({ facetSearch: null })
    expect(checkFacetSearchEnabled(made.index).ok).toBe(true)
    expect(search(made, 'fam')).toEqual(['Family 1'])
  })

  test('a name that is not facet-searchable is refused, with those that are', async () => {
    const made = await genres()
    expect(search(made, 'a', { facetName: 'nope' })).toEqual({
      code: 'invalid_facet_search_facet_name',
      message:
        '`.facetName`: the attribute "nope" of the index `shop` is not facet-searchable; facet-searchable are `genres`.',
    })
    const none = await genres({ filterableAttributes: [] })
    expect(search(none, 'a')).toMatchObject({ message: expect.stringContaining('no facet-searchable attributes') })
  })

  test('the first rule that matches decides, whether values can be filtered by or not', async () => {
    const patterns = (facetSearch: boolean) => ({
      attributePatterns: ['gen*'],
      features: { facetSearch, filter: { equality: !facetSearch, comparison: false } },
    })
    const off = await genres({ filterableAttributes: [patterns(false), 'genres'] })
    expect(search(off, 'fam')).toMatchObject({ message: expect.stringContaining('rule 0 of `filterableAttributes`') })
    const on = await genres({ filterableAttributes: [patterns(true)] })
    expect(search(on, 'fam')).toEqual(['Family 1'])
  })

  test('a field that no document has gives nothing', async () => {
    expect(search(await genres({ filterableAttributes: ['never'] }), 'a', { facetName: 'never' })).toEqual([])
  })
})
