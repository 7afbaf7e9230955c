import type { FacetCount, FacetStats, FieldCounts } from '../../engine/index.js'
import { numberLabel } from '../../engine/index.js'
import { isObject, type JsonValue, toDouble } from '../../json/index.js'

/** The member of an answer with the parts of all indexes, by their uids. */
export const FACET_PARTS = 'facetParts'

/** What was counted of one index for some of its documents. */
export interface FacetPart {
  readonly candidates: number
  readonly fields: readonly FieldCounts[]
}

/**
 * As servers tell each other: `{"candidates":3,"fields":[["color",[[7,1]],[["Red",2,"red"],["x",1]],[7,7]]]}`, each field
 * with its numbers, its texts (as they are spelled, and as they are compared if that differs), and the least and greatest
 * number or null.
 */
export function printFacetPart({ candidates, fields }: FacetPart): string {
  return JSON.stringify({ candidates, fields: fields.map(fieldList) })
}

function fieldList({ attribute, values, stats }: FieldCounts) {
  const numbers = values.filter(({ value }) => typeof value === 'number').map(({ value, count }) => [value, count])
  const texts = values.filter(({ value }) => typeof value === 'string').map(textList)
  return [attribute, numbers, texts, stats && [stats.min, stats.max]]
}

const textList = ({ label, value, count }: FacetCount) => (label === value ? [label, count] : [label, count, value])

/** The parts of all indexes. Undefined for what is something else. */
export function readFacetParts(json: JsonValue | undefined): Map<string, FacetPart> | undefined {
  const parts = new Map<string, FacetPart>()
  for (const [uid, part] of isObject(json) ? json : []) {
    const read = readFacetPart(part)
    if (read === undefined) return undefined
    parts.set(uid, read)
  }
  return parts
}

function readFacetPart(json: JsonValue): FacetPart | undefined {
  if (!isObject(json)) return undefined
  const candidates = toDouble(json.get('candidates') ?? null)
  const fields = json.get('fields')
  if (candidates === undefined || !Array.isArray(fields)) return undefined
  const read = fields.map(readField)
  return read.includes(undefined) ? undefined : { candidates, fields: read as FieldCounts[] }
}

function readField(field: JsonValue): FieldCounts | undefined {
  if (!Array.isArray(field)) return undefined
  const [attribute, numbers, texts, stats] = field
  if (typeof attribute !== 'string' || !Array.isArray(numbers) || !Array.isArray(texts)) return undefined
  const values = [...numbers.map(readNumber), ...texts.map(readText)]
  if (values.includes(undefined)) return undefined
  return { attribute, values: values as FacetCount[], stats: readStats(stats) }
}

function readNumber(entry: JsonValue): FacetCount | undefined {
  const [value, count] = Array.isArray(entry) ? entry.map(toDouble) : []
  return value === undefined || count === undefined ? undefined : { label: numberLabel(value), value, count }
}

function readText(entry: JsonValue): FacetCount | undefined {
  const [label, count, value = label] = Array.isArray(entry) ? entry : []
  const number = toDouble(count ?? null)
  if (typeof label !== 'string' || typeof value !== 'string' || number === undefined) return undefined
  return { label, value, count: number }
}

function readStats(stats: JsonValue | undefined): FacetStats | null {
  const [min, max] = Array.isArray(stats) ? stats.map(toDouble) : []
  return min === undefined || max === undefined ? null : { min, max }
}
