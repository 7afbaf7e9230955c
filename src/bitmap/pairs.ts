/**
 * Set operations on two containers with the same key.
 *
 * The result is `null` when it is empty, one of the inputs (marked as shared) when that is the result already, and
 * else a new array or bitset. Runs are unpacked into scratch memory first, unless they fill the whole container.
 */
import { keepArray } from './arena.js'
import { arraysMeet, countCommonOfArrays, intersectArrays, mergeArrays, subtractArrays } from './arrays.js'
import {
  addArrayToBits,
  addToScratch,
  arrayMeetsBits,
  bitsMeet,
  bitsToArray,
  clearScratch,
  countArrayInBits,
  countCommonOfBits,
  countScratch,
  extractScratch,
  filterByBits,
  intersectInScratch,
  keepScratch,
  removeArrayFromBits,
  subtractInScratch,
  takeScratch,
  uniteInScratch,
} from './bits.js'
import { ARRAY, BITS, type Container, KEY_SPAN, MAX_ARRAY, share } from './container.js'
import { plain, plainCopy } from './layout.js'

// Two bitsets whose intersection should be smaller than this by their counts are likely to give an array.
const LIKELY_ARRAY = 3000

export function intersect(a: Container, b: Container): Container | null {
  if (a.count === KEY_SPAN) return share(b)
  if (b.count === KEY_SPAN) return share(a)
  const left = plain(a, 0)
  const right = plain(b, 1)
  const result = intersectPlain(left, right)
  if (result === left) return share(a)
  return result === right ? share(b) : result
}

/** Like the operation it serves, but without runs; an input that is the result already is given back as it is. */
function intersectPlain(a: Container, b: Container): Container | null {
  if (a.kind === BITS && b.kind === BITS) return intersectTwoBits(a, b)
  const count = intersectWithArray(a, b)
  if (count === a.count) return a
  if (count === b.count) return b
  return count === 0 ? null : keepArray(a.key, count)
}

function intersectWithArray(a: Container, b: Container): number {
  if (a.kind === BITS) return filterByBits(b, a, 0)
  return b.kind === BITS ? filterByBits(a, b, 0) : intersectArrays(a, b)
}

function intersectTwoBits(a: Container, b: Container): Container | null {
  intersectInScratch(a, b)
  const result = keepFew(a.key, (a.count * b.count) / KEY_SPAN)
  if (result !== undefined) return result
  const count = countScratch()
  if (count === a.count) return a
  return count === b.count ? b : keepAny(a.key, count)
}

function subtractTwoBits(a: Container, b: Container): Container | null {
  subtractInScratch(a, b)
  const result = keepFew(a.key, (a.count * (KEY_SPAN - b.count)) / KEY_SPAN)
  if (result !== undefined) return result
  const count = countScratch()
  return count === a.count ? a : keepAny(a.key, count)
}

/** What scratch holds, if so few values are expected that counting them first is not worth it; undefined if not. */
function keepFew(key: number, expected: number): Container | null | undefined {
  if (expected > LIKELY_ARRAY) return undefined
  const count = extractScratch()
  if (count < 0) return undefined
  return count === 0 ? null : keepArray(key, count)
}

function keepAny(key: number, count: number): Container | null {
  return count === 0 ? null : keepScratch(key, count)
}

/** What `a` has and `b` has not. */
export function subtract(a: Container, b: Container): Container | null {
  if (b.count === KEY_SPAN) return null
  const left = plain(a, 0)
  const result = subtractPlain(left, plain(b, 1))
  return result === left ? share(a) : result
}

function subtractPlain(a: Container, b: Container): Container | null {
  if (a.kind === BITS) return b.kind === BITS ? subtractTwoBits(a, b) : subtractArrayFromBits(a, b)
  const count = b.kind === BITS ? filterByBits(a, b, 1) : subtractArrays(a, b)
  if (count === a.count) return a
  return count === 0 ? null : keepArray(a.key, count)
}

function subtractArrayFromBits(bits: Container, array: Container): Container {
  return countArrayInBits(array, bits) === 0 ? bits : removeArray(plainCopy(bits, 0), array)
}

