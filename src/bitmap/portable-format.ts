/**
 * The portable Roaring format (spec 2 §6.2), little endian, data without padding:
 *
 *     without runs                          with runs
 *     u32 12346, u32 n                      u16 12347, u16 n - 1, ceil(n / 8) bytes: bit i set = container i has runs
 *     n times u16 key, u16 count - 1        the same
 *     n times u32 byte offset of the data   the same, but only if n >= 4
 *     data of the n containers              the same
 *
 *     array   count times u16 value         at most 4096 values
 *     bitset  8192 bytes                    more than 4096 values
 *     runs    u16 r, r times (u16 first value, u16 length - 1)
 *
 * `{0, 1}` is 58 48 0 0  1 0 0 0  0 0 1 0  16 0 0 0  0 0 1 0.
 *
 * The data of every container is a whole number of 16-bit slots, so all of it is copied at once to where it can be
 * read as such, and containers point into the copy.
 */
import { arena, reserve } from './arena.js'
import { countOfBits } from './bits.js'
import { ARRAY, BITS, BITSET_WORDS, Container, KEY_SPAN, type Kind, MAX_ARRAY, RUNS } from './container.js'
import { dataBytes } from './layout.js'
import type { ContainerList } from './lists.js'

const COOKIE_WITHOUT_RUNS = 12346
const COOKIE_WITH_RUNS = 12347
const MIN_FOR_OFFSETS = 4
// Up to this many bytes of data go to the arena: an allocation would cost more than the copying.
const MAX_ARENA_BYTES = 2048
// Up to this many values are copied one by one: a view for copying them at once would cost more.
const MAX_COPIED_SINGLY = 64

if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) {
  throw new Error('Bitmaps are stored in little-endian order and copied as they are: this machine is big-endian')
}

/** Thrown for bytes that are no portable Roaring bitmap. */
export class CorruptBitmapError extends Error {
  constructor(
    readonly byteOffset: number,
    problem: string,
  ) {
    super(`Not a portable Roaring bitmap, at byte ${byteOffset}: ${problem}`)
    this.name = 'CorruptBitmapError'
  }
}

export function serializedBytes(list: ContainerList): number {
  let total = headerBytes(list.length, hasRuns(list))
  for (const container of list) total += dataBytes(container)
  return total
}

function hasRuns(list: ContainerList): boolean {
  return list.some((container) => container.kind === RUNS)
}

function headerBytes(count: number, withRuns: boolean): number {
  if (!withRuns) return 8 + 8 * count
  return 4 + Math.ceil(count / 8) + (count < MIN_FOR_OFFSETS ? 4 : 8) * count
}

export function serializeList(list: ContainerList): Uint8Array {
  const bytes = new Uint8Array(serializedBytes(list))
  let at = writeHeader(list, bytes)
  for (const container of list) {
    writeData(container, bytes, at)
    at += dataBytes(container)
  }
  return bytes
}

/** A list with one id. */
export function serializeOne(id: number): Uint8Array {
  const bytes = new Uint8Array(headerBytes(1, false) + 2)
  writeU32(bytes, 0, COOKIE_WITHOUT_RUNS)
  bytes[4] = 1
  writeU16(bytes, 8, id >>> 16)
  bytes[12] = headerBytes(1, false)
  writeU16(bytes, 16, id)
  return bytes
}

/** Returns where the data begins. */
function writeHeader(list: ContainerList, bytes: Uint8Array): number {
  const withRuns = hasRuns(list)
  const count = list.length
  let at = withRuns ? writeRunFlags(list, bytes) : 8
  if (!withRuns) {
    writeU32(bytes, 0, COOKIE_WITHOUT_RUNS)
    writeU32(bytes, 4, count)
  }
  for (const container of list) {
    writeU16(bytes, at, container.key)
    writeU16(bytes, at + 2, container.count - 1)
    at += 4
  }
  if (withRuns && count < MIN_FOR_OFFSETS) return at
  let offset = at + 4 * count
  for (const container of list) {
    writeU32(bytes, at, offset)
    offset += dataBytes(container)
    at += 4
  }
  return at
}

function writeRunFlags(list: ContainerList, bytes: Uint8Array): number {
  writeU16(bytes, 0, COOKIE_WITH_RUNS)
  writeU16(bytes, 2, list.length - 1)
  list.forEach((container, i) => {
    if (container.kind === RUNS) bytes[4 + (i >>> 3)]! |= 1 << (i & 7)
  })
  return 4 + Math.ceil(list.length / 8)
}

