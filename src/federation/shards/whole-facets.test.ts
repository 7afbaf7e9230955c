import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { countFacets, facetSearch, mergeFacetHits } from '../../engine/index.js'
import { parse } from '../../json/index.js'
import { ValueIndex } from '../../rank/order/value-index.fixture.js'
import { printFacetPart, readFacetParts } from './facet-part.js'
import { WholeFacets } from './whole-facets.js'

/** Each in one spelling only: which document is the first one with it, parts cannot know. */
const scalar = fc.oneof(
  fc.integer({ min: -12, max: 120 }),
  fc.constantFrom(1e21, 0.5, 'a', 'É', 'Bb', 'b', 'Z', '7', '\u{10000}', '\uffff', true, null, ''),
)
const lists = fc.array(fc.array(scalar, { maxLength: 4 }), { minLength: 1, maxLength: 25 })
const orders = fc.constantFrom('alpha', 'count')
const limits = fc.integer({ min: 1, max: 9 })

interface Case {
  readonly values: unknown[][]
  readonly order: string
  readonly maxValuesPerFacet: number
}

async function withIndex({ values, order, maxValuesPerFacet }: Case, check: (made: ValueIndex) => void): Promise<void> {
  const documents = values.map((tags, id) => ({ id, tags }))
  const faceting = { maxValuesPerFacet, sortFacetValuesBy: { '*': order } }
  const made = await ValueIndex.of({ filterableAttributes: ['tags'], faceting }, documents)
  try {
    check(made)
  } finally {
    await made.delete()
  }
}

/** The documents in so many parts, by turns. */
const partsOf = (count: number, { index }: ValueIndex): Bitmap[] =>
  Array.from({ length: count }, (_, part) =>
    Bitmap.fromSorted(index.docIds.toArray().filter((docId) => docId % count === part)),
  )

function foundIn<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (!result.ok) throw new Error('refused')
  return result.value
}

const cases = fc.tuple(lists, orders, limits).map(([values, order, limit]) => ({
  values,
  order,
  maxValuesPerFacet: limit,
}))
const partCounts = fc.integer({ min: 1, max: 4 })

test('facets that were counted in parts are those of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(cases, partCounts, async (each, count) => {
      await withIndex(each, (made) => {
        const { index } = made
        const expected = foundIn(countFacets({ index, names: ['tags'], candidates: index.docIds }))
        const whole = new WholeFacets()
        for (const candidates of partsOf(count, made)) {
          const fields = foundIn(countFacets({ index, names: ['tags'], candidates, isPart: true }))
          const printed = parse(`{"i":${printFacetPart({ candidates: candidates.size, fields })}}`)
          whole.add(readFacetParts(foundIn(printed))!.get('i')!)
        }
        for (const { attribute, values, stats } of expected) {
          const labels = new Map(values.map(({ label, count: counted }) => [label, counted]))
          const order = each.order as 'alpha' | 'count'
          expect(whole.shown(attribute, order, each.maxValuesPerFacet)).toEqual([...labels])
          expect(whole.statsOf(attribute)).toEqual(stats)
        }
      })
    }),
    { numRuns: 20 },
  )
})

test('values that were searched in parts are those of the whole', async () => {
  const queries = fc.constantFrom(null, '', 'b', 'z', 'e')
  await fc.assert(
    fc.asyncProperty(cases, partCounts, queries, async (each, count, facetQuery) => {
      await withIndex(each, (made) => {
        const { index } = made
        const asked = { index, facetName: 'tags', facetQuery, locales: null }
        const expected = foundIn(facetSearch({ ...asked, candidates: index.docIds }))
        const parts = partsOf(count, made).map((candidates) =>
          foundIn(facetSearch({ ...asked, candidates, isPart: true })),
        )
        expect(mergeFacetHits(asked, parts)).toEqual(expected)
      })
    }),
    { numRuns: 20 },
  )
})
