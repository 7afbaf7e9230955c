import { ARRAY, Container } from './container.js'

/**
 * Where operations write the arrays of their results, one behind the other.
 *
 * A typed array of its own costs about 2 µs as soon as it exceeds 64 bytes, more than most small operations; cutting
 * results from a chunk costs next to nothing. The price: a chunk stays in memory while anything
 * in it is in use, which is why bitmaps that are kept for long move out (`moveArraysOut`).
 */
const CHUNK_SLOTS = 8192

const firstChunk = new Uint16Array(CHUNK_SLOTS)

/** `bytes` is the same memory as `values`; the first `used` slots of both belong to containers. */
export const arena: { values: Uint16Array; bytes: Uint8Array; used: number } = {
  values: firstChunk,
  bytes: new Uint8Array(firstChunk.buffer),
  used: 0,
}

/** Makes `arena.values` writable from `arena.used` on for at least `slots` values; at most `CHUNK_SLOTS`. */
export function reserve(slots: number): void {
  if (arena.used + slots <= CHUNK_SLOTS) return
  const chunk = new Uint16Array(CHUNK_SLOTS)
  arena.values = chunk
  arena.bytes = new Uint8Array(chunk.buffer)
  arena.used = 0
}

/** Turns the first `count` values written since `reserve` into a container. */
export function keepArray(key: number, count: number): Container {
  const container = new Container(key, ARRAY, count)
  container.values = arena.values
  container.start = arena.used
  container.slots = count
  arena.used += count
  return container
}
