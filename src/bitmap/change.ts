/** Adding and removing single values. */
import { lowerBound } from './arrays.js'
import { bitsToArray } from './bits.js'
import { ARRAY, arrayContainer, BITS, type Container, MAX_ARRAY } from './container.js'
import { arrayToBits, plainCopy } from './layout.js'

const FIRST_SLOTS = 8

export function singleValue(key: number, low: number): Container {
  const values = new Uint16Array(FIRST_SLOTS)
  values[0] = low
  return arrayContainer(key, values, 1)
}

/** The container with `low` in it, which is not in it yet: `container` itself, changed, or one in its place. */
export function withValue(container: Container, low: number): Container {
  if (container.kind === ARRAY) return container.count < MAX_ARRAY ? insert(container, low) : overflow(container, low)
  const target = ownedPlain(container)
  if (target.kind === ARRAY) return withValue(target, low)
  setBit(target, low)
  return target
}

function insert(container: Container, low: number): Container {
  const hasRoom = !container.shared && container.count < container.slots
  const target = hasRoom ? container : plainCopy(container, roomFor(container.count + 1))
  const { values, start, count } = target
  const at = lowerBound(target, low)
  if (at < start + count) values.copyWithin(at + 1, at, start + count)
  values[at] = low
  target.count++
  return target
}

function roomFor(count: number): number {
  return Math.min(MAX_ARRAY, Math.max(FIRST_SLOTS, 2 * count))
}

function overflow(container: Container, low: number): Container {
  const bits = arrayToBits(container)
  setBit(bits, low)
  return bits
}

function setBit(bits: Container, low: number): void {
  bits.words[bits.start + (low >>> 5)]! |= 1 << low
  bits.count++
}

/** The container without `low`, which is in it, or `null` if that was all: `container` itself or one in its place. */
export function withoutValue(container: Container, low: number): Container | null {
  if (container.count === 1) return null
  const target = ownedPlain(container)
  target.count--
  if (target.kind === BITS) {
    target.words[target.start + (low >>> 5)]! &= ~(1 << low)
    return target.count > MAX_ARRAY ? target : bitsToArray(target)
  }
  const end = target.start + target.count
  const at = lowerBound(target, low)
  target.values.copyWithin(at, at + 1, end + 1)
  return target
}

/** The container itself if it may be changed in place, else a copy. */
function ownedPlain(container: Container): Container {
  const mayChange = !container.shared && (container.kind === ARRAY || container.kind === BITS)
  return mayChange ? container : plainCopy(container, 0)
}
