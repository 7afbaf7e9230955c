import { compareBytes } from '../../byte-order/index.js'
import { type FacetCount, type FacetStats, MAX_TEXT_ORDER } from '../../engine/index.js'
import type { FacetOrder } from '../../settings/index.js'
import type { FacetKeys } from '../model.js'
import type { FacetPart } from './facet-part.js'

/** Values of one field, by what they are compared by. */
interface WholeField {
  readonly counts: Map<number | string, FacetCount>
  stats: FacetStats | null
  /** Some value is counted no more: it may have been the least or the greatest. */
  isLess: boolean
}

/** Facets of an index whose documents were counted in parts, as they are counted of all documents together (spec 6 §7.2). */
export class WholeFacets {
  private readonly fields = new Map<string, WholeField>()
  private candidates = 0

  add({ candidates, fields }: FacetPart): void {
    this.candidates += candidates
    for (const { attribute, values, stats } of fields) {
      const field = this.fields.get(attribute) ?? { counts: new Map(), stats: null, isLess: false }
      this.fields.set(attribute, field)
      for (const value of values) addCount(field.counts, value)
      field.stats = joinStats(field.stats, stats)
    }
  }

  part(): FacetPart {
    const fields = Array.from(this.fields, ([attribute, { counts, stats }]) => ({
      attribute,
      values: [...counts.values()],
      stats,
    }))
    return { candidates: this.candidates, fields }
  }

  get attributes(): Iterable<string> {
    return this.fields.keys()
  }

  statsOf(attribute: string): FacetStats | null {
    const { counts, stats, isLess } = this.fields.get(attribute)!
    return stats !== null && isLess ? statsOf(counts.keys()) : stats
  }

  /** A document with these values is no candidate after all. */
  remove(attribute: string, keys: FacetKeys): void {
    const field = this.fields.get(attribute)!
    const { counts } = field
    for (const key of new Set(keys)) {
      const known = counts.get(key)
      if (known === undefined) continue
      if (known.count > 1) counts.set(key, { ...known, count: known.count - 1 })
      else {
        counts.delete(key)
        field.isLess = true
      }
    }
  }

  /** The values that are shown, in their order: numbers before texts. */
  shown(attribute: string, order: FacetOrder, maxValues: number): readonly (readonly [label: string, count: number])[] {
    const values = [...this.fields.get(attribute)!.counts.values()]
    const numbers = values.filter(({ value }) => typeof value === 'number').sort(this.numberOrder(order))
    const texts = values.filter(({ value }) => typeof value === 'string').sort(order === 'count' ? byCount : byText)
    const shown = [...numbers, ...texts].slice(0, maxValues)
    // A number and a string with the same text share one member; the string's count stays.
    return [...new Map(shown.map(({ label, count }) => [label, count]))]
  }

  private numberOrder(order: FacetOrder): (a: FacetCount, b: FacetCount) => number {
    if (order === 'count') return byCount
    return this.candidates > MAX_TEXT_ORDER ? byNumber : (a, b) => compareBytes(a.label, b.label)
  }
}

/** Which document is the first one with a value cannot be told: of several spellings the first in byte order is shown. */
function addCount(counts: Map<number | string, FacetCount>, { value, label, count }: FacetCount): void {
  const known = counts.get(value)
  const isKnownFirst = known !== undefined && compareBytes(known.label, label) < 0
  counts.set(value, { value, label: isKnownFirst ? known.label : label, count: count + (known?.count ?? 0) })
}

function statsOf(values: Iterable<number | string>): FacetStats | null {
  const numbers = [...values].filter((value) => typeof value === 'number')
  return numbers.length === 0 ? null : numbers.map((value) => ({ min: value, max: value })).reduce(joinTwo)
}

const joinTwo = (a: FacetStats, b: FacetStats): FacetStats => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
})

function joinStats(a: FacetStats | null, b: FacetStats | null): FacetStats | null {
  if (a === null || b === null) return a ?? b
  return joinTwo(a, b)
}

const byNumber = (a: FacetCount, b: FacetCount): number => (a.value as number) - (b.value as number)

const byText = (a: FacetCount, b: FacetCount): number => compareBytes(a.value as string, b.value as string)

/** Ties go by value, from the last one on. Numbers and texts are never compared with each other. */
const byCount = (a: FacetCount, b: FacetCount): number =>
  b.count - a.count || (typeof a.value === 'number' ? byNumber(b, a) : byText(b, a))
