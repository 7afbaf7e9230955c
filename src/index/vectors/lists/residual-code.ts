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

/** Bytes of a code: a multiple of four, so that the loop over them takes four at once. */
export const codeBytes = (dimensions: number): number => 4 * Math.ceil(dimensions / 32)

/** Writes the code of a vector from `at` on and answers its weight. The centre stands in `centres` from `from` on. */
export function encodeResidual(
  unit: Float32Array,
  centres: Float32Array,
  from: number,
  codes: Uint8Array,
  at: number,
): number {
  codes.fill(0, at, at + codeBytes(unit.length))
  let squares = 0
  let sum = 0
  for (let i = 0; i < unit.length; i++) {
    const residual = unit[i]! - centres[from + i]!
    squares += residual * residual
    if (residual > 0) {
      sum += residual
      codes[at + (i >>> 3)]! |= 1 << (i & 7)
    } else sum -= residual
  }
  return sum === 0 ? 0 : squares / sum
}

/** Sums of a query's numbers with the signs of a code: prepared for the query, asked for thousands of codes. */
export class SignTable {
  private readonly bytes: number
  /** For each byte of a code, the sum for each of its 256 values. */
  private readonly sums: Float32Array

  constructor(dimensions: number) {
    this.bytes = codeBytes(dimensions)
    this.sums = new Float32Array(this.bytes * 256)
  }

  /** Makes ready for a query; what was asked before is forgotten. */
  prepare(query: Float32Array): this {
    for (let byte = 0; byte < this.bytes; byte++) this.fill(byte, query)
    return this
  }

  /** The numbers where the code has ones, less those where it has zeros. */
  sum(codes: Uint8Array, at: number): number {
    const { sums, bytes } = this
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    for (let i = 0, base = 0; i < bytes; i += 4, base += 1024) {
      a += sums[base + codes[at + i]!]!
      b += sums[base + 256 + codes[at + i + 1]!]!
      c += sums[base + 512 + codes[at + i + 2]!]!
      d += sums[base + 768 + codes[at + i + 3]!]!
    }
    return a + b + c + d
  }

  /** Values with a bit differ from those without it by twice the number that the bit stands for. */
  private fill(byte: number, query: Float32Array): void {
    const { sums } = this
    const base = byte * 256
    let none = 0
    for (let bit = 0; bit < 8; bit++) none -= query[byte * 8 + bit] ?? 0
    sums[base] = none
    for (let bit = 0, size = 1; bit < 8; bit++, size *= 2) {
      const step = 2 * (query[byte * 8 + bit] ?? 0)
      for (let value = 0; value < size; value++) sums[base + size + value] = sums[base + value]! + step
    }
  }
}
