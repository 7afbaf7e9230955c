/** Choosing and changing how a container is laid out. */
import { countRunsOfArray } from './arrays.js'
import { countRunsOfBits, fillRuns, lowestBit } from './bits.js'
import {
  ARRAY,
  arrayContainer,
  BITS,
  BITSET_BYTES,
  BITSET_WORDS,
  bitsContainer,
  type Container,
  MAX_ARRAY,
  RUNS,
  runsContainer,
} from './container.js'

// Where `plain` unpacks runs: one place for each side of an operation.
const sideValues = [new Uint16Array(MAX_ARRAY), new Uint16Array(MAX_ARRAY)] as const
const sideWords = [new Int32Array(BITSET_WORDS), new Int32Array(BITSET_WORDS)] as const

/**
 * The same set as an array or a bitset. Runs are unpacked into scratch memory of that side of an operation: the
 * result is valid until the next call for the same side and must not be kept.
 */
export function plain(container: Container, side: 0 | 1): Container {
  return container.kind === RUNS ? unpack(container, side) : container
}

function unpack(runs: Container, side: 0 | 1): Container {
  if (runs.count > MAX_ARRAY) {
    const words = sideWords[side].fill(0)
    fillRuns(words, runs)
    return bitsContainer(runs.key, words, runs.count)
  }
  const values = sideValues[side]
  let at = 0
  for (let i = runs.start, end = i + runs.slots; i < end; i += 2) {
    const last = runs.values[i]! + runs.values[i + 1]!
    for (let value = runs.values[i]!; value <= last; value++) values[at++] = value
  }
  return arrayContainer(runs.key, values, runs.count)
}

/** A copy as array or bitset that belongs to the caller; an array gets at least `room` slots. */
export function plainCopy(container: Container, room: number): Container {
  const { key, count, start, words, values, kind } = plain(container, 0)
  if (kind === BITS) return bitsContainer(key, words.slice(start, start + BITSET_WORDS), count)
  const copy = new Uint16Array(Math.max(room, count))
  copy.set(values.subarray(start, start + count))
  return arrayContainer(key, copy, count)
}

/** The bitset form of an array. */
export function arrayToBits({ key, values, start, count }: Container): Container {
  const words = new Int32Array(BITSET_WORDS)
  for (let i = start; i < start + count; i++) words[values[i]! >>> 5]! |= 1 << values[i]!
  return bitsContainer(key, words, count)
}

/** The same containers, their arrays copied into one block of exactly the size they need. */
export function moveArraysOut(list: readonly Container[]): Container[] {
  const total = list.reduce((sum, { kind, count }) => (kind === ARRAY ? sum + count : sum), 0)
  const block = new Uint16Array(total)
  let used = 0
  return list.map((container) => {
    if (container.kind !== ARRAY) return container
    const { key, values, start, count } = container
    block.set(values.subarray(start, start + count), used)
    const moved = arrayContainer(key, block, count)
    moved.start = used
    moved.slots = count
    used += count
    return moved
  })
}

/** Bytes of the container's data in the portable format, and about as many in memory. */
export function dataBytes(container: Container): number {
  if (container.kind === BITS) return BITSET_BYTES
  return container.kind === ARRAY ? 2 * container.count : 2 + 2 * container.slots
}

/** The layout that takes the fewest bytes; the container itself if it has that already. */
export function smallestLayout(container: Container): Container {
  const runsBytes = 2 + 4 * countRuns(container)
  const plainBytes = container.count > MAX_ARRAY ? BITSET_BYTES : 2 * container.count
  if (runsBytes < plainBytes) return container.kind === RUNS ? container : toRuns(container)
  return container.kind === RUNS ? plainCopy(container, 0) : container
}

function countRuns(container: Container): number {
  if (container.kind === RUNS) return container.slots / 2
  return container.kind === ARRAY ? countRunsOfArray(container) : countRunsOfBits(container)
}

function toRuns(container: Container): Container {
  const pairs = new Uint16Array(2 * countRuns(container))
  if (container.kind === ARRAY) writeRunsOfArray(container, pairs)
  else writeRunsOfBits(container, pairs)
  return runsContainer(container.key, pairs, container.count)
}

function writeRunsOfArray({ values, start, count }: Container, pairs: Uint16Array): void {
  let at = -2
  for (let i = start; i < start + count; i++) {
    if (i > start && values[i] === values[i - 1]! + 1) {
      pairs[at + 1]!++
    } else {
      at += 2
      pairs[at] = values[i]!
    }
  }
}

/** A bit that differs from the bit below it begins a run or is the first one behind a run, in turns. */
function writeRunsOfBits({ words, start }: Container, pairs: Uint16Array): void {
  let at = 0
  let first = -1
  let carry = 0
  for (let i = 0; i < BITSET_WORDS; i++) {
    const word = words[start + i]!
    for (let edges = word ^ ((word << 1) | carry); edges !== 0; edges &= edges - 1) {
      const edge = (i << 5) | lowestBit(edges)
      if (first >= 0) {
        pairs[at++] = first
        pairs[at++] = edge - first - 1
      }
      first = first < 0 ? edge : -1
    }
    carry = word >>> 31
  }
  if (first >= 0) pairs.set([first, 0xffff - first], at)
}
