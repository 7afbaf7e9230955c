/** Ids whose upper 16 bits agree live together; this is how many there can be. */
export const KEY_SPAN = 0x10000
/** Beyond this a sorted array of 16-bit values is larger than a bitset (4096 values of 2 bytes = 8192 bytes). */
export const MAX_ARRAY = 4096
/** 65536 bits in words of 32. Signed words, because that is what JavaScript's bit operators give back. */
export const BITSET_WORDS = 2048
export const BITSET_BYTES = 8192

export const ARRAY = 0
export const BITS = 1
export const RUNS = 2
export type Kind = typeof ARRAY | typeof BITS | typeof RUNS

const NO_VALUES = new Uint16Array(0)
const NO_WORDS = new Int32Array(0)

/**
 * The lower 16 bits of all ids with the same upper 16 bits (`key`), in one of three layouts:
 *
 *     ARRAY  values[start ..][count]     strictly increasing, at most MAX_ARRAY of them
 *     BITS   words[start ..][2048]       one bit per value, more than MAX_ARRAY of them set
 *     RUNS   values[start ..][slots]     pairs (first value, length - 1), increasing, not overlapping
 *
 * One class for all three, so that every loop over containers sees one hidden class. A container is never empty.
 */
export class Container {
  readonly key: number
  kind: Kind
  count: number
  values: Uint16Array = NO_VALUES
  words: Int32Array = NO_WORDS
  start = 0
  /** How many slots of `values` belong to this container, from `start` on: spare room of an array, extent of runs. */
  slots = 0
  /** More than one bitmap may point here, so whoever wants to change it has to copy it first. */
  shared = false

  constructor(key: number, kind: Kind, count: number) {
    this.key = key
    this.kind = kind
    this.count = count
  }
}

export function arrayContainer(key: number, values: Uint16Array, count: number): Container {
  const container = new Container(key, ARRAY, count)
  container.values = values
  container.slots = values.length
  return container
}

export function bitsContainer(key: number, words: Int32Array, count: number): Container {
  const container = new Container(key, BITS, count)
  container.words = words
  return container
}

export function runsContainer(key: number, pairs: Uint16Array, count: number): Container {
  const container = new Container(key, RUNS, count)
  container.values = pairs
  container.slots = pairs.length
  return container
}

/** Every value from `first` to `last`, both included. */
export function rangeContainer(key: number, first: number, last: number): Container {
  return runsContainer(key, Uint16Array.of(first, last - first), last - first + 1)
}

/** Lets one more bitmap point at the container. */
export function share(container: Container): Container {
  container.shared = true
  return container
}
