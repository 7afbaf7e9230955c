import type { ScoreValue, SortValue } from '../engine/index.js'
import { isObject, type JsonValue, toDouble } from '../json/index.js'
import type { ScoreDetail } from '../rank/index.js'
import { comparedValues } from '../rank/index.js'

/** The values that a document is compared by: details of relevancy that follow each other are one (spec 8 §1.7). */
export function scoreValues(details: readonly ScoreDetail[], weight: number): ScoreValue[] {
  return comparedValues(
    details,
    (detail) => singleValue(detail, weight),
    (score) => ({ kind: 'score', value: score * weight }),
  )
}

/** Sorts are not weighted. Undefined for a detail that counts together with its neighbours. */
function singleValue(detail: ScoreDetail, weight: number): ScoreValue | undefined {
  switch (detail.rule) {
    case 'sort':
      return { kind: 'sort', isAscending: detail.direction === 'asc', value: detail.value }
    case 'geoSort':
      return { kind: 'geo', isAscending: detail.direction === 'asc', distanceMeters: detail.distance }
    case 'vector':
      return { kind: 'vector', value: (detail.similarity ?? 0) * weight }
    default:
      return undefined
  }
}

/** As other servers are told (spec 8 §3.7). */
export function printScoreValues(values: readonly ScoreValue[]): string {
  return `[${values.map(printScoreValue).join(',')}]`
}

function printScoreValue(score: ScoreValue): string {
  switch (score.kind) {
    case 'score':
      return `{"weightedScore":${score.value}}`
    case 'vector':
      return `{"vectorSort":${score.value}}`
    case 'sort':
      return `{"sort":{"asc":${score.isAscending},"value":${JSON.stringify(score.value ?? null)}}}`
    case 'geo':
      return `{"geoSort":{"asc":${score.isAscending},"distance":${JSON.stringify(score.distanceMeters)}}}`
  }
}

/** Undefined for what is no list of such values. */
export function readScoreValues(values: JsonValue | undefined): ScoreValue[] | undefined {
  if (!Array.isArray(values)) return undefined
  const read = values.map(readValue)
  return read.includes(undefined) ? undefined : (read as ScoreValue[])
}

function readValue(value: JsonValue): ScoreValue | undefined {
  const [kind, content] = isObject(value) ? ([...value][0] ?? []) : []
  if (content === undefined) return undefined
  const number = toDouble(content)
  if (kind === 'weightedScore') return number === undefined ? undefined : { kind: 'score', value: number }
  if (kind === 'vectorSort') return number === undefined ? undefined : { kind: 'vector', value: number }
  if (!isObject(content)) return undefined
  const isAscending = content.get('asc') === true
  if (kind === 'sort') return { kind, isAscending, value: sortValue(content.get('value') ?? null) }
  if (kind !== 'geoSort') return undefined
  return { kind: 'geo', isAscending, distanceMeters: toDouble(content.get('distance') ?? null) ?? null }
}

function sortValue(value: JsonValue): SortValue {
  return value === null || typeof value === 'string' ? value : toDouble(value)
}
