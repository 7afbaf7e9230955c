import type { Bitmap } from '../../bitmap/index.js'
import type { MostDocuments } from '../../columns/index.js'
import { ok, type Result } from '../../errors/index.js'
import { floatText } from '../../json/index.js'
import { columnOf } from '../../rank/index.js'
import { checkBudget } from '../../threads/index.js'
import { countByDocument, MAX_TEXT_ORDER } from './count-by-document.js'
import { COST_PER_PART, countByValue } from './count-by-value.js'
import type { FacetIndex, FieldCounts } from './model.js'
import { type SelectedField, selectFields } from './select-fields.js'

export interface FacetRequest {
  readonly index: FacetIndex
  /** The entries of `facets`. */
  readonly names: readonly string[]
  readonly candidates: Bitmap
}

/** Counts values of the candidates, field by field in byte order (spec 6 §7.1-7.3). */
export function countFacets({ index, names, candidates }: FacetRequest): Result<FieldCounts[]> {
  const fields = selectFields(index, names)
  if (!fields.ok) return fields
  const counter = new FacetCounter(index, candidates)
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

/** A number and a string with the same text share one member; the string's count stays. */
function distributionText({ values }: FieldCounts): string {
  const counts = new Map(values.map(({ label, count }) => [label, count]))
  return `{${Array.from(counts, ([label, count]) => `${JSON.stringify(label)}:${count}`).join(',')}}`
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
  ) {
    const isAll = candidates.size === index.docIds.size
    this.known = isAll ? index.derive(ALL_COUNTS, () => new Map()) : new Map()
  }

  count(field: SelectedField): FieldCounts {
    const key = `${field.order} ${field.attribute}`
    const counts = this.known.get(key) ?? this.countNow(field)
    this.known.set(key, counts)
    return counts
  }

  private countNow(field: SelectedField): FieldCounts {
    checkBudget()
    return this.countByValue(field) ?? this.countByDocument(field)
  }

  /** Where the first few values are wanted of so many documents that to look at each takes longer. */
  private countByValue({ attribute, order }: SelectedField): FieldCounts | undefined {
    const { candidates, index } = this
    const source = this.source({ attribute })
    const values = index.facets.field(attribute)
    const isWorthIt = candidates.size > Math.max(MAX_TEXT_ORDER, COST_PER_PART * source.maxValues)
    if (order === 'count' || values === undefined || !isWorthIt) return undefined
    return countByValue(attribute, { ...source, values, candidates, maxCost: candidates.size })
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

  private source({ attribute }: Pick<SelectedField, 'attribute'>) {
    return { column: columnOf(this.index, attribute)!, maxValues: this.index.settings.faceting.maxValuesPerFacet }
  }

  private allDocIds(): Uint32Array {
    this.docIds ??= this.candidates.toArray()
    return this.docIds
  }
}
