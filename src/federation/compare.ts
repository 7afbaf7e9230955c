import { compareBytes } from '../byte-order/index.js'
import type { ScoreValue, SortValue } from '../engine/index.js'
import type { Scored } from './model.js'

/** Two numbers this near to each other are the same: the distance of 1 to the next double. */
const EPSILON = 2 ** -52

/** Negative when the left hit comes before the right one (spec 8 §1.7). */
export function compareHits(left: Scored, right: Scored): number {
  return compareScored(right, left) || left.queryPosition - right.queryPosition
}

/** The same for hits of one query, found in parts of one index: then they are in the order of the whole. */
export function compareParts(left: Scored, right: Scored): number {
  return compareRanks(left, right) || compareArrivals(left, right)
}

/** By all that rules tell. */
export const compareRanks = (left: Scored, right: Scored): number => compareScored(right, left, 'nearest')

/** One index has numbered its documents as they came, and puts equals into the order of their numbers. */
export function compareArrivals({ arrival: left }: Scored, { arrival: right }: Scored): number {
  return left === undefined || right === undefined ? 0 : left - right
}

/** Which one of two distances is the better one in ascending order. */
type BetterDistance = 'farthest' | 'nearest'

/** Positive when `left` is the better one. Value by value; whoever has more of them wins among equals. */
export function compareScored(left: Scored, right: Scored, better: BetterDistance = 'farthest'): number {
  const length = Math.min(left.values.length, right.values.length)
  for (let i = 0; i < length; i++) {
    const order = compareValues(left.values[i]!, right.values[i]!, better)
    if (order === 'incomparable') return compareRest(left, right)
    if (order === 'by score') return left.score - right.score
    if (order !== 0) return order
  }
  return left.values.length - right.values.length
}

/** The values that follow on each side decide; both lists are equally long up to here. */
function compareRest(left: Scored, right: Scored): number {
  return left.values.length - right.values.length || left.score - right.score
}

type Order = number | 'incomparable' | 'by score'

function compareValues(left: ScoreValue, right: ScoreValue, better: BetterDistance): Order {
  if (left.kind === 'sort' && right.kind === 'sort') {
    return left.isAscending === right.isAscending ? compareSorts(left.value, right.value, left.isAscending) : 'by score'
  }
  if (left.kind === 'geo' && right.kind === 'geo') {
    if (left.isAscending !== right.isAscending) return 0
    // Among queries the farther one is the better one in both directions, as recorded answers have it.
    const isNearest = better === 'nearest' && left.isAscending
    return compareGeo(left.distanceMeters, right.distanceMeters, isNearest)
  }
  if ('value' in left && 'value' in right && left.kind !== 'sort' && right.kind !== 'sort') {
    return near(left.value, right.value)
  }
  return 'incomparable'
}

const near = (left: number, right: number): number => (Math.abs(left - right) <= EPSILON ? 0 : left - right)

function compareGeo(left: number | null, right: number | null, isNearest: boolean): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  return isNearest ? near(right, left) : near(left, right)
}

/** No value is lowest, numbers are higher than texts. */
function compareSorts(left: SortValue, right: SortValue, isAscending: boolean): number {
  if (left === undefined || right === undefined) return 0
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  if (typeof left !== typeof right) return typeof left === 'number' ? 1 : -1
  const order = typeof left === 'number' ? left - (right as number) : compareBytes(left, right as string)
  return isAscending ? -order : order
}
