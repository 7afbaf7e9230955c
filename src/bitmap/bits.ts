/**
 * Loops over bitset containers. Those that combine sets do it in `left`, the scratch bitset, and return how many bits
 * it then holds, so that the caller can choose the layout of the result (`keepScratch`) or keep an input instead.
 *
 * Bitsets are copied to `left` and `right` first, even to be only counted: V8 builds address and length of these two
 * into the code, while those of any other typed array are looked up again on every turn of a loop. The copy costs
 * far less than it saves.
 */
import { arena, keepArray, reserve } from './arena.js'
import { ARRAY, BITS, BITSET_WORDS, bitsContainer, type Container, MAX_ARRAY } from './container.js'

// An imported constant is looked up on every turn as well.
const WORDS = BITSET_WORDS

const left = new Int32Array(WORDS)
const right = new Int32Array(WORDS)

function load(target: Int32Array, { words, start }: Container): void {
  target.set(words.length === WORDS ? words : words.subarray(start, start + WORDS))
}

export function countBits(word: number): number {
  const pairs = (word - ((word >>> 1) & 0x55555555)) | 0
  const nibbles = ((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)) | 0
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The position of the lowest set bit of `word`, which is not 0. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}

export function hasBit(container: Container, low: number): boolean {
  return ((container.words[container.start + (low >>> 5)]! >>> low) & 1) === 1
}

/** The bits that are set in at least two of three words: the carry of adding them. */
function majority(a: number, b: number, c: number): number {
  return (a & b) | ((a ^ b) & c)
}

/**
 * How many bits of `left` are set. Adds words like a column of binary numbers, four at a time, and counts only the
 * carries worth four: Muła, Kurz, Lemire, "Faster population counts using AVX2 instructions", 2018, section 3.
 */
export function countScratch(): number {
  let fours = 0
  let twos = 0
  let ones = 0
  for (let i = 0; i < WORDS; i += 4) {
    const a = left[i]!
    const b = left[i + 1]!
    const c = left[i + 2]!
    const d = left[i + 3]!
    const firstTwos = majority(ones, a, b)
    ones ^= a ^ b
    const secondTwos = majority(ones, c, d)
    ones ^= c ^ d
    fours = (fours + countBits(majority(twos, firstTwos, secondTwos))) | 0
    twos ^= firstTwos ^ secondTwos
  }
  return 4 * fours + 2 * countBits(twos) + countBits(ones)
}

/** The same count for the bits set in both, without writing them. */
export function countCommonOfBits(first: Container, second: Container): number {
  load(left, first)
  load(right, second)
  let fours = 0
  let twos = 0
  let ones = 0
  for (let i = 0; i < WORDS; i += 4) {
    const a = left[i]! & right[i]!
    const b = left[i + 1]! & right[i + 1]!
    const c = left[i + 2]! & right[i + 2]!
    const d = left[i + 3]! & right[i + 3]!
    const firstTwos = majority(ones, a, b)
    ones ^= a ^ b
    const secondTwos = majority(ones, c, d)
    ones ^= c ^ d
    fours = (fours + countBits(majority(twos, firstTwos, secondTwos))) | 0
    twos ^= firstTwos ^ secondTwos
  }
  return 4 * fours + 2 * countBits(twos) + countBits(ones)
}

export function countOfBits(bits: Container): number {
  load(left, bits)
  return countScratch()
}

export function bitsMeet(a: Container, b: Container): boolean {
  const shift = b.start - a.start
  for (let i = a.start, end = i + WORDS; i < end; i++) {
    if ((a.words[i]! & b.words[i + shift]!) !== 0) return true
  }
  return false
}

/** Scratch becomes `a` and `b`. */
export function intersectInScratch(a: Container, b: Container): void {
  load(left, a)
  load(right, b)
  keepRight()
}

/** Scratch becomes `a` without `b`. */
export function subtractInScratch(a: Container, b: Container): void {
  load(left, a)
  load(right, b)
  dropRight()
}

/** Scratch becomes `a` or `b`; returns how many bits it holds. */
export function uniteInScratch(a: Container, b: Container): number {
  load(left, a)
  load(right, b)
  addRight()
  return countScratch()
}

