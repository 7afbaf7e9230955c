import { isLittleEndian } from '../vector-bytes.js'

/**
 * A vector as one bit for each dimension: on which side of the centre of its list it lies. With one more number, its
 * weight, the bits tell the product with any query to within a few hundredths, after "RaBitQ: Quantizing
 * High-Dimensional Vectors with a Theoretical Error Bound for Approximate Nearest Neighbor Search" (Gao, Long, 2024).
 *
 * For a unit vector x with centre c and residual r = x - c, and s the signs of r:
 *
 *     q·x = q·c + q·r      and      q·r ≈ (q·s) · |r|² / (r·s)
 *
 * since s has the direction of r in the mean. |r|² / (r·s) is the weight; q·s is summed up byte by byte from a table.
 */

/** Words of a code. As bytes, dimension i is bit i & 7 of byte i >>> 3, whatever the order of bytes in a word is. */
export const codeWords = (dimensions: number): number => Math.ceil(dimensions / 32)

/** Turns the place of a byte among the four of its word. */
const BYTE_TURN = isLittleEndian ? 0 : 3
const BIT_TURN = 8 * BYTE_TURN

/** Writes the code of a vector from `at` on and answers its weight. The centre stands in `centres` from `from` on. */
export function encodeResidual(
  unit: Float32Array,
  centres: Float32Array,
  from: number,
  codes: Int32Array,
  at: number,
): number {
  let squares = 0
  let sum = 0
  let bits = 0
  for (let i = 0; i < unit.length; i++) {
    const residual = unit[i]! - centres[from + i]!
    squares += residual * residual
    sum += Math.abs(residual)
    // Shifts count modulo 32.
    if (residual > 0) bits |= 1 << (i ^ BIT_TURN)
    if ((i & 31) !== 31 && i + 1 < unit.length) continue
    codes[at + (i >>> 5)] = bits
    bits = 0
  }
  return sum === 0 ? 0 : squares / sum
}

/** What the sums of all numbers of a query stay below, in steps: half of what 32 bits hold. */
const MAX_STEPS = 2 ** 30

/** Sums of a query's numbers with the signs of a code: prepared for the query, asked for thousands of codes. */
export class SignTable {
  private readonly words: number
  /** For each byte of a code, the sum for each of its 256 values, in steps: whole numbers are added fastest. */
  private readonly sums: Int32Array
  private step = 1

  constructor(dimensions: number) {
    this.words = codeWords(dimensions)
    this.sums = new Int32Array(this.words * 1024)
  }

  /** Makes ready for a query; what was asked before is forgotten. */
  prepare(query: Float32Array): this {
    let total = 0
    for (let i = 0; i < query.length; i++) total += Math.abs(query[i]!)
    this.step = total === 0 ? 1 : total / MAX_STEPS
    for (let byte = 0; byte < this.words * 4; byte++) this.fill(byte, query)
    return this
  }

  /** The numbers where the code has ones, less those where it has zeros. */
  sum(codes: Int32Array, at: number): number {
    const { sums, words } = this
    let steps = 0
    for (let i = 0, base = 0; i < words; i++, base += 1024) {
      const bits = codes[at + i]!
      const lower = sums[base + (bits & 255)]! + sums[base + 256 + ((bits >>> 8) & 255)]!
      const upper = sums[base + 512 + ((bits >>> 16) & 255)]! + sums[base + 768 + (bits >>> 24)]!
      steps = (steps + lower + upper) | 0
    }
    return steps * this.step
  }

  /** Values with a bit differ from those without it by twice the number that the bit stands for. */
  private fill(byte: number, query: Float32Array): void {
    const { sums } = this
    const base = (byte ^ BYTE_TURN) * 256
    let none = 0
    for (let bit = 0; bit < 8; bit++) none -= this.steps(query, byte * 8 + bit)
    sums[base] = none
    for (let bit = 0, size = 1; bit < 8; bit++, size *= 2) {
      const more = 2 * this.steps(query, byte * 8 + bit)
      for (let value = base; value < base + size; value++) sums[value + size] = sums[value]! + more
    }
  }

  private steps(query: Float32Array, i: number): number {
    return i < query.length ? Math.round(query[i]! / this.step) : 0
  }
}
