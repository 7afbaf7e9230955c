/** Finding values inside one container, by value or by position. */
import { lowerBound } from './arrays.js'
import { countBits, hasBit, lowestBit } from './bits.js'
import { ARRAY, BITS, BITSET_WORDS, type Container } from './container.js'

export function contains(container: Container, low: number): boolean {
  if (container.kind === BITS) return hasBit(container, low)
  if (container.kind === ARRAY) {
    const at = lowerBound(container, low)
    return at < container.start + container.count && container.values[at] === low
  }
  const at = runEndingFrom(container, low)
  return at < container.start + container.slots && container.values[at]! <= low
}

/** The index of the first run whose last value is >= `low`, or the index behind the last run. */
function runEndingFrom({ values, start, slots }: Container, low: number): number {
  let lo = 0
  let hi = slots >>> 1
  while (lo < hi) {
    const middle = (lo + hi) >>> 1
    const at = start + 2 * middle
    if (values[at]! + values[at + 1]! < low) lo = middle + 1
    else hi = middle
  }
  return start + 2 * lo
}

/** The smallest value >= `low`, or -1. */
export function nextValue(container: Container, low: number): number {
  if (container.kind === BITS) return nextBit(container, low)
  const { values, start, count, slots } = container
  if (container.kind === ARRAY) {
    const at = lowerBound(container, low)
    return at < start + count ? values[at]! : -1
  }
  const at = runEndingFrom(container, low)
  return at < start + slots ? Math.max(values[at]!, low) : -1
}

function nextBit({ words, start }: Container, low: number): number {
  const first = low >>> 5
  let word = words[start + first]! & (-1 << low)
  for (let i = first; ; ) {
    if (word !== 0) return (i << 5) | lowestBit(word)
    if (++i === BITSET_WORDS) return -1
    word = words[start + i]!
  }
}

export function greatestValue({ kind, values, words, start, count, slots }: Container): number {
  if (kind === ARRAY) return values[start + count - 1]!
  if (kind !== BITS) return values[start + slots - 2]! + values[start + slots - 1]!
  let i = BITSET_WORDS - 1
  while (words[start + i] === 0) i--
  return (i << 5) | (31 - Math.clz32(words[start + i]!))
}

/** How many values are < `low`. */
export function rankOf(container: Container, low: number): number {
  const { kind, values, words, start } = container
  if (kind === ARRAY) return lowerBound(container, low) - start
  if (kind === BITS) {
    const at = start + (low >>> 5)
    let rank = countBits(words[at]! & ~(-1 << low))
    for (let i = start; i < at; i++) rank += countBits(words[i]!)
    return rank
  }
  const end = runEndingFrom(container, low)
  let rank = 0
  for (let i = start; i < end; i += 2) rank += values[i + 1]! + 1
  const insideLast = end < start + container.slots ? Math.max(0, low - values[end]!) : 0
  return rank + insideLast
}

/** The value that has `position` smaller ones; `position` is below the container's count. */
export function valueAt(container: Container, position: number): number {
  const { kind, values, start } = container
  if (kind === ARRAY) return values[start + position]!
  if (kind === BITS) return bitAt(container, position)
  let rest = position
  let at = start
  while (rest > values[at + 1]!) {
    rest -= values[at + 1]! + 1
    at += 2
  }
  return values[at]! + rest
}

function bitAt({ words, start }: Container, position: number): number {
  let rest = position
  let at = start
  for (let inWord = countBits(words[at]!); rest >= inWord; inWord = countBits(words[at]!)) {
    rest -= inWord
    at++
  }
  let word = words[at]!
  while (rest-- > 0) word &= word - 1
  return ((at - start) << 5) | lowestBit(word)
}
