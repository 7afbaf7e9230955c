import type { Bitmap } from '../../bitmap/index.js'
import { compareBytes } from '../../byte-order/index.js'
import type { FacetColumn } from '../../columns/index.js'
import { ok, type Result } from '../../errors/index.js'
import { firstInOrder } from '../../heap/index.js'
import { columnOf } from '../../rank/index.js'
import { checkBudget } from '../../threads/index.js'
import { checkFacetName } from './check-facet-search.js'
import { matchingValues } from './matching-values.js'
import type { FacetIndex } from './model.js'

export interface FacetSearch {
  readonly index: FacetIndex
  readonly facetName: string
  /** Null finds every value. */
  readonly facetQuery: string | null
  /** Of the request, null when it has none. */
  readonly locales: readonly string[] | null
  readonly candidates: Bitmap
  /** Other documents are searched elsewhere: all that may be shown in the end is needed. */
  readonly isPart?: boolean
}

export interface FacetHit {
  /** As the first document of the index that has it spells it. */
  readonly value: string
  /** In how many candidates it is. */
  readonly count: number
}

/** The values of a facet that match a query, and how many candidates have each (spec 6 §7.4). */
export function facetSearch(search: FacetSearch): Result<FacetHit[]> {
  const { index, facetName } = search
  const checked = checkFacetName(index, facetName)
  if (!checked.ok) return checked
  const column = columnOf(index, facetName)
  const values = index.facets.field(facetName)
  if (column === undefined || values === undefined) return ok([])
  const { maxValuesPerFacet, sortFacetValuesBy } = index.settings.faceting
  const order = sortFacetValuesBy.get(facetName) ?? sortFacetValuesBy.get('*')
  const facet = { column, values }
  const matches = findMatches(search, facet)
  if (order === 'count') {
    return ok(search.isPart ? allHits(matches, facet) : mostFrequent(matches, maxValuesPerFacet, facet))
  }
  return ok(firstMatches(matches, maxValuesPerFacet, facet).map((match) => hitOf(match, facet)))
}

interface Facet {
  readonly column: FacetColumn
  readonly values: {
    stringEquals(norm: string): Bitmap
    /** The first document of the index that has the value. */
    firstWithString(norm: string): number
  }
}

/** Values that were found, by their ordinals. */
interface Matches {
  readonly ordinals: ArrayLike<number>
  /** They stand in the order of their folded forms. */
  readonly isOrdered: boolean
  /** In how many candidates one is; possibly in none. */
  countOf(ordinal: number): number
}

/** To look up one value costs about as much as to look at this many documents. */
const DOCUMENTS_PER_VALUE = 500

function findMatches(search: FacetSearch, { column, values }: Facet): Matches {
  const { facetQuery, candidates } = search
  const found = facetQuery === null ? null : matchingValues(column, { ...search, facetQuery })
  if (found !== null && found.length * DOCUMENTS_PER_VALUE < candidates.size) {
    const countOf = (ordinal: number) => {
      checkBudget()
      return values.stringEquals(column.valueOf(ordinal) as string).andCount(candidates)
    }
    return { ordinals: found, isOrdered: true, countOf }
  }
  const { tally } = search.index.scratch
  column.count(candidates.toArray(), tally)
  return {
    ordinals: found ?? tally.foundTexts,
    isOrdered: found !== null,
    countOf: (ordinal) => tally.counts[ordinal] ?? 0,
  }
}

/** A value that is in some candidates. */
interface CountedOrdinal {
  readonly ordinal: number
  readonly count: number
}

/** Without a query by norm. */
function firstMatches({ ordinals, isOrdered, countOf }: Matches, limit: number, { column }: Facet): CountedOrdinal[] {
  const sorted = isOrdered ? ordinals : firstInOrder(ordinals, limit, (a, b) => column.compare(a, b))
  const first: CountedOrdinal[] = []
  for (let i = 0; i < sorted.length && first.length < limit; i++) {
    const count = countOf(sorted[i]!)
    if (count > 0) first.push({ ordinal: sorted[i]!, count })
  }
  return first
}

/** In any order. */
function allHits({ ordinals, countOf }: Matches, facet: Facet): FacetHit[] {
  const counted = Array.from(ordinals, (ordinal) => ({ ordinal, count: countOf(ordinal) }))
  return counted.filter(({ count }) => count > 0).map((match) => hitOf(match, facet))
}

/** Labels of so many equally frequent values are compared; of more only the last ones by their norm. */
const MAX_COMPARED_LABELS = 2000

/** By count and then by label, both descending. */
function mostFrequent({ ordinals, countOf }: Matches, limit: number, facet: Facet): FacetHit[] {
  const counted = Array.from(ordinals, (ordinal) => ({ ordinal, count: countOf(ordinal) }))
  const found = counted.filter(({ count }) => count > 0)
  const byNorm = (a: CountedOrdinal, b: CountedOrdinal): number => facet.column.compare(b.ordinal, a.ordinal)
  const least = firstInOrder(found, limit, (a, b) => b.count - a.count).at(-1)?.count ?? 0
  const safe = found.filter(({ count }) => count > least)
  const tied = firstInOrder(
    found.filter(({ count }) => count === least),
    MAX_COMPARED_LABELS,
    byNorm,
  )
  const hits = [...safe, ...tied].map((match) => hitOf(match, facet))
  return hits.sort((a, b) => b.count - a.count || compareBytes(b.value, a.value)).slice(0, limit)
}

function hitOf({ ordinal, count }: CountedOrdinal, { column, values }: Facet): FacetHit {
  const norm = column.valueOf(ordinal) as string
  return { value: column.spellingOf(values.firstWithString(norm), norm), count }
}
