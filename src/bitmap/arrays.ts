/**
 * Loops over array containers. Those that produce values write them to the arena, in room they reserve, and return
 * how many there are; nothing is kept until `keepArray`.
 *
 * Two habits make them look unusual; bench/bitmap.ts shows it when they are dropped. Comparisons are arithmetic, `(x - y) >>> 31`
 * being 1 when x < y: on random data a branch is mispredicted every second turn, which costs more than the turn. And
 * a turn takes four values: V8 looks up address and length of a typed array again on every turn.
 */
import { arena, reserve } from './arena.js'
import type { Container } from './container.js'

// From this ratio on, a binary search per value of the smaller array beats reading the larger one.
const SKEW = 32

// stamps[v] === stamp means: v is in the array that was stamped last. 64 KiB, cleared once in 255 uses.
const stamps = new Uint8Array(0x10000)
let stamp = 0

function stampValues(container: Container): number {
  if (++stamp === 256) {
    stamps.fill(0)
    stamp = 1
  }
  const current = stamp
  const values = container.values
  const end = container.start + container.count
  let i = container.start
  for (; i + 3 < end; i += 4) {
    stamps[values[i]!] = current
    stamps[values[i + 1]!] = current
    stamps[values[i + 2]!] = current
    stamps[values[i + 3]!] = current
  }
  for (; i < end; i++) stamps[values[i]!] = current
  return current
}

/** 1 if the value carries the stamp, else 0. */
function isStamped(value: number, current: number): number {
  return ((stamps[value]! ^ current) - 1) >>> 31
}

/** The index in `values` of the first value >= `low`, or the index behind the last value if all are smaller. */
export function lowerBound(container: Container, low: number): number {
  const at = searchFrom(container, container.start, low)
  return at + ((container.values[at]! - low) >>> 31)
}

/** The index of the first value >= `low` at or after `from`, or of the last value if all are smaller. */
function searchFrom(container: Container, from: number, low: number): number {
  const values = container.values
  let base = from
  let length = container.start + container.count - from
  while (length > 1) {
    const half = length >>> 1
    base += half & ((values[base + half - 1]! - low) >> 31)
    length -= half
  }
  return base
}

/** Writes what both have. */
export function intersectArrays(a: Container, b: Container): number {
  const small = a.count <= b.count ? a : b
  const large = small === a ? b : a
  reserve(small.count)
  return large.count > small.count * SKEW ? searchCommon(small, large) : sieve(small, large, 0)
}

/** Writes what `a` has and `b` has not. */
export function subtractArrays(a: Container, b: Container): number {
  reserve(a.count)
  return sieve(a, b, 1)
}

/** Writes the values of `a` that are in `b` (`flip` 0), or those that are not (`flip` 1). */
function sieve(a: Container, b: Container, flip: 0 | 1): number {
  const current = stampValues(b)
  const values = a.values
  const end = a.start + a.count
  const out = arena.values
  let at = arena.used
  let i = a.start
  for (; i + 3 < end; i += 4) {
    const first = values[i]!
    const second = values[i + 1]!
    const third = values[i + 2]!
    const fourth = values[i + 3]!
    out[at] = first
    at += isStamped(first, current) ^ flip
    out[at] = second
    at += isStamped(second, current) ^ flip
    out[at] = third
    at += isStamped(third, current) ^ flip
    out[at] = fourth
    at += isStamped(fourth, current) ^ flip
  }
  for (; i < end; i++) {
    out[at] = values[i]!
    at += isStamped(values[i]!, current) ^ flip
  }
  return at - arena.used
}

function searchCommon(small: Container, large: Container): number {
  const values = small.values
  const out = arena.values
  let at = arena.used
  let from = large.start
  for (let i = small.start, end = i + small.count; i < end; i++) {
    const value = values[i]!
    from = searchFrom(large, from, value)
    out[at] = value
    at += ((large.values[from]! ^ value) - 1) >>> 31
  }
  return at - arena.used
}