function writeData(container: Container, bytes: Uint8Array, at: number): void {
  const { kind, words, start, slots } = container
  if (kind === BITS) bytes.set(bytesOf(words, start, BITSET_WORDS), at)
  else if (kind === ARRAY) writeValues(container, container.count, bytes, at)
  else {
    writeU16(bytes, at, slots / 2)
    writeValues(container, slots, bytes, at + 2)
  }
}

function writeValues({ values, start }: Container, count: number, bytes: Uint8Array, at: number): void {
  if (count > MAX_COPIED_SINGLY) bytes.set(bytesOf(values, start, count), at)
  else for (let i = 0; i < count; i++) writeU16(bytes, at + 2 * i, values[start + i]!)
}

function bytesOf(source: Uint16Array | Int32Array, start: number, count: number): Uint8Array {
  const width = source.BYTES_PER_ELEMENT
  return new Uint8Array(source.buffer, source.byteOffset + width * start, width * count)
}

function writeU16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value
  bytes[at + 1] = value >>> 8
}

function writeU32(bytes: Uint8Array, at: number, value: number): void {
  writeU16(bytes, at, value)
  writeU16(bytes, at + 2, value >>> 16)
}

/** Throws a CorruptBitmapError for anything that `serializeList` of some implementation cannot have written. */
export function deserializeList(bytes: Uint8Array): Container[] {
  const header = readHeader(bytes)
  const list = readLayouts(bytes, header)
  attachData(bytes, header.dataAt, list)
  for (const container of list) checkData(container, header.dataAt)
  return list
}

interface Header {
  readonly count: number
  /** Where the bits saying which containers have runs begin; -1 if none has. */
  readonly flagsAt: number
  readonly keysAt: number
  /** -1 if there are no offsets. */
  readonly offsetsAt: number
  readonly dataAt: number
}

function readHeader(bytes: Uint8Array): Header {
  if (bytes.length < 8) throw new CorruptBitmapError(bytes.length, 'expected at least 8 bytes')
  const withRuns = readU16(bytes, 0) === COOKIE_WITH_RUNS
  if (!withRuns && readU32(bytes, 0) !== COOKIE_WITHOUT_RUNS) {
    throw new CorruptBitmapError(0, `expected cookie 12346 or 12347, found ${readU32(bytes, 0)}`)
  }
  const count = withRuns ? readU16(bytes, 2) + 1 : readU32(bytes, 4)
  if (count > KEY_SPAN) throw new CorruptBitmapError(4, `expected at most 65536 containers, found ${count}`)
  const dataAt = headerBytes(count, withRuns)
  if (bytes.length < dataAt) throw new CorruptBitmapError(bytes.length, `expected a header of ${dataAt} bytes`)
  const keysAt = withRuns ? 4 + Math.ceil(count / 8) : 8
  const offsetsAt = withRuns && count < MIN_FOR_OFFSETS ? -1 : keysAt + 4 * count
  return { count, flagsAt: withRuns ? 4 : -1, keysAt, offsetsAt, dataAt }
}

/** The containers without their data: `start` is the byte where it begins. Checks that it lies within `bytes`. */
function readLayouts(bytes: Uint8Array, { count, flagsAt, keysAt, offsetsAt, dataAt }: Header): Container[] {
  const list: Container[] = []
  let at = dataAt
  let previousKey = -1
  for (let i = 0; i < count; i++) {
    const keyAt = keysAt + 4 * i
    const key = readU16(bytes, keyAt)
    if (key <= previousKey) throw new CorruptBitmapError(keyAt, `expected a key above ${previousKey}, found ${key}`)
    if (offsetsAt >= 0) checkOffset(bytes, offsetsAt + 4 * i, at)
    const hasRuns = flagsAt >= 0 && ((bytes[flagsAt + (i >>> 3)]! >>> (i & 7)) & 1) === 1
    const container = layoutAt({ bytes, at, key, count: readU16(bytes, keyAt + 2) + 1, hasRuns })
    at += dataBytes(container)
    if (at > bytes.length) throw new CorruptBitmapError(bytes.length, `expected data up to byte ${at}`)
    list.push(container)
    previousKey = key
  }
  if (at < bytes.length) throw new CorruptBitmapError(at, `expected the end, found ${bytes.length - at} more bytes`)
  return list
}

