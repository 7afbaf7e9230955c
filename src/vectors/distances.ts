import { quantizedBits } from './vector-bytes.js'

/** Norms whose product is not above this have no direction: the distance is 0 then (spec 7 §2.1). */
const SMALLEST_PRODUCT = 1.1920929e-7

const fround = Math.fround

/** Shorter vectors are summed up as the recorded scores were; of longer ones the last digits are free (spec 7 §2.1). */
const IN_ORDER_BELOW = 16

/** The product of two vectors, each from its place on. Two sums, so that not every addition waits for the one before. */
export function dot(a: Float32Array, from: number, b: Float32Array, at: number, dimensions: number): number {
  let even = 0
  let odd = 0
  let i = 0
  for (; i + 3 < dimensions; i += 4) {
    even += a[from + i]! * b[at + i]!
    odd += a[from + i + 1]! * b[at + i + 1]!
    even += a[from + i + 2]! * b[at + i + 2]!
    odd += a[from + i + 3]! * b[at + i + 3]!
  }
  for (; i < dimensions; i += 2) {
    even += a[from + i]! * b[at + i]!
    if (i + 1 < dimensions) odd += a[from + i + 1]! * b[at + i + 1]!
  }
  return even + odd
}

/**
 * The same sums, with a vector that is compared with many others and whose numbers were therefore widened before: loops
 * that widen both sides take half as long again (bench/workloads/vectors.ts).
 */
export function wideDot(wide: Float64Array, rows: Float32Array, at: number): number {
  const dimensions = wide.length
  let even = 0
  let odd = 0
  let i = 0
  for (; i + 3 < dimensions; i += 4) {
    even += wide[i]! * rows[at + i]!
    odd += wide[i + 1]! * rows[at + i + 1]!
    even += wide[i + 2]! * rows[at + i + 2]!
    odd += wide[i + 3]! * rows[at + i + 3]!
  }
  for (; i < dimensions; i += 2) {
    even += wide[i]! * rows[at + i]!
    if (i + 1 < dimensions) odd += wide[i + 1]! * rows[at + i + 1]!
  }
  return even + odd
}

/** Where four vectors begin, and their products with another one. */
export interface FourRows {
  readonly blocks: Float32Array[]
  readonly at: Int32Array
  readonly products: Float64Array
}

/** The same sums for four vectors at once: while one of them comes from memory, the others need not wait. */
export function fourWideDots(wide: Float64Array, { blocks, at, products }: FourRows): void {
  const [a, b, c, d] = blocks as [Float32Array, Float32Array, Float32Array, Float32Array]
  const [atA, atB, atC, atD] = [at[0]!, at[1]!, at[2]!, at[3]!]
  const pairs = wide.length & ~1
  let evenA = 0
  let oddA = 0
  let evenB = 0
  let oddB = 0
  let evenC = 0
  let oddC = 0
  let evenD = 0
  let oddD = 0
  for (let i = 0; i < pairs; i += 2) {
    const even = wide[i]!
    const odd = wide[i + 1]!
    evenA += even * a[atA + i]!
    oddA += odd * a[atA + i + 1]!
    evenB += even * b[atB + i]!
    oddB += odd * b[atB + i + 1]!
    evenC += even * c[atC + i]!
    oddC += odd * c[atC + i + 1]!
    evenD += even * d[atD + i]!
    oddD += odd * d[atD + i + 1]!
  }
  if (pairs < wide.length) {
    const last = wide[pairs]!
    evenA += last * a[atA + pairs]!
    evenB += last * b[atB + pairs]!
    evenC += last * c[atC + pairs]!
    evenD += last * d[atD + pairs]!
  }
  products[0] = evenA + oddA
  products[1] = evenB + oddB
  products[2] = evenC + oddC
  products[3] = evenD + oddD
}

/** In 32-bit steps from left to right. */
function dotInOrder(a: Float32Array, from: number, b: Float32Array, at: number, dimensions: number): number {
  let sum = 0
  for (let i = 0; i < dimensions; i++) sum = fround(sum + fround(a[from + i]! * b[at + i]!))
  return sum
}

/** The length of the vector that stands in `rows` from `at` on. */
export function norm(rows: Float32Array, at: number, dimensions: number): number {
  const isShort = dimensions < IN_ORDER_BELOW
  const square = isShort ? dotInOrder(rows, at, rows, at, dimensions) : fround(dot(rows, at, rows, at, dimensions))
  return fround(Math.sqrt(square))
}

/** A vector that is compared with many others. */
export interface ComparedVector {
  readonly numbers: Float32Array
  readonly wide: Float64Array
  readonly norm: number
}

export function comparedVector(numbers: Float32Array): ComparedVector {
  return { numbers, wide: new Float64Array(numbers), norm: norm(numbers, 0, numbers.length) }
}

function product({ numbers, wide }: ComparedVector, rows: Float32Array, at: number): number {
  return areInOrder(wide) ? dotInOrder(numbers, 0, rows, at, numbers.length) : wideDot(wide, rows, at)
}

/** Whether `wideDot` would sum up numbers of such vectors in another order than has to be. */
export const areInOrder = ({ length }: Float64Array): boolean => length < IN_ORDER_BELOW

/**
 * From 0 for the same direction to 1 for the opposite one. `b` stands in `rows` from `at` on and has the length `normB`.
 * Every step is rounded to 32 bits.
 */
export function cosineDistance(a: ComparedVector, rows: Float32Array, at: number, normB: number): number {
  return distanceOf(product(a, rows, at), a.norm, normB)
}

/** What two vectors with this product and these lengths are apart. */
export function distanceOf(product: number, normA: number, normB: number): number {
  const norms = fround(normA * normB)
  if (!(norms > SMALLEST_PRODUCT)) return 0
  const cosine = Math.min(1, Math.max(-1, fround(fround(product) / norms)))
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
