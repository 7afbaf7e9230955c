import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GeoPoint } from './geo-point.js'
import { GeoRegion } from './geo-region.js'
import type { Shape } from './shape.js'
import { ShapeArcs } from './shape-arcs.js'
import { boxOf, cellOf } from './shape-cells.js'
import {
  angle,
  arrival,
  isAround,
  lineOf,
  pointShape,
  pointsAlong,
  polygonOf,
  stars,
  type Vector,
  vectorOf,
} from './shapes.fixture.js'

const at = (lng: number, lat: number): GeoPoint => ({ lng, lat })
const path = (...pairs: readonly (readonly [number, number])[]): GeoPoint[] => pairs.map(([lng, lat]) => at(lng, lat))
const box = (west: number, south: number, east: number, north: number): GeoRegion =>
  GeoRegion.box({ topRight: at(east, north), bottomLeft: at(west, south) })
const touches = (region: GeoRegion, shape: Shape): boolean => region.touches(new ShapeArcs(shape))

const square = path([0, 0], [10, 0], [10, 10], [0, 10])

describe('a region touches', () => {
  const region = GeoRegion.polygon(square)

  test('what is in it, in whole or in part, and what it is in', () => {
    expect(touches(region, pointShape(at(5, 5)))).toBe(true)
    expect(touches(region, lineOf(at(4, 4), at(6, 6)))).toBe(true)
    expect(touches(region, lineOf(at(-5, 5), at(15, 5)))).toBe(true)
    expect(touches(region, polygonOf(path([4, 4], [6, 4], [6, 6])))).toBe(true)
    expect(touches(region, polygonOf(path([-20, -20], [30, -20], [30, 30], [-20, 30])))).toBe(true)
  })

  test('not what is beside it, even in its box', () => {
    expect(touches(region, pointShape(at(11, 5)))).toBe(false)
    expect(touches(GeoRegion.polygon(path([0, 0], [10, 0], [0, 10])), lineOf(at(9, 3), at(9, 9)))).toBe(false)
    expect(touches(region, { points: [], lines: [], polygons: [] })).toBe(false)
    expect(touches(region, { points: [], lines: [[]], polygons: [[], [[]]] })).toBe(false)
  })

  test('what has only a point of its border', () => {
    expect(touches(region, pointShape(at(0, 5)))).toBe(true)
    expect(touches(region, pointShape(at(5, 0)))).toBe(true)
    expect(touches(region, pointShape(at(10, 10)))).toBe(true)
    expect(touches(region, polygonOf(path([10, 10], [20, 10], [20, 20])))).toBe(true)
    expect(touches(region, lineOf(at(0, -5), at(0, 0)))).toBe(true)
  })

  test('one of many parts', () => {
    expect(touches(region, pointShape(at(50, 50), at(-50, 50), at(5, 5)))).toBe(true)
    expect(touches(region, pointShape(at(50, 50), at(-50, 50)))).toBe(false)
  })

  test('no shape from within its hole', () => {
    const ring = polygonOf(
      path([-20, -20], [30, -20], [30, 30], [-20, 30]),
      path([-5, -5], [15, -5], [15, 15], [-5, 15]),
    )
    expect(touches(region, ring)).toBe(false)
    expect(touches(GeoRegion.polygon(path([-5, -5], [15, -5], [15, 15], [-5, 15])), ring)).toBe(true)
    expect(touches(GeoRegion.polygon(path([0, 0], [20, 0], [20, 10])), ring)).toBe(true)
  })

  test('shapes whose paths are closed twice, or not, alike', () => {
    const open = polygonOf(path([4, 4], [20, 4], [20, 6]))
    const closed = polygonOf(path([4, 4], [20, 4], [20, 6], [4, 4]))
    expect([touches(region, open), touches(region, closed)]).toEqual([true, true])
    expect(touches(GeoRegion.polygon([...square, square[0]!]), pointShape(at(5, 5)))).toBe(true)
  })

  test('a point, when it is one', () => {
    const point = GeoRegion.polygon([at(5, 5), at(5, 5), at(5, 5)])
    expect(touches(point, pointShape(at(5, 5)))).toBe(true)
    expect(touches(point, polygonOf(square))).toBe(true)
    expect(touches(point, pointShape(at(5, 6)))).toBe(false)
  })
})