function checkOffset(bytes: Uint8Array, offsetAt: number, expected: number): void {
  const found = readU32(bytes, offsetAt)
  if (found !== expected) throw new CorruptBitmapError(offsetAt, `expected offset ${expected}, found ${found}`)
}

interface LayoutFacts {
  readonly bytes: Uint8Array
  readonly at: number
  readonly key: number
  readonly count: number
  readonly hasRuns: boolean
}

function layoutAt({ bytes, at, key, count, hasRuns }: LayoutFacts): Container {
  if (hasRuns && at + 2 > bytes.length) throw new CorruptBitmapError(bytes.length, 'expected a number of runs')
  const kind: Kind = hasRuns ? RUNS : count > MAX_ARRAY ? BITS : ARRAY
  const container = new Container(key, kind, count)
  container.start = hasRuns ? at + 2 : at
  if (kind !== BITS) container.slots = hasRuns ? 2 * readU16(bytes, at) : count
  return container
}

/** Copies the data and lets the containers point into the copy. */
function attachData(bytes: Uint8Array, dataAt: number, list: readonly Container[]): void {
  const isSmall = bytes.length - dataAt <= MAX_ARENA_BYTES
  const base = isSmall ? copyToArena(bytes, dataAt) : 0
  const values = isSmall ? arena.values : copyAligned(bytes, dataAt)
  for (const container of list) {
    const start = base + (container.start - dataAt) / 2
    if (container.kind === BITS) {
      attachWords(container, values, start)
    } else {
      container.values = values
      container.start = start
    }
  }
}

/** Returns the slot where the copy begins. */
function copyToArena(bytes: Uint8Array, dataAt: number): number {
  const slots = (bytes.length - dataAt) / 2
  reserve(slots)
  const base = arena.used
  const values = arena.values
  if (slots > MAX_COPIED_SINGLY) arena.bytes.set(bytes.subarray(dataAt), 2 * base)
  else for (let i = 0; i < slots; i++) values[base + i] = readU16(bytes, dataAt + 2 * i)
  arena.used += slots
  return base
}

function copyAligned(bytes: Uint8Array, dataAt: number): Uint16Array {
  const length = bytes.length - dataAt
  const copy = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  copy.set(bytes.subarray(dataAt))
  return new Uint16Array(copy.buffer)
}

/** Behind an array with an odd count a bitset lies half a word off and needs a copy of its own. */
function attachWords(container: Container, values: Uint16Array, start: number): void {
  const isAligned = start % 2 === 0
  const source = isAligned ? values : values.slice(start, start + 2 * BITSET_WORDS)
  container.words = new Int32Array(source.buffer, 0, source.length >>> 1)
  container.start = isAligned ? start / 2 : 0
}

function checkData(container: Container, dataAt: number): void {
  const problem = problemOf(container)
  if (problem !== '') throw new CorruptBitmapError(dataAt, `container ${container.key}: ${problem}`)
}

function problemOf(container: Container): string {
  const { kind, count } = container
  if (kind === ARRAY) return isIncreasing(container) ? '' : 'expected increasing values'
  const found = kind === BITS ? countOfBits(container) : countOfRuns(container)
  if (found < 0) return 'expected increasing runs that do not overlap'
  return found === count ? '' : `expected ${count} values, found ${found}`
}

function isIncreasing({ values, start, count }: Container): boolean {
  // Negative as soon as one value is not greater than the one before it.
  let signs = 0
  for (let i = start + 1, end = start + count; i < end; i++) signs |= values[i]! - values[i - 1]! - 1
  return signs >= 0
}

/** How many values the runs have, or -1 if they are not in order or leave the container. */
function countOfRuns({ values, start, slots }: Container): number {
  let last = -1
  let count = 0
  for (let i = start; i < start + slots; i += 2) {
    if (values[i]! <= last) return -1
    last = values[i]! + values[i + 1]!
    count += values[i + 1]! + 1
  }
  return last < KEY_SPAN ? count : -1
}

function readU16(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8)
}

function readU32(bytes: Uint8Array, at: number): number {
  return (readU16(bytes, at) | (readU16(bytes, at + 2) << 16)) >>> 0
}
