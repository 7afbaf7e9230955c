/** Sets of ids for property tests, chosen so that containers of every layout meet. */
import fc from 'fast-check'
import { Bitmap } from './index.js'

/** How often a property is tried: sets of thousands of ids are slow to make. */
export const RUNS = { numRuns: 40 }

/** A plain set of ids and a bitmap that should hold the same. */
export interface Twins {
  readonly plain: Set<number>
  readonly bitmap: Bitmap
}

const KEYS = [0, 1, 2, 7, 0x7fff, 0xffff]

/** `count` values spread over one container by a fixed rule, so that a failure can be shrunk to small numbers. */
function spread(key: number, count: number, step: number): number[] {
  return Array.from({ length: count }, (_, i) => key * 0x10000 + ((i * step) % 0x10000))
}

function range(key: number, first: number, length: number): number[] {
  const last = Math.min(first + length, 0x10000)
  return Array.from({ length: last - first }, (_, i) => key * 0x10000 + first + i)
}

const key = fc.constantFrom(...KEYS)
const low = fc.oneof(fc.nat(0xffff), fc.nat(40), fc.constantFrom(31, 32, 0xffdf, 0xffff))
// Odd steps visit every value once before they repeat.
const step = fc.nat(0x7fff).map((half) => 2 * half + 1)

const piece = fc.oneof(
  {
    weight: 16,
    arbitrary: fc.tuple(key, fc.array(low, { maxLength: 12 })).map(([k, lows]) => lows.map((l) => k * 0x10000 + l)),
  },
  { weight: 16, arbitrary: fc.tuple(key, fc.integer({ min: 1, max: 300 }), step).map((of) => spread(...of)) },
  { weight: 6, arbitrary: fc.tuple(key, fc.integer({ min: 4090, max: 4100 }), step).map((of) => spread(...of)) },
  { weight: 6, arbitrary: fc.tuple(key, fc.integer({ min: 1000, max: 6000 }), step).map((of) => spread(...of)) },
  { weight: 16, arbitrary: fc.tuple(key, low, fc.integer({ min: 1, max: 5000 })).map((of) => range(...of)) },
  { weight: 1, arbitrary: fc.tuple(key, fc.nat(2), fc.constant(0x10000)).map((of) => range(...of)) },
)

/** Ids in no order, with repeats. */
export const ids = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.flat())

const makers: ReadonlyArray<(plain: Set<number>) => Bitmap> = [
  (plain) => Bitmap.fromUnsorted(plain),
  (plain) => Bitmap.fromSorted(Uint32Array.from(plain).sort()),
  (plain) => Bitmap.deserialize(Bitmap.fromUnsorted(plain).serialize()),
  (plain) => optimized(Bitmap.fromUnsorted(plain)),
  (plain) => Bitmap.deserialize(optimized(Bitmap.fromUnsorted(plain)).serialize()),
  (plain) => {
    const bitmap = Bitmap.fromUnsorted(plain)
    bitmap.clone()
    return bitmap
  },
]

function optimized(bitmap: Bitmap): Bitmap {
  bitmap.runOptimize()
  return bitmap
}

export const twins: fc.Arbitrary<Twins> = fc.tuple(ids, fc.constantFrom(...makers)).map(([list, make]) => {
  const plain = new Set(list)
  return { plain, bitmap: make(plain) }
})

/** An id at, just below or just above a member, or anywhere. */
export const probe = fc.tuple(key, low).map(([k, value]) => k * 0x10000 + value)

export function sorted(plain: Iterable<number>): Uint32Array {
  return Uint32Array.from(plain).sort()
}
