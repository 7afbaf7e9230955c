import { compareBytes } from '../../byte-order/index.js'
import { comparedValues } from '../score.js'
import type { ScoreDetail } from '../score-detail.js'

/** What a hit is compared by: details of relevancy that follow each other are one score. */
type Value =
  | { readonly kind: 'score'; readonly score: number }
  | { readonly kind: 'sort'; readonly isAscending: boolean; readonly value: number | string | null }
  | { readonly kind: 'geo'; readonly isAscending: boolean; readonly distance: number | null }

/** Scores this near to each other are the same. */
const EPSILON = 2 ** -52

/** What hits of one list are compared by, their scores multiplied by the weight of the list (spec 7 §3.2). */
export function weightedValues(details: readonly ScoreDetail[], weight: number): readonly Value[] {
  return comparedValues(
    details,
    (detail) => singleValue(detail, weight),
    (score) => ({ kind: 'score', score: score * weight }),
  )
}

/** Undefined for a detail that counts together with its neighbours. */
function singleValue(detail: ScoreDetail, weight: number): Value | undefined {
  switch (detail.rule) {
    case 'vector':
      return { kind: 'score', score: (detail.similarity ?? 0) * weight }
    case 'sort':
      return { kind: 'sort', isAscending: detail.direction === 'asc', value: detail.value }
    case 'geoSort':
      return { kind: 'geo', isAscending: detail.direction === 'asc', distance: detail.distance }
    default:
      return undefined
  }
}

/** Positive when `left` is the better one. Whoever has more values wins among equals. */
export function compareScores(left: readonly Value[], right: readonly Value[]): number {
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const order = compareValues(left[i]!, right[i]!)
    if (order !== 0) return order
  }
  return left.length - right.length
}

function compareValues(left: Value, right: Value): number {
  if (left.kind === 'score') return right.kind === 'score' ? near(left.score, right.score) : ofScore(left.score)
  if (right.kind === 'score') return -ofScore(right.score)
  if (left.kind === 'sort' && right.kind === 'sort') return compareSorts(left.value, right.value, left.isAscending)
  if (left.kind === 'geo' && right.kind === 'geo') return compareGeo(left.distance, right.distance, left.isAscending)
  return 0
}

const near = (left: number, right: number): number => (Math.abs(left - right) <= EPSILON ? 0 : left - right)

/** Any score beats a sort, except for none at all. */
const ofScore = (score: number): number => (score === 0 ? -1 : 1)

/** Nothing is worst, numbers are better than texts. */
function compareSorts(left: number | string | null, right: number | string | null, isAscending: boolean): number {
  const kinds = kindOf(left) - kindOf(right)
  if (kinds !== 0 || left === null) return kinds
  const order = typeof left === 'number' ? left - (right as number) : compareBytes(left, right as string)
  return isAscending ? -order : order
}

function kindOf(value: number | string | null): number {
  if (value === null) return 0
  return typeof value === 'string' ? 1 : 2
}

function compareGeo(left: number | null, right: number | null, isAscending: boolean): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  return isAscending ? right - left : left - right
}
