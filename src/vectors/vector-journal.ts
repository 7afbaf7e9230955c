import { Bitmap } from '../bitmap/index.js'
import { CorruptBytes } from '../bytes/index.js'
import type { Database } from '../store/index.js'

/**
 * Whose vectors changed in which version of the index, so that readers keep those of all other documents. The database
 * `vectorJournal` maps
 *
 * ```
 * version of the index(4 bytes, big-endian)  to  version(1 byte) kind(1 byte) bitmap of docIds?
 * ```
 *
 * with kind 0 for a bitmap and 1 for "everything may have changed". A version that changed no vector has no entry. Only
 * the last versions are kept: a reader that is further behind forgets everything.
 */
const VERSION = 1
const LISTED = 0
const EVERYTHING = 1

const KEPT_VERSIONS = 64

export type ChangedVectors = Bitmap | 'everything'

/** Adds to the entry of `version`, and drops entries that are too old. */
export function writeVectorJournal(database: Database, version: number, changed: ChangedVectors): void {
  if (changed !== 'everything' && changed.isEmpty) return
  const key = keyOf(version)
  const stored = database.get(key)
  database.put(key, encodeChanged(stored === undefined ? changed : unite(decodeChanged(stored), changed)))
  const oldest = Math.max(0, version - KEPT_VERSIONS + 1)
  for (const old of [...database.keys({ end: keyOf(oldest) })]) database.delete(old)
}

/** What changed after version `from`, up to version `to`. */
export function readVectorJournal(database: Database, from: number, to: number): ChangedVectors {
  if (from > to || to - from > KEPT_VERSIONS) return 'everything'
  let changed: ChangedVectors = Bitmap.empty()
  for (const { value } of database.range({ start: keyOf(from + 1), end: keyOf(to + 1) })) {
    changed = unite(changed, decodeChanged(value))
  }
  return changed
}

function unite(a: ChangedVectors, b: ChangedVectors): ChangedVectors {
  return a === 'everything' || b === 'everything' ? 'everything' : a.or(b)
}

function encodeChanged(changed: ChangedVectors): Uint8Array {
  if (changed === 'everything') return Buffer.of(VERSION, EVERYTHING)
  return Buffer.concat([Buffer.of(VERSION, LISTED), changed.serialize()])
}

function decodeChanged(bytes: Uint8Array): ChangedVectors {
  if (bytes[0] !== VERSION) throw new CorruptBytes(`the journal of vectors has version ${bytes[0]}`)
  return bytes[1] === EVERYTHING ? 'everything' : Bitmap.deserialize(bytes.subarray(2))
}

function keyOf(version: number): Buffer {
  const key = Buffer.allocUnsafe(4)
  key.writeUInt32BE(version)
  return key
}
