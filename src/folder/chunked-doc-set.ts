import { Bitmap } from '../bitmap/index.js'
import type { Database } from '../store/index.js'

/**
 * A set of documents under a prefix of keys, changed in memory until `flush`:
 *
 * ```
 * prefix, high 16 bits of the docIds(2 bytes, big-endian)  to  bitmap
 * ```
 *
 * so that a change rewrites the part it falls into, and no other. Bitmaps have a version of their own.
 */
export class ChunkedDocSet {
  private readonly chunks = new Map<number, Bitmap>()
  private readonly changed = new Set<number>()

  constructor(
    private readonly database: Database,
    private readonly prefix: Uint8Array,
  ) {}

  has(docId: number): boolean {
    return this.chunk(docId >>> 16).has(docId)
  }

  /** Answers whether that changed anything. */
  set(docId: number, isMember: boolean): boolean {
    const number = docId >>> 16
    const chunk = this.chunk(number)
    const isChanged = isMember ? chunk.add(docId) : chunk.remove(docId)
    if (isChanged) this.changed.add(number)
    return isChanged
  }

  flush(): void {
    for (const number of this.changed) {
      const chunk = this.chunks.get(number)!
      const key = keyOf(this.prefix, number)
      if (chunk.isEmpty) this.database.delete(key)
      else {
        chunk.runOptimize()
        this.database.put(key, chunk.serialize())
      }
    }
    this.changed.clear()
  }

  private chunk(number: number): Bitmap {
    const known = this.chunks.get(number)
    if (known !== undefined) return known
    const bytes = this.database.get(keyOf(this.prefix, number))
    const chunk = bytes === undefined ? Bitmap.empty() : Bitmap.deserialize(bytes)
    this.chunks.set(number, chunk)
    return chunk
  }
}

/** The whole set, as of the last commit. */
export function readChunkedDocSet(database: Database, prefix: Uint8Array): Bitmap {
  const parts: Bitmap[] = []
  for (const { value } of database.range(chunkRange(prefix))) parts.push(Bitmap.deserialize(value))
  return Bitmap.orMany(parts)
}

/** The keys of all parts of a set. */
export function chunkRange(prefix: Uint8Array): { start: Buffer; end: Buffer } {
  return { start: keyOf(prefix, 0), end: Buffer.of(...prefix, 0xff, 0xff, 0xff) }
}

function keyOf(prefix: Uint8Array, chunk: number): Buffer {
  return Buffer.of(...prefix, chunk >>> 8, chunk & 0xff)
}
