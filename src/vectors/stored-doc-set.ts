import type { Bitmap } from '../bitmap/index.js'
import { ChunkedDocSet, chunkRange, readChunkedDocSet } from '../folder/index.js'
import type { Database } from '../store/index.js'

/**
 * Sets of documents of an embedder. The database `vectorSets` maps
 *
 * ```
 * embedder(1 byte) kind(1 byte) high 16 bits of the docIds(2 bytes, big-endian)  to  bitmap
 * ```
 *
 * which is what `ChunkedDocSet` makes of the first two bytes.
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

/** One of the sets. */
export class StoredDocSet extends ChunkedDocSet {
  constructor(database: Database, embedder: number, kind: SetKind) {
    super(database, prefixOf(embedder, kind))
  }
}

/** The whole set, as of the last commit. */
export function readDocSet(database: Database, embedder: number, kind: SetKind): Bitmap {
  return readChunkedDocSet(database, prefixOf(embedder, kind))
}

/** The keys of all parts of a set. */
export function docSetRange(embedder: number, kind: SetKind): { start: Buffer; end: Buffer } {
  return chunkRange(prefixOf(embedder, kind))
}

const prefixOf = (embedder: number, kind: SetKind): Buffer => Buffer.of(embedder, setKinds[kind])