function keepRight(): void {
  for (let i = 0; i < WORDS; i += 4) {
    left[i]! &= right[i]!
    left[i + 1]! &= right[i + 1]!
    left[i + 2]! &= right[i + 2]!
    left[i + 3]! &= right[i + 3]!
  }
}

function dropRight(): void {
  for (let i = 0; i < WORDS; i += 4) {
    left[i]! &= ~right[i]!
    left[i + 1]! &= ~right[i + 1]!
    left[i + 2]! &= ~right[i + 2]!
    left[i + 3]! &= ~right[i + 3]!
  }
}

function addRight(): void {
  for (let i = 0; i < WORDS; i += 4) {
    left[i]! |= right[i]!
    left[i + 1]! |= right[i + 1]!
    left[i + 2]! |= right[i + 2]!
    left[i + 3]! |= right[i + 3]!
  }
}

// The words of scratch that are not zero, and which words of it they are.
const gathered = new Int32Array(WORDS + 1)
const gatheredFrom = new Uint16Array(WORDS + 1)

/**
 * Writes the values in scratch to the arena and returns how many there are, or -1 as soon as they are more than an
 * array may hold. Saves the counting when few are expected.
 */
export function extractScratch(): number {
  const words = gatherWords()
  // The limit is looked at after each word.
  reserve(MAX_ARRAY + 32)
  const out = arena.values
  const limit = arena.used + MAX_ARRAY
  let at = arena.used
  for (let i = 0; i < words; i++) {
    at = writeWord(gathered[i]!, gatheredFrom[i]! << 5, out, at)
    if (at > limit) return -1
  }
  return at - arena.used
}

/** Whether a word of a sparse set is zero cannot be predicted, so those that are get dropped without asking. */
function gatherWords(): number {
  let count = 0
  for (let i = 0; i < WORDS; i++) {
    const word = left[i]!
    gathered[count] = word
    gatheredFrom[count] = i
    count += (word | -word) >>> 31
  }
  return count
}

/**
 * Writes `base` + the position of every bit of `word`, which is not 0, to `out` from index `at` on; returns the index
 * behind the last. Most words of a sparse set have one bit or two, so the second is written without asking as well.
 */
function writeWord(word: number, base: number, out: Uint16Array, at: number): number {
  out[at] = base | lowestBit(word)
  let rest = word & (word - 1)
  out[at + 1] = base | lowestBit(rest)
  let next = at + 1 + ((rest | -rest) >>> 31)
  for (rest &= rest - 1; rest !== 0; rest &= rest - 1) out[next++] = base | lowestBit(rest)
  return next
}

/** 1 if the bit is set, else 0. */
function bitOf(words: Int32Array, firstWord: number, value: number): number {
  return (words[firstWord + (value >>> 5)]! >>> value) & 1
}

/** Writes the values of `array` that are in `bits` (`flip` 0), or those that are not (`flip` 1); returns how many. */
export function filterByBits(array: Container, bits: Container, flip: 0 | 1): number {
  reserve(array.count)
  const values = array.values
  const end = array.start + array.count
  const words = bits.words
  const firstWord = bits.start
  const out = arena.values
  let at = arena.used
  let i = array.start
  for (; i + 3 < end; i += 4) {
    const first = values[i]!
    const second = values[i + 1]!
    const third = values[i + 2]!
    const fourth = values[i + 3]!
    out[at] = first
    at += bitOf(words, firstWord, first) ^ flip
    out[at] = second
    at += bitOf(words, firstWord, second) ^ flip
    out[at] = third
    at += bitOf(words, firstWord, third) ^ flip
    out[at] = fourth
    at += bitOf(words, firstWord, fourth) ^ flip
  }
  for (; i < end; i++) {
    out[at] = values[i]!
    at += bitOf(words, firstWord, values[i]!) ^ flip
  }
  return at - arena.used
}

export function countArrayInBits(array: Container, bits: Container): number {
  const values = array.values
  const end = array.start + array.count
  const words = bits.words
  const firstWord = bits.start
  let count = 0
  let i = array.start
  for (; i + 3 < end; i += 4) {
    count += bitOf(words, firstWord, values[i]!) + bitOf(words, firstWord, values[i + 1]!)
    count += bitOf(words, firstWord, values[i + 2]!) + bitOf(words, firstWord, values[i + 3]!)
  }
  for (; i < end; i++) count += bitOf(words, firstWord, values[i]!)
  return count
}

