/** Reading whole containers out as ids: `key` in the upper 16 bits, the value in the lower. */
import { lowestBit } from './bits.js'
import { ARRAY, BITS, BITSET_WORDS, type Container, KEY_SPAN } from './container.js'
import { valueAt } from './navigate.js'

const WORDS = BITSET_WORDS
// V8 builds address and length of this one into the loop; those of any other are looked up on every turn.
const scratch = new Int32Array(WORDS)

/** An array being filled with ids: `at` is where the next one goes. */
export interface IdSink {
  readonly ids: Uint32Array
  at: number
}

/** Writes the container's ids, without its first `skip`, until the container or the sink is at its end. */
export function readIds(container: Container, skip: number, sink: IdSink): void {
  if (container.kind === ARRAY) sink.at = readArray(container, skip, sink)
  else if (container.kind === BITS) sink.at = readBits(container, skip, sink)
  else sink.at = readRuns(container, skip, sink)
}

// The three return where the next id goes instead of noting it: that would be code behind a loop that has never run
// when V8 compiles the loop during its first, long call, and V8 then falls back to slow code at the end of each call.

function readArray({ key, values, start, count }: Container, skip: number, { ids, at }: IdSink): number {
  const high = key << 16
  const end = Math.min(at + count - skip, ids.length)
  let from = start + skip
  let to = at
  for (; to + 3 < end; to += 4, from += 4) {
    ids[to] = high | values[from]!
    ids[to + 1] = high | values[from + 1]!
    ids[to + 2] = high | values[from + 2]!
    ids[to + 3] = high | values[from + 3]!
  }
  while (to < end) ids[to++] = high | values[from++]!
  return to
}

function readBits(container: Container, skip: number, { ids, at }: IdSink): number {
  const { key, words, start } = container
  const first = skip === 0 ? 0 : valueAt(container, skip)
  const end = ids.length
  scratch.set(words.subarray(start, start + WORDS))
  scratch[first >>> 5]! &= -1 << first
  let to = at
  for (let i = first >>> 5; i < WORDS; i++) {
    const high = (key << 16) | (i << 5)
    for (let word = scratch[i]!; word !== 0 && to < end; word &= word - 1) ids[to++] = high | lowestBit(word)
  }
  return to
}

function readRuns({ key, values, start, slots }: Container, skip: number, { ids, at }: IdSink): number {
  const end = ids.length
  let rest = skip
  let to = at
  for (let i = start; i < start + slots; i += 2) {
    const last = key * KEY_SPAN + values[i]! + values[i + 1]!
    for (let id = key * KEY_SPAN + values[i]! + rest; id <= last && to < end; id++) ids[to++] = id
    rest = Math.max(0, rest - values[i + 1]! - 1)
  }
  return to
}

/** Sets the bits of the container's ids, as far as there are words for them. */
export function markBits(container: Container, target: Uint32Array): void {
  const from = container.key * WORDS
  const length = Math.min(WORDS, target.length - from)
  if (length <= 0) return
  if (container.kind === BITS) {
    const { words, start } = container
    for (let i = 0; i < length; i++) target[from + i] = target[from + i]! | words[start + i]!
  } else if (container.kind === ARRAY) {
    const { values, start, count } = container
    for (let i = start; i < start + count; i++) markRange(target, from, length, values[i]!, values[i]!)
  } else {
    const { values, start, slots } = container
    for (let i = start; i < start + slots; i += 2)
      markRange(target, from, length, values[i]!, values[i]! + values[i + 1]!)
  }
}

/** Sets the bits of the values `first` to `last`, both included, in `length` words from `from` on. */
function markRange(target: Uint32Array, from: number, length: number, first: number, last: number): void {
  const [low, high] = [first >>> 5, last >>> 5]
  for (let i = low; i <= high && i < length; i++) {
    const above = i === low ? -1 << (first & 31) : -1
    const below = i === high ? -1 >>> (31 - (last & 31)) : -1
    target[from + i] = target[from + i]! | (above & below)
  }
}

/** Calls `visit` with every id in order. Uses no scratch memory, so `visit` may use other bitmaps. */
export function forEachId(container: Container, visit: (id: number) => void): void {
  if (container.kind === ARRAY) forEachValue(container, visit)
  else if (container.kind === BITS) forEachBit(container, visit)
  else forEachInRuns(container, visit)
}

function forEachValue({ key, values, start, count }: Container, visit: (id: number) => void): void {
  const high = key << 16
  for (let i = start, end = start + count; i < end; i++) visit((high | values[i]!) >>> 0)
}

function forEachBit({ key, words, start }: Container, visit: (id: number) => void): void {
  for (let i = 0; i < WORDS; i++) {
    const high = (key << 16) | (i << 5)
    for (let word = words[start + i]!; word !== 0; word &= word - 1) visit((high | lowestBit(word)) >>> 0)
  }
}

function forEachInRuns({ key, values, start, slots }: Container, visit: (id: number) => void): void {
  for (let i = start; i < start + slots; i += 2) {
    const first = key * KEY_SPAN + values[i]!
    for (let id = first; id <= first + values[i + 1]!; id++) visit(id)
  }
}
