import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RUNS, twins } from './ids.arbitrary.js'
import { Bitmap, CorruptBitmapError } from './index.js'

const u16 = (...values: number[]): number[] => values.flatMap((value) => [value & 0xff, value >>> 8])
const u32 = (...values: number[]): number[] => values.flatMap((value) => u16(value & 0xffff, value >>> 16))
const read = (bytes: number[]): number[] => [...Bitmap.deserialize(Uint8Array.from(bytes))]
const ZERO_AND_ONE = [58, 48, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 16, 0, 0, 0, 0, 0, 1, 0]

function optimized(bitmap: Bitmap): Bitmap {
  bitmap.runOptimize()
  return bitmap
}

describe('the portable format', () => {
  test('{0, 1} has the bytes of the spec', () => {
    expect([...Bitmap.of(0, 1).serialize()]).toEqual(ZERO_AND_ONE)
    expect(read(ZERO_AND_ONE)).toEqual([0, 1])
  })

  test('a set of one id is written without the set', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), (id) => {
        expect(Bitmap.serializeOne(id)).toEqual(Bitmap.of(id).serialize())
      }),
    )
  })

  test('the empty set is a header', () => {
    expect([...Bitmap.empty().serialize()]).toEqual(u32(12346, 0))
    expect(read(u32(12346, 0))).toEqual([])
  })

  test('a bitset has its 8192 bytes', () => {
    const bytes = Bitmap.fromUnsorted(Array.from({ length: 4097 }, (_, i) => 65_536 + 8 * i)).serialize()
    expect([...bytes.subarray(0, 16)]).toEqual([...u32(12346, 1), ...u16(1, 4096), ...u32(16)])
    expect([...bytes.subarray(16)]).toEqual(Array.from({ length: 8192 }, (_, i) => (i <= 4096 ? 1 : 0)))
  })

  test('runs have their own cookie, and offsets from four containers on', () => {
    const one = [...u16(12347, 0), 1, ...u16(0, 19), ...u16(1), ...u16(5, 19)]
    expect([...Bitmap.range(5, 25).serialize()]).toEqual(one)
    expect(read(one)).toEqual(Array.from({ length: 20 }, (_, i) => i + 5))

    const four = Bitmap.range(65_530, 65_540).or(Bitmap.of(131_072, 262_144))
    four.runOptimize()
    const data = [...u16(1, 65_530, 5), ...u16(1, 0, 3), ...u16(0), ...u16(0)]
    const keys = u16(0, 5, 1, 3, 2, 0, 4, 0)
    const bytes = [...u16(12347, 3), 0b0011, ...keys, ...u32(37, 43, 49, 51), ...data]
    expect([...four.serialize()]).toEqual(bytes)
    expect(read(bytes)).toEqual([...four])
  })

  test('touching runs, which other writers may leave, are read', () => {
    const bytes = [...u16(12347, 0), 1, ...u16(0, 3), ...u16(2), ...u16(5, 1, 7, 1)]
    expect(read(bytes)).toEqual([5, 6, 7, 8])
  })

  test('what was written is read back, at any alignment, and has the size that was foretold', () => {
    fc.assert(
      fc.property(twins, fc.nat(3), ({ bitmap }, shift) => {
        const bytes = bitmap.serialize()
        expect(bytes.length).toBe(bitmap.serializedSizeBytes())
        const shifted = new Uint8Array(bytes.length + shift)
        shifted.set(bytes, shift)
        const copy = Bitmap.deserialize(shifted.subarray(shift))
        shifted.fill(0)
        expect(copy.equals(bitmap)).toBe(true)
        expect(Buffer.compare(copy.serialize(), bytes)).toBe(0)
      }),
      RUNS,
    )
  })

  test('a set read back can be changed without touching its neighbours in memory', () => {
    const ids = Array.from({ length: 9000 }, (_, i) => i * 11)
    const bitmap = Bitmap.deserialize(Bitmap.fromSorted(ids).serialize())
    bitmap.remove(11)
    bitmap.add(12)
    bitmap.add(98_999)
    expect(bitmap.equals(Bitmap.fromUnsorted([...ids.filter((id) => id !== 11), 12, 98_999]))).toBe(true)
  })
})