export function arrayMeetsBits(array: Container, bits: Container): boolean {
  for (let i = array.start, end = i + array.count; i < end; i++) {
    if (hasBit(bits, array.values[i]!)) return true
  }
  return false
}

/** Sets the bits of the array's values; returns how many were not set before. `bits.count` stays as it was. */
export function addArrayToBits(bits: Container, array: Container): number {
  const values = array.values
  const words = bits.words
  const firstWord = bits.start
  let added = 0
  for (let i = array.start, end = i + array.count; i < end; i++) {
    const value = values[i]!
    const at = firstWord + (value >>> 5)
    const word = words[at]!
    added += ~(word >>> value) & 1
    words[at] = word | (1 << value)
  }
  return added
}

/** Clears the bits of the array's values; returns how many were set before. `bits.count` stays as it was. */
export function removeArrayFromBits(bits: Container, array: Container): number {
  const values = array.values
  const words = bits.words
  const firstWord = bits.start
  let removed = 0
  for (let i = array.start, end = i + array.count; i < end; i++) {
    const value = values[i]!
    const at = firstWord + (value >>> 5)
    const word = words[at]!
    removed += (word >>> value) & 1
    words[at] = word & ~(1 << value)
  }
  return removed
}

export function clearScratch(): void {
  left.fill(0)
}

/** Makes scratch hold these words, and zeros behind them. */
export function setScratch(words: Uint32Array): void {
  left.set(words)
  left.fill(0, words.length)
}

export function addToScratch(container: Container): void {
  if (container.kind === ARRAY) addArrayToScratch(container)
  else if (container.kind === BITS) addBitsToScratch(container)
  else fillRuns(left, container)
}

function addBitsToScratch(bits: Container): void {
  load(right, bits)
  addRight()
}

/** The values may come in any order and repeatedly. */
function addArrayToScratch({ values, start, count }: Container): void {
  for (let i = start, end = start + count; i < end; i++) {
    const value = values[i]!
    left[value >>> 5]! |= 1 << value
  }
}

/** Adds the lower 16 bits of the ids from index `from` up to, not including, `to`. */
export function addIdsToScratch(ids: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const id = ids[i]!
    left[(id & 0xffff) >>> 5]! |= 1 << id
  }
}

/** A container of what scratch holds, `count` values, at least one. */
export function keepScratch(key: number, count: number): Container {
  if (count > MAX_ARRAY) return bitsContainer(key, left.slice(), count)
  extractScratch()
  return keepArray(key, count)
}

/** The array form of a bitset that has become small enough for it. */
export function bitsToArray(bits: Container): Container {
  load(left, bits)
  return keepScratch(bits.key, bits.count)
}

/** Makes a bitset that nobody shares hold what scratch holds: `count` values, too many for an array. */
export function takeScratch(bits: Container, count: number): void {
  bits.words.set(left, bits.start)
  bits.count = count
}

// Calling `fill` costs as much as setting about this many words.
const MIN_FOR_FILL = 32

/** Sets the bits of every run. */
export function fillRuns(words: Int32Array, runs: Container): void {
  const pairs = runs.values
  for (let i = runs.start, end = i + runs.slots; i < end; i += 2) fillRange(words, pairs[i]!, pairs[i]! + pairs[i + 1]!)
}

/** Sets the bits from `first` to `last`, both included. */
function fillRange(words: Int32Array, first: number, last: number): void {
  const firstWord = first >>> 5
  const lastWord = last >>> 5
  const head = -1 << first
  const tail = -1 >>> ~last
  if (firstWord === lastWord) {
    words[firstWord]! |= head & tail
    return
  }
  words[firstWord]! |= head
  if (lastWord - firstWord > MIN_FOR_FILL) words.fill(-1, firstWord + 1, lastWord)
  else for (let i = firstWord + 1; i < lastWord; i++) words[i] = -1
  words[lastWord]! |= tail
}

/** How many runs of neighbouring bits the bitset has: the bits that have no set bit just below. */
export function countRunsOfBits(container: Container): number {
  let runs = 0
  let carry = 0
  for (let i = container.start, end = i + WORDS; i < end; i++) {
    const word = container.words[i]!
    runs += countBits(word & ~((word << 1) | carry))
    carry = word >>> 31
  }
  return runs
}
