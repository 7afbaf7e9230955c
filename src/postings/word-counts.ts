import { CorruptBytes } from '../bytes/index.js'
import type { Database } from '../store/index.js'

/**
 * How many words a field of a document holds, for the documents of one chunk: the database `wordCounts` maps
 *
 * ```
 * fieldId(2 bytes) docId / 1024 (3 bytes)  to  version(1 byte) count(1 byte)*
 * ```
 *
 * with one byte for each document: 0 for no word, 1 to 30, and 31 for more (spec 5 §2.5). Zeros at the end are left out.
 */
const VERSION = 1

/** Documents of a chunk. */
export const CHUNK_SIZE = 1024
const CHUNK_SHIFT = 10
const KEY_BYTES = 5

/** Stands for all larger counts. */
export const MANY_WORDS = 31

/** Numbers the chunks of all fields, in the order of their keys. */
export function chunkOf(fieldId: number, docId: number): number {
  return fieldId * 2 ** 22 + (docId >>> CHUNK_SHIFT)
}

export function chunkKey(chunk: number): Buffer {
  const key = Buffer.allocUnsafe(KEY_BYTES)
  key.writeUInt16BE(Math.floor(chunk / 2 ** 22), 0)
  key.writeUIntBE(chunk % 2 ** 22, 2, 3)
  return key
}

export function encodeChunk(counts: Uint8Array): Buffer {
  let length = counts.length
  while (length > 0 && counts[length - 1] === 0) length--
  return Buffer.concat([Buffer.of(VERSION), counts.subarray(0, length)])
}

/** A copy, of full length. */
export function decodeChunk(bytes: Uint8Array | undefined): Uint8Array {
  const counts = new Uint8Array(CHUNK_SIZE)
  if (bytes === undefined) return counts
  if (bytes[0] !== VERSION) throw new CorruptBytes(`a chunk of word counts has version ${bytes[0]}`)
  counts.set(bytes.subarray(1))
  return counts
}

/** In a chunk of changes: the count stays as it is. */
const UNCHANGED = 0xff

/** Gathers changed counts by chunk. */
export class WordCountChanges {
  private readonly chunks = new Map<number, Uint8Array>()

  get sizeBytes(): number {
    return this.chunks.size * (CHUNK_SIZE + 100)
  }

  set(fieldId: number, docId: number, count: number): void {
    const chunk = chunkOf(fieldId, docId)
    let counts = this.chunks.get(chunk)
    if (counts === undefined) {
      counts = new Uint8Array(CHUNK_SIZE).fill(UNCHANGED)
      this.chunks.set(chunk, counts)
    }
    counts[docId % CHUNK_SIZE] = count
  }

  /** Each chunk with its changes, in the order of their keys. */
  byChunk(): CountChunk[] {
    return [...this.chunks].sort(([a], [b]) => a - b)
  }
}

/** A chunk, and for each of its documents the new count or that it stays. */
export type CountChunk = readonly [chunk: number, counts: Uint8Array]

export function writeCounts(database: Database, [chunk, changed]: CountChunk): void {
  const key = chunkKey(chunk)
  const counts = decodeChunk(database.getBorrowed(key))
  for (let i = 0; i < CHUNK_SIZE; i++) if (changed[i] !== UNCHANGED) counts[i] = changed[i]!
  if (counts.some((count) => count > 0)) database.put(key, encodeChunk(counts))
  else database.delete(key)
}

/** Reads counts, and remembers the chunks they stand in until `clear`. */
export class StoredWordCounts {
  private readonly chunks = new Map<number, Uint8Array>()
  /** By field the chunk that was read last: mostly the next document is in the same one. */
  private last: { readonly chunk: number; readonly counts: Uint8Array }[] = []

  constructor(private readonly database: Database) {}

  get(docId: number, fieldId: number): number {
    const chunk = chunkOf(fieldId, docId)
    let last = this.last[fieldId]
    if (last?.chunk !== chunk) {
      last = { chunk, counts: this.countsOf(chunk) }
      this.last[fieldId] = last
    }
    return last.counts[docId % CHUNK_SIZE]!
  }

  clear(): void {
    this.chunks.clear()
    this.last = []
  }

  private countsOf(chunk: number): Uint8Array {
    const known = this.chunks.get(chunk)
    if (known !== undefined) return known
    if (this.chunks.size >= MAX_CHUNKS) this.chunks.clear()
    const counts = decodeChunk(this.database.getBorrowed(chunkKey(chunk)))
    this.chunks.set(chunk, counts)
    return counts
  }
}

/** About 16 MB. */
const MAX_CHUNKS = 16_384
