/** Making lists of containers from plain ids. */
import { arena, keepArray, reserve } from './arena.js'
import { addIdsToScratch, addToScratch, clearScratch, countScratch, keepScratch, setScratch } from './bits.js'
import { arrayContainer, BITSET_WORDS, type Container, KEY_SPAN, MAX_ARRAY, rangeContainer } from './container.js'

// Below this the 256 KiB of counters that sorting by key takes are not worth it.
const MIN_FOR_BUCKETS = 8192
// A bitset is cheaper than sorting from about this many ids with the same key on.
const MIN_PER_KEY = 128

/** Throws a RangeError unless the ids are strictly increasing. */
export function listFromSorted(ids: Uint32Array): Container[] {
  const out: Container[] = []
  for (let from = 0; from < ids.length; ) {
    const to = endOfKey(ids, from)
    out.push(to - from > MAX_ARRAY ? bitsOf(ids, from, to) : arrayOf(ids, from, to))
    from = to
  }
  return out
}

/** The index of the first id after `from` with another key. Checks the order on the way. */
function endOfKey(ids: Uint32Array, from: number): number {
  const key = ids[from]! >>> 16
  let previous = from === 0 ? -1 : ids[from - 1]!
  let at = from
  for (; at < ids.length && ids[at]! >>> 16 === key; at++) {
    if (ids[at]! <= previous) throw new RangeError(`ids must increase: found ${ids[at]} after ${previous}`)
    previous = ids[at]!
  }
  return at
}

function arrayOf(ids: Uint32Array, from: number, to: number): Container {
  reserve(to - from)
  const shift = arena.used - from
  const out = arena.values
  for (let i = from; i < to; i++) out[i + shift] = ids[i]!
  return keepArray(ids[from]! >>> 16, to - from)
}

function bitsOf(ids: Uint32Array, from: number, to: number): Container {
  clearScratch()
  addIdsToScratch(ids, from, to)
  return keepScratch(ids[from]! >>> 16, to - from)
}

/** Sorts `ids` in place if it has to; duplicates are dropped. */
export function listFromUnsorted(ids: Uint32Array): Container[] {
  if (isStrictlyIncreasing(ids)) return listFromSorted(ids)
  if (ids.length >= MIN_FOR_BUCKETS) {
    const ends = endsByKey(ids)
    if (ids.length >= MIN_PER_KEY * countDistinct(ends)) return listFromBuckets(ids, ends)
  }
  return listFromSorted(withoutRepeats(ids.sort()))
}

function isStrictlyIncreasing(ids: Uint32Array): boolean {
  for (let i = 1; i < ids.length; i++) if (ids[i]! <= ids[i - 1]!) return false
  return true
}

function withoutRepeats(sorted: Uint32Array): Uint32Array {
  let kept = 0
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i]!
  return sorted.subarray(0, kept)
}

/** For each key, how many ids have that key or a smaller one. */
function endsByKey(ids: Uint32Array): Uint32Array {
  const ends = new Uint32Array(KEY_SPAN)
  for (let i = 0; i < ids.length; i++) ends[ids[i]! >>> 16]!++
  for (let key = 1; key < KEY_SPAN; key++) ends[key]! += ends[key - 1]!
  return ends
}

function countDistinct(ends: Uint32Array): number {
  let distinct = ends[0]! > 0 ? 1 : 0
  for (let key = 1; key < KEY_SPAN; key++) if (ends[key] !== ends[key - 1]) distinct++
  return distinct
}

/** Brings ids with the same key together, then sets the bits of each key: no comparison is made. */
function listFromBuckets(ids: Uint32Array, ends: Uint32Array): Container[] {
  const lows = new Uint16Array(ids.length)
  // Filled from its end to its start, each bucket's end becomes its start.
  const starts = ends
  for (let i = 0; i < ids.length; i++) lows[--starts[ids[i]! >>> 16]!] = ids[i]!
  const out: Container[] = []
  for (let key = 0; key < KEY_SPAN; key++) {
    const from = starts[key]!
    const to = key + 1 < KEY_SPAN ? starts[key + 1]! : ids.length
    if (from < to) out.push(sortedBucket(key, lows.subarray(from, to)))
  }
  return out
}

function sortedBucket(key: number, lows: Uint16Array): Container {
  clearScratch()
  addToScratch(arrayContainer(key, lows, lows.length))
  return keepScratch(key, countScratch())
}

/** The ids of all bits that are set. */
export function listFromWords(words: Uint32Array): Container[] {
  const out: Container[] = []
  for (let key = 0; key * BITSET_WORDS < words.length; key++) {
    setScratch(words.subarray(key * BITSET_WORDS, (key + 1) * BITSET_WORDS))
    const count = countScratch()
    if (count > 0) out.push(keepScratch(key, count))
  }
  return out
}

/** Every id from `from` up to, not including, `to`. */
export function listOfRange(from: number, to: number): Container[] {
  const out: Container[] = []
  for (let first = from; first < to; ) {
    const key = Math.floor(first / KEY_SPAN)
    const next = Math.min((key + 1) * KEY_SPAN, to)
    out.push(rangeContainer(key, first % KEY_SPAN, (next - 1) % KEY_SPAN))
    first = next
  }
  return out
}
