import { quantizedBits } from './vector-bytes.js'

/** Norms whose product is not above this have no direction: the distance is 0 then (spec 7 §2.1). */
const SMALLEST_PRODUCT = 1.1920929e-7

const fround = Math.fround

/** Shorter vectors are summed up as the recorded scores were; of longer ones the last digits are free (spec 7 §2.1). */
const IN_ORDER_BELOW = 16

/** The product of two vectors, each from its place on. Four sums, so that no addition waits for the one before. */
export function dot(a: Float32Array, from: number, b: Float32Array, at: number, dimensions: number): number {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let i = 0
  for (; i + 3 < dimensions; i += 4) {
    s0 += a[from + i]! * b[at + i]!
    s1 += a[from + i + 1]! * b[at + i + 1]!
    s2 += a[from + i + 2]! * b[at + i + 2]!
    s3 += a[from + i + 3]! * b[at + i + 3]!
  }
  for (; i < dimensions; i++) s0 += a[from + i]! * b[at + i]!
  return s0 + s1 + s2 + s3
}

/** In 32-bit steps from left to right. */
function dotInOrder(a: Float32Array, from: number, b: Float32Array, at: number, dimensions: number): number {
  let sum = 0
  for (let i = 0; i < dimensions; i++) sum = fround(sum + fround(a[from + i]! * b[at + i]!))
  return sum
}

/** The product as a 32-bit number. */
function product(a: Float32Array, from: number, b: Float32Array, at: number, dimensions: number): number {
  if (dimensions < IN_ORDER_BELOW) return dotInOrder(a, from, b, at, dimensions)
  return fround(dot(a, from, b, at, dimensions))
}

/** The length of the vector that stands in `rows` from `at` on. */
export function norm(rows: Float32Array, at: number, dimensions: number): number {
  return fround(Math.sqrt(product(rows, at, rows, at, dimensions)))
}

/**
 * From 0 for the same direction to 1 for the opposite one. `b` stands in `rows` from `at` on; `normA` and `normB` are the
 * lengths of both. Every step is rounded to 32 bits.
 */
export function cosineDistance(a: Float32Array, normA: number, rows: Float32Array, at: number, normB: number): number {
  const norms = fround(normA * normB)
  if (!(norms > SMALLEST_PRODUCT)) return 0
  const cosine = Math.min(1, Math.max(-1, fround(product(a, 0, rows, at, a.length) / norms)))
  return fround(fround(1 - cosine) / 2)
}

/** How many bits differ, of all that are stored. Both are as long as `quantizedBits` says. */
export function bitDistance(a: Uint32Array, rows: Uint32Array, at: number): number {
  return fround(differingBits(a, rows, at) / (a.length * 32))
}

function differingBits(a: Uint32Array, rows: Uint32Array, at: number): number {
  let count = 0
  for (let i = 0; i < a.length; i++) {
    let bits = a[i]! ^ rows[at + i]!
    bits -= (bits >>> 1) & 0x55555555
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

/** How many 32-bit words a quantized vector takes. */
export const quantizedWords = (dimensions: number): number => quantizedBits(dimensions) >>> 5