export function countCommonOfArrays(a: Container, b: Container): number {
  const small = a.count <= b.count ? a : b
  const large = small === a ? b : a
  return large.count > small.count * SKEW ? searchCount(small, large) : sieveCount(small, large)
}

function sieveCount(a: Container, b: Container): number {
  const current = stampValues(b)
  const values = a.values
  const end = a.start + a.count
  let count = 0
  let i = a.start
  for (; i + 3 < end; i += 4) {
    count += isStamped(values[i]!, current) + isStamped(values[i + 1]!, current)
    count += isStamped(values[i + 2]!, current) + isStamped(values[i + 3]!, current)
  }
  for (; i < end; i++) count += isStamped(values[i]!, current)
  return count
}

function searchCount(small: Container, large: Container): number {
  const values = small.values
  let from = large.start
  let count = 0
  for (let i = small.start, end = i + small.count; i < end; i++) {
    from = searchFrom(large, from, values[i]!)
    count += ((large.values[from]! ^ values[i]!) - 1) >>> 31
  }
  return count
}

/** Whether the arrays have a value in common. */
export function arraysMeet(a: Container, b: Container): boolean {
  const small = a.count <= b.count ? a : b
  const large = small === a ? b : a
  return large.count > small.count * SKEW ? searchCount(small, large) > 0 : mergeMeets(a, b)
}

function mergeMeets(a: Container, b: Container): boolean {
  const left = a.values
  const right = b.values
  const endA = a.start + a.count
  const endB = b.start + b.count
  let i = a.start
  let j = b.start
  while (i < endA && j < endB) {
    const difference = left[i]! - right[j]!
    if (difference === 0) return true
    i += difference >>> 31
    j += -difference >>> 31
  }
  return false
}

/**
 * Writes the values of both in order; together they have at most MAX_ARRAY. With d = x - y, y + (d & (d >> 31)) is the
 * smaller of both, and (d - 1) >>> 31 is 1 when x <= y.
 */
export function mergeArrays(a: Container, b: Container): number {
  reserve(a.count + b.count)
  const left = a.values
  const right = b.values
  const endA = a.start + a.count
  const endB = b.start + b.count
  const out = arena.values
  let i = a.start
  let j = b.start
  let at = arena.used
  // Four steps move neither side by more than four.
  for (; i + 3 < endA && j + 3 < endB; at += 4) {
    const first = left[i]! - right[j]!
    out[at] = right[j]! + (first & (first >> 31))
    i += (first - 1) >>> 31
    j += (-first - 1) >>> 31
    const second = left[i]! - right[j]!
    out[at + 1] = right[j]! + (second & (second >> 31))
    i += (second - 1) >>> 31
    j += (-second - 1) >>> 31
    const third = left[i]! - right[j]!
    out[at + 2] = right[j]! + (third & (third >> 31))
    i += (third - 1) >>> 31
    j += (-third - 1) >>> 31
    const fourth = left[i]! - right[j]!
    out[at + 3] = right[j]! + (fourth & (fourth >> 31))
    i += (fourth - 1) >>> 31
    j += (-fourth - 1) >>> 31
  }
  for (; i < endA && j < endB; at++) {
    const difference = left[i]! - right[j]!
    out[at] = right[j]! + (difference & (difference >> 31))
    i += (difference - 1) >>> 31
    j += (-difference - 1) >>> 31
  }
  while (i < endA) out[at++] = left[i++]!
  while (j < endB) out[at++] = right[j++]!
  return at - arena.used
}

/** How many runs of neighbouring values the array has. */
export function countRunsOfArray(container: Container): number {
  const values = container.values
  let runs = 1
  for (let i = container.start + 1, end = container.start + container.count; i < end; i++) {
    if (values[i]! !== values[i - 1]! + 1) runs++
  }
  return runs
}