describe('bytes that are no bitmap', () => {
  const bitsetOf = (count: number): number[] => [...u32(12346, 1), ...u16(0, count - 1), ...u32(16)]

  test.each<[string, number[], RegExp]>([
    ['nothing', [], /byte 0: expected at least 8 bytes/],
    ['another cookie', u32(12345, 0), /byte 0: expected cookie 12346 or 12347, found 12345/],
    ['the right cookie with upper bits', u32(0x1_303a, 0), /expected cookie/],
    ['too many containers', u32(12346, 65_537), /byte 4: expected at most 65536 containers, found 65537/],
    ['a header that is cut off', u32(12346, 1000), /expected a header of 8008 bytes/],
    [
      'keys that repeat',
      [...u32(12346, 2), ...u16(1, 0, 1, 0), ...u32(24, 26), ...u16(1, 1)],
      /a key above 1, found 1/,
    ],
    [
      'a wrong offset',
      [...u32(12346, 1), ...u16(0, 0), ...u32(17), ...u16(1)],
      /byte 12: expected offset 16, found 17/,
    ],
    ['data that is cut off', [...u32(12346, 1), ...u16(0, 1), ...u32(16), ...u16(1)], /expected data up to byte 20/],
    ['an odd byte at the end', [...ZERO_AND_ONE, 0], /byte 20: expected the end, found 1 more bytes/],
    ['values that repeat', [...u32(12346, 1), ...u16(0, 1), ...u32(16), ...u16(1, 1)], /expected increasing values/],
    ['a short bitset', [...bitsetOf(5000), ...new Array(8191).fill(255)], /expected data up to byte 8208/],
    ['a bitset with another count', [...bitsetOf(5000), ...new Array(8192).fill(255)], /5000 values, found 65536/],
    ['no number of runs', [...u16(12347, 0), 1, ...u16(0, 0)], /expected a number of runs/],
    ['no runs', [...u16(12347, 0), 1, ...u16(0, 0), ...u16(0)], /expected 1 values, found 0/],
    ['runs that overlap', [...u16(12347, 0), 1, ...u16(0, 3), ...u16(2), ...u16(5, 2, 7, 0)], /do not overlap/],
    ['a run that leaves', [...u16(12347, 0), 1, ...u16(0, 2), ...u16(1), ...u16(65_534, 2)], /do not overlap/],
    ['runs with another count', [...u16(12347, 0), 1, ...u16(0, 7), ...u16(1), ...u16(5, 2)], /8 values, found 3/],
  ])('%s', (_name, bytes, message) => {
    expect(() => read(bytes)).toThrow(message)
    expect(() => read(bytes)).toThrow(CorruptBitmapError)
  })

  test('every cut of a bitmap is refused', () => {
    const samples = [Bitmap.of(1, 2, 70_000), optimized(Bitmap.range(3, 400_000).or(Bitmap.of(1, 900_000)))]
    for (const bytes of samples.map((bitmap) => bitmap.serialize())) {
      for (let length = 0; length < bytes.length; length++) {
        expect(() => Bitmap.deserialize(bytes.subarray(0, length))).toThrow(CorruptBitmapError)
      }
    }
  })

  test('flipped bytes give an error or another sound set, never anything else', () => {
    fc.assert(
      fc.property(twins, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }), (twin, flips) => {
        const bytes = twin.bitmap.serialize()
        for (const [at, value] of flips) bytes[at % Math.min(bytes.length, 200)] = value
        const bitmap = readOrRefuse(bytes)
        if (bitmap === undefined) return
        expect(Bitmap.fromSorted(bitmap.toArray()).equals(bitmap)).toBe(true)
        expect(bitmap.toArray().length).toBe(bitmap.size)
      }),
      RUNS,
    )
  })
})

function readOrRefuse(bytes: Uint8Array): Bitmap | undefined {
  try {
    return Bitmap.deserialize(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(CorruptBitmapError)
    return undefined
  }
}