/** Takes the array's values from a bitset that belongs to the caller; what is left may be small enough for an array. */
function removeArray(bits: Container, array: Container): Container {
  bits.count -= removeArrayFromBits(bits, array)
  return bits.count > MAX_ARRAY ? bits : bitsToArray(bits)
}

export function unite(a: Container, b: Container): Container {
  if (a.count === KEY_SPAN) return share(a)
  if (b.count === KEY_SPAN) return share(b)
  const left = plain(a, 0)
  const right = plain(b, 1)
  const result = unitePlain(left, right)
  if (result === left) return share(a)
  return result === right ? share(b) : result
}

function unitePlain(a: Container, b: Container): Container {
  if (a.kind === BITS) return b.kind === BITS ? uniteTwoBits(a, b) : uniteBitsAndArray(a, b)
  return b.kind === BITS ? uniteBitsAndArray(b, a) : uniteArrays(a, b)
}

function uniteTwoBits(a: Container, b: Container): Container {
  const count = uniteInScratch(a, b)
  if (count === a.count) return a
  return count === b.count ? b : keepScratch(a.key, count)
}

function uniteBitsAndArray(bits: Container, array: Container): Container {
  if (countArrayInBits(array, bits) === array.count) return bits
  const copy = plainCopy(bits, 0)
  copy.count += addArrayToBits(copy, array)
  return copy
}

function uniteArrays(a: Container, b: Container): Container {
  const fits = a.count + b.count <= MAX_ARRAY
  const count = fits ? mergeArrays(a, b) : addBothToScratch(a, b)
  if (count === a.count) return a
  if (count === b.count) return b
  return fits ? keepArray(a.key, count) : keepScratch(a.key, count)
}

function addBothToScratch(a: Container, b: Container): number {
  clearScratch()
  addToScratch(a)
  addToScratch(b)
  return countScratch()
}

export function exclude(a: Container, b: Container): Container | null {
  const onlyA = subtract(a, b)
  const onlyB = subtract(b, a)
  if (onlyA === null || onlyB === null) return onlyA ?? onlyB
  return unite(onlyA, onlyB)
}

export function countCommon(a: Container, b: Container): number {
  if (a.count === KEY_SPAN) return b.count
  if (b.count === KEY_SPAN) return a.count
  const left = plain(a, 0)
  const right = plain(b, 1)
  if (left.kind === ARRAY)
    return right.kind === ARRAY ? countCommonOfArrays(left, right) : countArrayInBits(left, right)
  return right.kind === ARRAY ? countArrayInBits(right, left) : countCommonOfBits(left, right)
}

export function meets(a: Container, b: Container): boolean {
  if (a.count + b.count > KEY_SPAN) return true
  const left = plain(a, 0)
  const right = plain(b, 1)
  if (left.kind === ARRAY) return right.kind === ARRAY ? arraysMeet(left, right) : arrayMeetsBits(left, right)
  return right.kind === ARRAY ? arrayMeetsBits(right, left) : bitsMeet(left, right)
}

/** Whether `b` has everything that `a` has. */
export function isWithin(a: Container, b: Container): boolean {
  return a === b || (a.count <= b.count && countCommon(a, b) === a.count)
}

/** Like `unite`, but a bitset `a` that is not shared is changed instead of copied. */
export function absorb(a: Container, b: Container): Container {
  if (a.kind !== BITS || a.shared || b.count === KEY_SPAN) return unite(a, b)
  const right = plain(b, 1)
  if (right.kind === BITS) takeScratch(a, uniteInScratch(a, right))
  else a.count += addArrayToBits(a, right)
  return a
}

/** Like `subtract`, but a bitset `a` that is not shared is changed instead of copied to take an array away. */
export function erase(a: Container, b: Container): Container | null {
  const mayChange = a.kind === BITS && !a.shared
  const right = plain(b, 1)
  return mayChange && right.kind === ARRAY ? removeArray(a, right) : subtract(a, b)
}
