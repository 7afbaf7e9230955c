import type { DocId } from '../documents/index.js'

/**
 * The vectors of documents. The database `vectors` maps
 *
 * ```
 * embedder(1 byte) docId(4 bytes, big-endian) slot(1 byte)  to  components
 * ```
 *
 * A document has a vector in each of its slots: the first, the second and so on of those that came with it, or one for
 * each fragment. Components are 32-bit floats, little-endian. Those of a quantized embedder are bits, 1 for what is above
 * zero, the first in the lowest bit of the first byte, filled up with zeros to a multiple of 64.
 *
 * There is no version byte in the values, so that they are as long as their numbers: the list of embedders
 * (`embedder-records.ts`) has one, and no vector is read without it.
 */
const VECTOR_KEY_BYTES = 6

/** Slots are one byte. */
export const MAX_VECTORS = 256

export function vectorKey(embedder: number, docId: DocId, slot: number): Buffer {
  const key = Buffer.allocUnsafe(VECTOR_KEY_BYTES)
  key[0] = embedder
  key.writeUInt32BE(docId, 1)
  key[5] = slot
  return key
}

/** All keys of one document, or of the embedder when none is given. */
export function vectorRange(embedder: number, docId?: DocId): { start: Buffer; end: Buffer } {
  if (docId === undefined) return { start: Buffer.of(embedder), end: afterPrefix(Buffer.of(embedder)) }
  const start = vectorKey(embedder, docId, 0).subarray(0, 5)
  return { start, end: afterPrefix(start) }
}

/** Behind all keys that begin with `prefix`: none is longer than this. */
function afterPrefix(prefix: Buffer): Buffer {
  return Buffer.concat([prefix, Buffer.alloc(8, 0xff)])
}

export const slotOf = (key: Uint8Array): number => key[5]!

export const docIdOf = (key: Buffer): DocId => key.readUInt32BE(1) as DocId

/** Bits are counted in words of 64 (spec 7 §2.1). */
export const quantizedBits = (dimensions: number): number => 64 * Math.ceil(dimensions / 64)

export const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

export function encodeFloats(vector: Float32Array): Uint8Array {
  if (isLittleEndian) return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
  const bytes = Buffer.allocUnsafe(vector.length * 4)
  for (let i = 0; i < vector.length; i++) bytes.writeFloatLE(vector[i]!, i * 4)
  return bytes
}

/** A vector of its own: `bytes` may be borrowed and lie anywhere. */
export function decodeFloats(bytes: Uint8Array): Float32Array {
  const vector = new Float32Array(bytes.length >>> 2)
  copyFloats(bytes, vector, 0)
  return vector
}

/** Writes the numbers to `into` from `at` on. */
export function copyFloats(bytes: Uint8Array, into: Float32Array, at: number): void {
  if (isLittleEndian) {
    // Borrowed bytes have more memory than their length says.
    const own = bytes.subarray(0, bytes.length)
    new Uint8Array(into.buffer, into.byteOffset + at * 4, bytes.length).set(own)
    return
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let i = 0; i < bytes.length >>> 2; i++) into[at + i] = view.getFloat32(i * 4, true)
}

export function quantize(vector: Float32Array): Uint8Array {
  const bits = new Uint8Array(quantizedBits(vector.length) >>> 3)
  for (let i = 0; i < vector.length; i++) if (vector[i]! > 0) bits[i >>> 3]! |= 1 << (i & 7)
  return bits
}

/** Zeros and ones. */
export function dequantize(bits: Uint8Array, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (let i = 0; i < dimensions; i++) vector[i] = (bits[i >>> 3]! >>> (i & 7)) & 1
  return vector
}