describe('edges are arcs of great circles', () => {
  test('which pass north of the parallel in the north', () => {
    const region = box(0.5, 43.8, 21.5, 50.5)
    expect(touches(region, pointShape(at(11, 50.9)))).toBe(true)
    expect(touches(region, pointShape(at(11, 43.9)))).toBe(false)
    expect(touches(region, pointShape(at(0.6, 50.6)))).toBe(false)
  })

  test('but not far beside the parallels, however wide the box is', () => {
    const region = box(-170, -10, 170, 10)
    expect(touches(region, pointShape(at(0, 0), at(100, 5)))).toBe(true)
    expect(touches(region, pointShape(at(175, 0)))).toBe(false)
    expect(touches(region, pointShape(at(0, 60)))).toBe(false)
    expect(touches(box(-180, -90, 180, 90), pointShape(at(33, 44)))).toBe(true)
    expect(touches(box(-80, 40, 80, 50), pointShape(at(0, 45)))).toBe(true)
    expect(touches(box(-80, 40, 80, 50), pointShape(at(0, 55)))).toBe(false)
    expect(touches(box(100, 40, -80, 50), pointShape(at(-170, 45)))).toBe(true)
    expect(touches(box(100, 40, -80, 50), pointShape(at(10, 45)))).toBe(false)
  })
})

describe('at the 180th meridian', () => {
  test('boxes and polygons reach across', () => {
    for (const region of [
      box(170, -10, -170, 10),
      GeoRegion.polygon(path([170, -10], [-170, -10], [-170, 10], [170, 10])),
    ]) {
      for (const lng of [175, 180, -180, -175, 170, -170]) expect(touches(region, pointShape(at(lng, 5)))).toBe(true)
      for (const lng of [0, 165, -165]) expect(touches(region, pointShape(at(lng, 5)))).toBe(false)
      expect(touches(region, lineOf(at(160, 0), at(-160, 1)))).toBe(true)
      expect(touches(region, lineOf(at(160, 0), at(165, 1)))).toBe(false)
    }
  })

  test('both names of it are the same place', () => {
    const east = polygonOf(path([175, 0], [180, 0], [180, 5], [175, 5]))
    const west = GeoRegion.polygon(path([-180, 0], [-175, 0], [-175, 5], [-180, 5]))
    expect(touches(west, east)).toBe(true)
    expect(touches(west, pointShape(at(180, 3)))).toBe(true)
    expect(touches(west, lineOf(at(170, 3), at(180, 3)))).toBe(true)
    expect(touches(box(180, 0, -180, 5), pointShape(at(-180, 3)))).toBe(true)
    expect(touches(box(175, 0, 180, 5), pointShape(at(-180, 3)))).toBe(true)
  })

  test('a shape cut there is as good as one across', () => {
    const across = polygonOf(path([175, 0], [-175, 0], [-175, 5], [175, 5]))
    const region = box(178, 1, -178, 2)
    expect(touches(region, across)).toBe(true)
    expect(touches(box(0, 1, 10, 2), across)).toBe(false)
  })
})

describe('at the poles', () => {
  const cap = path([0, 80], [120, 80], [-120, 80])

  test('a path around the earth has the near pole inside', () => {
    expect(touches(GeoRegion.polygon(cap), pointShape(at(77, 89)))).toBe(true)
    expect(touches(GeoRegion.polygon(cap), pointShape(at(77, 90)))).toBe(true)
    expect(touches(GeoRegion.polygon([...cap].reverse()), pointShape(at(77, 89)))).toBe(true)
    expect(touches(GeoRegion.polygon(cap), pointShape(at(77, 50)))).toBe(false)
    expect(touches(GeoRegion.polygon(cap), pointShape(at(77, -89)))).toBe(false)
    const south = cap.map(({ lng, lat }) => at(lng, -lat))
    expect(touches(GeoRegion.polygon(south), pointShape(at(77, -89)))).toBe(true)
    expect(touches(GeoRegion.polygon(south), pointShape(at(77, 89)))).toBe(false)
    expect(touches(box(30, 88, 31, 89), polygonOf(cap))).toBe(true)
    expect(touches(box(30, -89, 31, -88), polygonOf(cap))).toBe(false)
  })

  test('a map cut from the pole to the edge, as of Antarctica, is whole', () => {
    const coast = path([-180, -80], [-90, -70], [0, -70], [90, -65], [180, -80], [180, -90], [-180, -90])
    const region = (lng: number, lat: number) => GeoRegion.polygon(path([lng, lat], [lng + 1, lat], [lng, lat + 1]))
    for (const lng of [-180, -100, 0, 45, 178]) {
      expect(touches(region(lng, -88), polygonOf(coast))).toBe(true)
      expect(touches(region(lng, -50), polygonOf(coast))).toBe(false)
    }
  })

  test('corners at a pole and edges over it count', () => {
    const octant = polygonOf(path([0, 0], [90, 0], [0, 90]))
    expect(touches(box(44, 44, 46, 46), octant)).toBe(true)
    expect(touches(box(-46, 44, -44, 46), octant)).toBe(false)
    expect(touches(box(100, 89, 101, 90), octant)).toBe(true)
    const over = lineOf(at(0, 85), at(180, 85))
    expect(touches(GeoRegion.polygon(cap), over)).toBe(true)
    expect(touches(box(179, 86, -179, 88), over)).toBe(true)
    expect(touches(box(89, 86, 91, 88), over)).toBe(false)
    expect(touches(box(89, 86, 91, 90), over)).toBe(true)
  })
})

