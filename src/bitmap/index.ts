/**
 * Compressed sets of unsigned 32-bit ids: document ids, task uids.
 *
 * Search combines hundreds of them per query, from one id to millions, so the operations are written for speed and
 * checked against plain sets in the tests. Decision 001 says why this is not a package.
 */
export { Bitmap } from './bitmap.js'
export { countBits, lowestBit } from './bits.js'
export { BitsArena, SpareBits } from './bits-arena.js'
export { DenseDocSet, keptBytes } from './dense-doc-set.js'
export { DenseDocSetBuilder } from './dense-doc-set-builder.js'
export { lowerBound, lowerBoundFrom } from './lower-bound.js'
export { CorruptBitmapError } from './portable-format.js'
export { type DocSet, SparseDocSet } from './sparse-doc-set.js'
export { StoredUnion } from './stored-union.js'
