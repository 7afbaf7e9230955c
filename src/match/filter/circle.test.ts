import fc from 'fast-check'
import { expect, test } from 'vitest'
import { circlePolygon } from './circle.js'
import { distanceMeters } from './facet.twin.js'

test('distances are those of the spec', () => {
  expect(Math.round(distanceMeters({ lat: 0, lng: 0 }, { lat: -89, lng: 0 }))).toBe(9_896_348)
  expect(Math.round(distanceMeters({ lat: 0, lng: 0 }, { lat: 0, lng: 178 }))).toBe(19_792_697)
})

test('the corners start in the north and go round clockwise', () => {
  const [north, east, south, west] = circlePolygon({ lat: 0, lng: 0 }, 111_194.926_644_558_74, 4).points
  expect(north!.lat).toBeCloseTo(1)
  expect(east!.lng).toBeCloseTo(1)
  expect(south!.lat).toBeCloseTo(-1)
  expect(west!.lng).toBeCloseTo(-1)
})

test('all corners are as far away as asked, at valid coordinates', () => {
  const center = fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  fc.assert(
    fc.property(
      center,
      fc.integer({ min: 1000, max: 19_000_000 }),
      fc.integer({ min: 3, max: 20 }),
      (from, meters, count) => {
        const { points } = circlePolygon(from, meters, count)
        expect(points).toHaveLength(count)
        for (const point of points) {
          expect(Math.abs(point.lat)).toBeLessThanOrEqual(90)
          expect(Math.abs(point.lng)).toBeLessThanOrEqual(180)
          expect(Math.abs(distanceMeters(from, point) - meters)).toBeLessThan(1)
        }
      },
    ),
  )
})

test('a circle has its centre inside, unless it is too small to tell', () => {
  const center = { lat: 10, lng: 20 }
  expect(circlePolygon(center, 1000, 3).inside).toEqual(center)
  expect(circlePolygon(center, 0, 3)).toEqual({ points: [center, center, center].map(near), inside: undefined })
})

test('a circle around all of the earth ends at its other end', () => {
  const { points, inside } = circlePolygon({ lat: 10, lng: 20 }, 1e12, 5)
  for (const point of points) expect(distanceMeters(point, { lat: -10, lng: -160 })).toBeLessThan(1)
  expect(inside).toEqual({ lat: 10, lng: 20 })
})

const near = ({ lat, lng }: { lat: number; lng: number }) => ({
  lat: expect.closeTo(lat, 9),
  lng: expect.closeTo(lng, 9),
})
