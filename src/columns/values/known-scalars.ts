import type { ColumnValue } from '../column-value.js'
import { hashBytes } from '../hash-bytes.js'

const MIN_SLOTS = 256
const MAX_SLOTS = 1 << 15
const SEED = 0x811c_9dc5 | 0

// A row of the table is the 64 bytes that a processor reads at once: the size of the text, then the text.
const ROW = 64
const MAX_TEXT_BYTES = ROW - 1

/**
 * Remembers what strings and numbers stand for by their JSON text, since most come again and again: those that are known
 * are not even decoded. Every text has one slot, and a newcomer takes it: no list to keep, and no input can make a look-up
 * slow. The table grows while it is too small, up to two megabytes.
 */
export class KnownScalars {
  private rows = new Uint8Array(MIN_SLOTS * ROW)
  private values: (ColumnValue | undefined)[] = new Array(MIN_SLOTS).fill(undefined)
  private size = MIN_SLOTS
  private misses = 0

  /** `resolve` says what a text that is not remembered stands for. */
  constructor(private readonly resolve: (json: Uint8Array) => ColumnValue) {}

  /** Of the text from `start` up to `end`, which is not empty. */
  of(bytes: Uint8Array, start: number, end: number): ColumnValue {
    const hash = hashBytes(bytes, start, end, SEED)
    const slot = (hash ^ (hash >>> 15)) & (this.size - 1)
    const { rows } = this
    const row = slot * ROW
    let at = rows[row] === end - start ? start : end + 1
    for (const shift = row + 1 - start; at < end && rows[at + shift] === bytes[at]; ) at++
    return at === end ? this.values[slot]! : this.learn(slot, bytes.subarray(start, end))
  }

  private learn(slot: number, json: Uint8Array): ColumnValue {
    const value = this.resolve(json)
    if (json.length > MAX_TEXT_BYTES) return value
    if (++this.misses > this.size && this.size < MAX_SLOTS) this.reset(this.size * 4)
    const row = slot * ROW
    this.rows[row] = json.length
    for (let i = 0; i < json.length; i++) this.rows[row + 1 + i] = json[i]!
    this.values[slot] = value
    return value
  }

  // Starting afresh is simpler than moving. A row of zeros is empty: no text is.
  private reset(size: number): void {
    this.size = Math.min(size, MAX_SLOTS)
    this.misses = 0
    this.rows = new Uint8Array(this.size * ROW)
    this.values = new Array<ColumnValue | undefined>(this.size).fill(undefined)
  }
}