test('the side with the given position is the inner one, even when it is most of the earth', () => {
  const center = at(10, 20)
  const circle = Array.from({ length: 60 }, (_, i) => arrival(center, 150, i * 6))
  const region = GeoRegion.polygon(circle, center)
  expect(touches(region, pointShape(center))).toBe(true)
  expect(touches(region, pointShape(arrival(center, 140, 33)))).toBe(true)
  expect(touches(region, pointShape(arrival(center, 160, 33)))).toBe(false)
})

describe('against the plain way', () => {
  test('a polygon holds the places that it goes around', () => {
    const places = fc.array(fc.tuple(fc.double({ min: 0, max: 1.2, noNaN: true }), fc.nat(359)), {
      minLength: 5,
      maxLength: 20,
    })
    fc.assert(
      fc.property(stars, fc.constantFrom(0.01, 1, 10, 40), places, ({ center, corners }, reach, list) => {
        const border = pointsAlong(corners, 200)
        const region = GeoRegion.polygon(corners)
        for (const [share, bearing] of list) {
          const place = arrival(center, reach * share, bearing)
          const vector = vectorOf(place)
          // So near to the border, which is a chain of short straight pieces here, both may be right.
          if (border.some((point) => angle(point, vector) < 0.001 * reach)) continue
          expect(touches(region, pointShape(place))).toBe(isAround(border, vector))
          expect(touches(GeoRegion.polygon([place]), polygonOf(corners))).toBe(isAround(border, vector))
        }
      }),
      { numRuns: 30 },
    )
  })

  test('two polygons touch when one has a place of the other', () => {
    fc.assert(
      fc.property(stars, stars, fc.double({ min: 0, max: 1.5, noNaN: true }), fc.nat(359), (a, b, share, bearing) => {
        const reach = angle(vectorOf(a.center), vectorOf(a.corners[0]!))
        // The second is moved to where they may meet.
        const away = arrival(a.center, reach * share, bearing)
        const moved = b.corners.map((corner) =>
          arrival(away, angle(vectorOf(b.center), vectorOf(corner)), bearingOf(b.center, corner)),
        )
        const [left, right] = [pointsAlong(a.corners, 60), pointsAlong(moved, 60)]
        const isSure = left.some((point) => isAround(right, point)) || right.some((point) => isAround(left, point))
        const answer = touches(GeoRegion.polygon(a.corners), polygonOf(moved))
        expect(touches(GeoRegion.polygon(moved), polygonOf(a.corners))).toBe(answer)
        if (isSure || !answer) expect(answer).toBe(isSure)
        // A tip between two of the places that were tried.
        else expect(nearest(left, right)).toBeLessThan(Math.max(longestStep(left), longestStep(right)) * 2)
      }),
      { numRuns: 30 },
    )
  })

  test('a box is placed inside or outside only if all of its places are', () => {
    const spots = fc.tuple(fc.double({ min: 0, max: 1.5, noNaN: true }), fc.nat(359), fc.nat(16))
    const shares = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
    )
    fc.assert(
      fc.property(stars, spots, shares, ({ center, corners }, [share, bearing, level], inBox) => {
        const region = GeoRegion.polygon(corners)
        const reach = angle(vectorOf(center), vectorOf(corners[0]!))
        const place = arrival(center, reach * share, bearing)
        const cell = boxOf(cellOf(place.lng, place.lat, level))
        const placement = region.place(cell)
        if (placement === 'border') return
        const [south, north] = [Math.atan(cell.low), Math.atan(cell.high)].map((lat) => (lat * 180) / Math.PI)
        for (const [x, y] of [[0.5, 0.5] as const, ...inBox]) {
          const lng = cell.west + x * (cell.east - cell.west)
          expect(touches(region, pointShape({ lng, lat: south! + y * (north! - south!) }))).toBe(placement === 'inside')
        }
      }),
      { numRuns: 300 },
    )
  })
})

const nearest = (left: readonly Vector[], right: readonly Vector[]): number =>
  Math.min(...left.map((point) => Math.min(...right.map((other) => angle(point, other)))))

const longestStep = (path: readonly Vector[]): number =>
  path.slice(1).reduce((longest, point, i) => Math.max(longest, angle(path[i]!, point)), 0)

/** Degrees, clockwise from north. */
function bearingOf(from: GeoPoint, to: GeoPoint): number {
  const radians = Math.PI / 180
  const [a, b, d] = [from.lat * radians, to.lat * radians, (to.lng - from.lng) * radians]
  const y = Math.sin(d) * Math.cos(b)
  return Math.atan2(y, Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(d)) / radians
}
