import { Bitmap } from '../bitmap/index.js'
import type { Database } from '../store/index.js'

/**
 * Sets of documents of an embedder. The database `vectorSets` maps
 *
 * ```
 * embedder(1 byte) kind(1 byte) high 16 bits of the docIds(2 bytes, big-endian)  to  bitmap
 * ```
 *
 * so that a change rewrites the part it falls into, and no other. Bitmaps have a version of their own.
 */
export const setKinds = {
  /** Documents with a vector. */
  embedded: 0,
  /** Documents whose user supplied vectors, be it none. */
  userProvided: 1,
  /** Documents that are never embedded (again): `regenerate` is false. */
  fixed: 2,
  /** Documents with a vector in another slot than the first. */
  several: 3,
} as const

export type SetKind = keyof typeof setKinds

/** One of the sets, changed in memory until `flush`. */
export class StoredDocSet {
  private readonly chunks = new Map<number, Bitmap>()
  private readonly changed = new Set<number>()

  constructor(
    private readonly database: Database,
    private readonly embedder: number,
    private readonly kind: SetKind,
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
      const key = keyOf(this.embedder, this.kind, number)
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
    const bytes = this.database.get(keyOf(this.embedder, this.kind, number))
    const chunk = bytes === undefined ? Bitmap.empty() : Bitmap.deserialize(bytes)
    this.chunks.set(number, chunk)
    return chunk
  }
}

/** The whole set, as of the last commit. */
export function readDocSet(database: Database, embedder: number, kind: SetKind): Bitmap {
  const parts: Bitmap[] = []
  for (const { value } of database.range(docSetRange(embedder, kind))) parts.push(Bitmap.deserialize(value))
  return Bitmap.orMany(parts)
}

/** The keys of all parts of a set. */
export function docSetRange(embedder: number, kind: SetKind): { start: Buffer; end: Buffer } {
  return { start: Buffer.of(embedder, setKinds[kind]), end: Buffer.of(embedder, setKinds[kind] + 1) }
}

function keyOf(embedder: number, kind: SetKind, chunk: number): Buffer {
  return Buffer.of(embedder, setKinds[kind], chunk >>> 8, chunk & 0xff)
}
