import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CorruptBytes } from '../bytes/index.js'
import { decodeShape, encodeShape, type Shape } from './shape.js'

const degrees = (limit: number) =>
  fc.oneof(
    fc.integer({ min: -limit, max: limit }),
    fc.integer({ min: -limit * 1e5, max: limit * 1e5 }).map((value) => value / 1e5),
    fc.double({ min: -limit, max: limit, noNaN: true }),
  )
const positions = fc.array(fc.tuple(degrees(180), degrees(90)), { maxLength: 5 }).map((pairs) => pairs.flat())
const shapes: fc.Arbitrary<Shape> = fc.record({
  points: positions,
  lines: fc.array(positions, { maxLength: 3 }),
  polygons: fc.array(fc.array(positions, { maxLength: 3 }), { maxLength: 3 }),
})

/** Minus zero is the same place. */
const withoutSigns = (shape: Shape): unknown => JSON.parse(JSON.stringify(shape))

test('what is written reads back', () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      expect(withoutSigns(decodeShape(encodeShape(shape)))).toEqual(withoutSigns(shape))
    }),
  )
})

test('seven decimals go through at both ends of the map', () => {
  const shape = {
    points: [-179.9999999, -89.9999999, 180, 90, -180, -90, 179.9999999, 0.0000001],
    lines: [],
    polygons: [],
  }
  expect(decodeShape(encodeShape(shape))).toEqual(shape)
  expect(encodeShape(shape).length).toBeLessThan(50)
})

test('a border with five decimals takes a few bytes a position', () => {
  const ring = Array.from({ length: 200 }, (_, i) => Math.round((3 + Math.sin(i / 2) / 1000) * 1e5) / 1e5)
  expect(encodeShape({ points: [], lines: [], polygons: [[ring]] }).length).toBeLessThan(100 * 4)
})

test('damaged bytes are reported', () => {
  const bytes = encodeShape({ points: [1, 2, 3, 4], lines: [[5, 6]], polygons: [] })
  for (let end = 0; end < bytes.length; end++) expect(() => decodeShape(bytes.subarray(0, end))).toThrow(CorruptBytes)
  expect(() => decodeShape(Buffer.concat([Buffer.of(9), bytes.subarray(1)]))).toThrow(CorruptBytes)
})
