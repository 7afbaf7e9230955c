import { Bitmap } from '../../bitmap/index.js'
import { normalizeFacet } from '../../columns/index.js'
import type { FieldFacets, Range } from './facet-reader.js'
import type { AttributeCondition, Comparison } from './model.js'

/** The documents that satisfy a condition on a field they know; `all` reads all documents of the index (spec 6 §6.4). */
export function attributeDocIds(condition: AttributeCondition, facets: FieldFacets, all: () => Bitmap): Bitmap {
  switch (condition.kind) {
    case 'compare':
      return comparedDocIds(condition.operator, condition.value, { facets, all })
    case 'between':
      return betweenDocIds(facets, condition.from, condition.to)
    case 'in':
      return inDocIds(facets, condition.values)
    case 'exists':
      return facets.exists()
    case 'null':
      return facets.isNull()
    case 'empty':
      return facets.isEmpty()
    case 'contains':
      return facets.stringContains(normalizeFacet(condition.value))
    case 'startsWith':
      return condition.value === '' ? facets.exists() : facets.stringPrefix(normalizeFacet(condition.value))
  }
}

/**
 * Of some documents, ascending, those that satisfy a condition on a range of numbers; undefined for other conditions, and
 * where it takes less to find all documents that do.
 */
export function rangeAmong(
  condition: AttributeCondition,
  facets: FieldFacets,
  docIds: Uint32Array,
): Uint32Array | undefined {
  const range = numberRangeOf(condition)
  if (range === undefined || facets.numbersAmong === undefined) return undefined
  // Texts that look like numbers are few, and mostly none: where there are some, they are found as always.
  if (!facets.stringRange(range.texts).isEmpty) return undefined
  return facets.numbersAmong(range.numbers, docIds)
}

interface BothRanges {
  readonly numbers: Range<number>
  readonly texts: Range<string>
}

function numberRangeOf(condition: AttributeCondition): BothRanges | undefined {
  if (condition.kind === 'between') {
    const [min, max] = [numberOf(condition.from), numberOf(condition.to)]
    if (min === undefined || max === undefined) return undefined
    const texts = closedRange(normalizeFacet(condition.from), normalizeFacet(condition.to))
    return { numbers: closedRange(min, max), texts }
  }
  if (condition.kind !== 'compare' || condition.operator === '=' || condition.operator === '!=') return undefined
  const number = numberOf(condition.value)
  if (number === undefined) return undefined
  const { operator } = condition
  return { numbers: openRange(operator, number), texts: openRange(operator, normalizeFacet(condition.value)) }
}

interface Place {
  readonly facets: FieldFacets
  readonly all: () => Bitmap
}

function comparedDocIds(operator: Comparison, value: string, { facets, all }: Place): Bitmap {
  if (operator === '=') return equalDocIds(facets, value)
  if (operator === '!=') return all().andNot(equalDocIds(facets, value))
  const strings = facets.stringRange(openRange(operator, normalizeFacet(value)))
  const number = numberOf(value)
  return number === undefined ? strings : strings.or(facets.numberRange(openRange(operator, number)))
}

function openRange<T>(operator: Exclude<Comparison, '=' | '!='>, value: T): Range<T> {
  const bound = { value, isInclusive: operator.endsWith('=') }
  return operator.startsWith('>') ? { min: bound } : { max: bound }
}

function betweenDocIds(facets: FieldFacets, from: string, to: string): Bitmap {
  const strings = facets.stringRange(closedRange(normalizeFacet(from), normalizeFacet(to)))
  const min = numberOf(from)
  const max = numberOf(to)
  return min === undefined || max === undefined ? strings : strings.or(facets.numberRange(closedRange(min, max)))
}

function closedRange<T>(min: T, max: T): Range<T> {
  return { min: { value: min, isInclusive: true }, max: { value: max, isInclusive: true } }
}

function equalDocIds(facets: FieldFacets, value: string): Bitmap {
  // Only blank strings, never empty ones, are stored under the empty form.
  if (value === '') return Bitmap.empty()
  const strings = facets.stringEquals(normalizeFacet(value))
  const number = numberOf(value)
  return number === undefined ? strings : strings.or(facets.numberEquals(number))
}

/** From so many values on, to go through them in order takes less than to look up each. */
const MANY_VALUES = 64

function inDocIds(facets: FieldFacets, values: readonly string[]): Bitmap {
  if (values.length >= MANY_VALUES && facets.equalsAny !== undefined)
    return facets.equalsAny(normsOf(values), numbersOf(values))
  const different = Array.from(new Set(values), (value) => equalDocIds(facets, value))
  return Bitmap.orMany(different.filter((docIds) => !docIds.isEmpty))
}

function* normsOf(values: Iterable<string>): Generator<string> {
  for (const value of values) if (value !== '') yield normalizeFacet(value)
}

function* numbersOf(values: Iterable<string>): Generator<number> {
  for (const value of values) {
    const number = numberOf(value)
    if (number !== undefined) yield number
  }
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** The value as a finite number; adding zero makes one of both zeros. */
function numberOf(value: string): number | undefined {
  const number = NUMBER.test(value) ? Number(value) + 0 : Number.NaN
  return Number.isFinite(number) ? number : undefined
}
