import { CorruptBytes } from '../../bytes/index.js'
import { isLittleEndian } from '../vector-bytes.js'
import { codeWords } from './residual-code.js'

/**
 * The vectors of an embedder in lists of neighbours, so that a search looks at a part of them only. The database
 * `vectorLists` maps
 *
 * ```
 * embedder(1 byte) 0 chunk(4 bytes)            to  the centres of 32 lists, floats
 * embedder(1 byte) 1 list(4 bytes)             to  the entries of a list, see below
 * embedder(1 byte) 2 docId(4 bytes) slot(1)    to  the list that the vector is in(4 bytes)
 * ```
 *
 * with numbers in keys big-endian. List 0 holds vectors without direction, which no centre is near to. A list is
 *
 * ```
 * version(1 byte) byte order(1) 0(2) count(4) { docId(4) }* { weight(4) }* { code }* { slot(1) }*
 * ```
 *
 * in the byte order of the machine, so that its parts are read as they lie there. Codes are those of
 * `residual-code.ts`, relative to the centre of the list.
 */
const VERSION = 1
const BYTE_ORDER = isLittleEndian ? 1 : 2
const HEADER_BYTES = 8

const CENTRES = 0
const ENTRIES = 1
const PLACES = 2

/** Centres that are stored together. */
export const CHUNK_CENTRES = 32

export function centresKey(embedder: number, chunk: number): Buffer {
  return numberKey(embedder, CENTRES, chunk)
}

export function entriesKey(embedder: number, list: number): Buffer {
  return numberKey(embedder, ENTRIES, list)
}

export function placeKey(embedder: number, docId: number, slot: number): Buffer {
  return Buffer.concat([numberKey(embedder, PLACES, docId), Buffer.of(slot)])
}

function numberKey(embedder: number, kind: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(6)
  key[0] = embedder
  key[1] = kind
  key.writeUInt32BE(number, 2)
  return key
}

/** The entries of a list as columns. Views: they are valid as long as the memory they were read from. */
export interface ListEntries {
  readonly count: number
  readonly docIds: Uint32Array
  readonly weights: Float32Array
  /** As words: see `residual-code.ts`. */
  readonly codes: Int32Array
  readonly slots: Uint8Array
}

export function encodeEntries({ count, docIds, weights, codes, slots }: ListEntries): Uint8Array {
  const words = count === 0 ? 0 : (codes.length / docIds.length) * count
  const codesAt = HEADER_BYTES + count * 8
  const bytes = new Uint8Array(codesAt + words * 4 + count)
  bytes[0] = VERSION
  bytes[1] = BYTE_ORDER
  new Uint32Array(bytes.buffer, 4, 1)[0] = count
  new Uint32Array(bytes.buffer, HEADER_BYTES, count).set(docIds.subarray(0, count))
  new Float32Array(bytes.buffer, HEADER_BYTES + count * 4, count).set(weights.subarray(0, count))
  new Int32Array(bytes.buffer, codesAt, words).set(codes.subarray(0, words))
  bytes.set(slots.subarray(0, count), codesAt + words * 4)
  return bytes
}

/** `bytes` begin where four divides: views of numbers need that. */
export function decodeEntries(bytes: Uint8Array, dimensions: number): ListEntries {
  if (bytes[0] !== VERSION) throw new CorruptBytes(`a list of vectors has version ${bytes[0]}`)
  if (bytes[1] !== BYTE_ORDER)
    throw new CorruptBytes('a list of vectors was written by a machine of another byte order')
  const { buffer, byteOffset } = bytes
  const count = new Uint32Array(buffer, byteOffset + 4, 1)[0]!
  const words = count * codeWords(dimensions)
  const codesAt = HEADER_BYTES + count * 8
  const slotsAt = codesAt + words * 4
  if (bytes.length !== slotsAt + count) throw new CorruptBytes('a list of vectors has another length')
  return {
    count,
    docIds: new Uint32Array(buffer, byteOffset + HEADER_BYTES, count),
    weights: new Float32Array(buffer, byteOffset + HEADER_BYTES + count * 4, count),
    codes: new Int32Array(buffer, byteOffset + codesAt, words),
    slots: bytes.subarray(slotsAt),
  }
}

/** Kept with the embedder. */
export interface ListsRecord {
  /** Lists, that of vectors without direction included. */
  readonly count: number
  /** The version of the index in which centres changed last: readers keep those that they know. */
  readonly changedIn: number
}
