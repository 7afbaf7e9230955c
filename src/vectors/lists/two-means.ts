import { dot } from '../distances.js'

const ROUNDS = 4

/** A half must not be smaller than this part of the whole, lest lists are split again and again for nothing. */
const SMALLEST_HALF = 1 / 8

export interface Halves {
  readonly centres: readonly [Float32Array, Float32Array]
  /** For each vector, whether it belongs to the second half. */
  readonly isSecond: Uint8Array
}

/** Divides vectors into two groups of neighbours. */
export function twoMeans(vectors: readonly Float32Array[]): Halves {
  const seeds = [vectors[0]!, farthest(vectors, vectors[0]!)] as const
  let centres: readonly [Float32Array, Float32Array] = seeds
  let isSecond = assign(vectors, centres)
  for (let round = 0; round < ROUNDS && isBalanced(isSecond); round++) {
    centres = meansOf(vectors, isSecond)
    isSecond = assign(vectors, centres)
  }
  // What cannot be told apart, or but a few that lie apart, is cut in the middle.
  if (!isBalanced(isSecond)) isSecond = Uint8Array.from(vectors, (_, i) => i & 1)
  return { centres: meansOf(vectors, isSecond), isSecond }
}

function farthest(vectors: readonly Float32Array[], from: Float32Array): Float32Array {
  let least = Number.POSITIVE_INFINITY
  let found = from
  for (const vector of vectors) {
    const product = dot(vector, 0, from, 0, from.length)
    if (product >= least) continue
    least = product
    found = vector
  }
  return found
}

function assign(vectors: readonly Float32Array[], [first, second]: readonly [Float32Array, Float32Array]): Uint8Array {
  const size = first.length
  const difference = second.map((component, i) => component - first[i]!)
  const middle = (dot(second, 0, second, 0, size) - dot(first, 0, first, 0, size)) / 2
  return Uint8Array.from(vectors, (vector) => Number(dot(vector, 0, difference, 0, size) > middle))
}

function isBalanced(isSecond: Uint8Array): boolean {
  const second = isSecond.reduce((sum, each) => sum + each, 0)
  const smaller = Math.min(second, isSecond.length - second)
  return smaller >= Math.max(1, isSecond.length * SMALLEST_HALF)
}

function meansOf(vectors: readonly Float32Array[], isSecond: Uint8Array): [Float32Array, Float32Array] {
  const size = vectors[0]!.length
  const sums = [new Float64Array(size), new Float64Array(size)] as const
  const counts = [0, 0]
  for (const [i, vector] of vectors.entries()) {
    const half = isSecond[i]!
    const sum = sums[half as 0 | 1]
    for (let k = 0; k < size; k++) sum[k]! += vector[k]!
    counts[half]!++
  }
  return [0, 1].map((half) => Float32Array.from(sums[half as 0 | 1], (sum) => sum / counts[half]!)) as [
    Float32Array,
    Float32Array,
  ]
}
