import type { Bitmap } from '../../bitmap/index.js'
import type { MostDocuments } from '../../columns/index.js'
import { ok, type Result } from '../../errors/index.js'
import { floatText } from '../../json/index.js'
import { columnOf } from '../../rank/index.js'
import { checkBudget } from '../../threads/index.js'
import { countByDocument, MAX_TEXT_ORDER } from './count-by-document.js'
import { countByValue } from './count-by-value.js'
import { keptValues } from './kept-values.js'
import type { FacetCount, FacetIndex, FieldCounts } from './model.js'
import { type SelectedField, selectFields } from './select-fields.js'

export interface FacetRequest {
  readonly index: FacetIndex
  /** The entries of `facets`. */
  readonly names: readonly string[]
  readonly candidates: Bitmap
  /** Other documents are counted elsewhere: all that may be shown in the end is needed. */
  readonly isPart?: boolean
}

/** Counts values of the candidates, field by field in byte order (spec 6 §7.1-7.3). */
export function countFacets({ index, names, candidates, isPart = false }: FacetRequest): Result<FieldCounts[]> {
  const fields = selectFields(index, names)
  if (!fields.ok) return fields
  const counter = new FacetCounter(index, candidates, isPart)
  return ok(fields.value.map((field) => counter.count(field)))
}

/** JSON text. */
export interface FacetTexts {
  readonly facetDistribution: string
  readonly facetStats: string
}

/** `countFacets` as answers show it. */
export function facetDistribution(request: FacetRequest): Result<FacetTexts> {
  const counted = countFacets(request)
  return counted.ok ? ok(facetTexts(counted.value)) : counted
}

function facetTexts(fields: readonly FieldCounts[]): FacetTexts {
  const distributions = fields.map((field) => `${JSON.stringify(field.attribute)}:${distributionText(field)}`)
  const stats = fields.flatMap(({ attribute, stats }) =>
    stats === null ? [] : `${JSON.stringify(attribute)}:{"min":${floatText(stats.min)},"max":${floatText(stats.max)}}`,
  )
  return { facetDistribution: `{${distributions.join(',')}}`, facetStats: `{${stats.join(',')}}` }
}

function distributionText({ values, stats }: FieldCounts): string {
  const counts = stats === null ? values : withoutRepeats(values)
  let members = ''
  for (const { label, count } of counts) members += `${members === '' ? '' : ','}${JSON.stringify(label)}:${count}`
  return `{${members}}`
}

/** A number and a string with the same text share one member; the string's count stays. */
function withoutRepeats(values: readonly FacetCount[]): Iterable<FacetCount> {
  return new Map(values.map((count) => [count.label, count])).values()
}

/** Count the complement when fewer than one in so many documents is missing. */
const MOST = 2

const ALL_COUNTS = Symbol('facets of all documents')

/** Counts one field after the other for the same candidates. */
class FacetCounter {
  private docIds: Uint32Array | undefined
  private readonly known: Map<string, FieldCounts>

  constructor(
    private readonly index: FacetIndex,
    private readonly candidates: Bitmap,
    private readonly isPart: boolean,
  ) {
    const isAll = candidates.size === index.docIds.size
    this.known = isAll ? index.derive(ALL_COUNTS, () => new Map()) : new Map()
  }

  count(field: SelectedField): FieldCounts {
    const key = `${this.isPart ? 'part ' : ''}${field.order} ${field.attribute}`
    const counts = this.known.get(key) ?? this.countNow(field)
    this.known.set(key, counts)
    return counts
  }

  private countNow(field: SelectedField): FieldCounts {
    checkBudget()
    return this.countByValue(field) ?? this.countByDocument(field)
  }

  /** Where there are so many candidates that to look at each takes longer. */
  private countByValue(field: SelectedField): FieldCounts | undefined {
    const { candidates, index } = this
    const { size } = candidates
    if (size <= MAX_TEXT_ORDER) return undefined
    const source = this.source(field)
    const values = keptValues({ index, attribute: field.attribute, column: source.column, size })
    if (values === undefined) return undefined
    const isCheap = values.areCountedFor(size)
    if (!isCheap && field.order === 'count') return undefined
    const maxCost = isCheap ? Number.POSITIVE_INFINITY : size
    return countByValue(field, { ...source, values, candidates, maxCost })
  }

  private countByDocument(field: SelectedField): FieldCounts {
    const listed = () => this.allDocIds()
    return countByDocument(field, {
      ...this.source(field),
      get docIds() {
        return listed()
      },
      most: this.mostDocuments(),
      tally: this.index.scratch.tally,
    })
  }

  /** The candidates, where so few documents are missing that it takes less to look at those. */
  private mostDocuments(): MostDocuments | undefined {
    const { candidates, index } = this
    if (candidates.size * MOST <= index.docIds.size * (MOST - 1)) return undefined
    return {
      count: candidates.size,
      all: () => index.docIds.toArray(),
      others: () => index.docIds.andNot(candidates).toArray(),
    }
  }

  private source(field: SelectedField) {
    return { column: columnOf(this.index, field.attribute)!, maxValues: this.maxValues(field) }
  }

  /**
   * Where this is a part, the first values of the whole are wanted. Each of them is among the first ones here, if they have
   * the same order here: the order of counts is another one, and so may be that of numbers where candidates are few.
   */
  private maxValues({ order }: SelectedField): number {
    const hasOtherOrder = order === 'count' || this.candidates.size <= MAX_TEXT_ORDER
    return this.isPart && hasOtherOrder ? Number.POSITIVE_INFINITY : this.index.settings.faceting.maxValuesPerFacet
  }

  private allDocIds(): Uint32Array {
    this.docIds ??= this.candidates.toArray()
    return this.docIds
  }
}
