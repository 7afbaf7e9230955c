import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DocId } from '../documents/index.js'
import type { GeoPoint } from './geo-point.js'
import { ShapeArcs } from './shape-arcs.js'
import {
  type CellFact,
  factKey,
  factsOf,
  isSumKey,
  isSureKey,
  keyBehind,
  keysOf,
  keysWithin,
} from './shape-cell-key.js'
import { boxOf, type Cell, cellOf, cellsOf, childrenOf, levelOf, MAX_LEVEL, WORLD } from './shape-cells.js'
import { arrival, pointShape, pointsAlong, polygonOf, positionsOf, stars } from './shapes.fixture.js'
import { heightOf } from './sphere.js'

const positions: fc.Arbitrary<GeoPoint> = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})
const levels = fc.nat(MAX_LEVEL)
const anyCell = fc.tuple(positions, levels).map(([{ lng, lat }, level]) => cellOf(lng, lat, level))

function isIn({ lng, lat }: GeoPoint, cell: Cell): boolean {
  const { west, east, low, high } = boxOf(cell)
  return lng >= west && lng <= east && heightOf(lat) >= low && heightOf(lat) <= high
}

const isInside = (inner: Cell, outer: Cell): boolean => {
  const [a, b] = [boxOf(inner), boxOf(outer)]
  return a.west >= b.west && a.east <= b.east && a.low >= b.low && a.high <= b.high
}

describe('cells', () => {
  test('hold the positions they are found by, at every level', () => {
    fc.assert(fc.property(positions, levels, (point, level) => isIn(point, cellOf(point.lng, point.lat, level))))
  })

  test('hold four of the next level, each in its corner', () => {
    fc.assert(
      fc.property(positions, fc.nat(MAX_LEVEL - 1), (point, level) => {
        const children = childrenOf(cellOf(point.lng, point.lat, level))
        expect(new Set(children).size).toBe(4)
        expect(children).toContain(cellOf(point.lng, point.lat, level + 1))
        for (const child of children) expect(isInside(child, cellOf(point.lng, point.lat, level))).toBe(true)
      }),
    )
    expect(boxOf(WORLD)).toEqual({ west: -180, east: 180, low: heightOf(-90), high: heightOf(90) })
  })

  test('have their keys in one range, with those of all cells in them and no others', () => {
    fc.assert(
      fc.property(anyCell, anyCell, fc.boolean(), (outer, other, isSure) => {
        for (const cell of [other, outer, ...(levelOf(outer) < MAX_LEVEL ? childrenOf(outer) : [])]) {
          const key = ownKey(cell, isSure)
          expect(isSureKey(key)).toBe(isSure)
          expect(isInRange(key, keysOf(outer))).toBe(cell === outer)
          expect(isInRange(key, keysWithin(outer))).toBe(isInside(cell, outer))
          const behind = keyBehind(ownKey(outer, isSure))
          if (behind !== undefined && isInside(cell, outer)) expect(key.compare(behind)).toBe(-1)
          if (behind !== undefined && isInside(outer, cell) && cell !== outer) expect(key.compare(behind)).toBe(-1)
        }
      }),
    )
  })

  test('are counted together in larger ones, behind what is theirs and before what is in them', () => {
    fc.assert(
      fc.property(anyCell, fc.boolean(), (cell, isSure) => {
        const keys = keysOfFacts(new Map([[cell, isSure]]))
        const own = ownKey(cell, isSure)
        const sums = keys.filter(isSumKey)
        expect(keys).toHaveLength(sums.length + 1)
        expect(sums).toHaveLength([4, 7, 10].filter((level) => level < levelOf(cell)).length)
        for (const sum of sums) {
          expect(isSureKey(sum)).toBe(isSure)
          expect(sum.compare(own)).toBe(-1)
          const behind = keyBehind(sum)
          if (behind !== undefined) expect(own.compare(behind)).toBe(-1)
        }
      }),
    )
  })
})

const keysOfFacts = (cells: ReadonlyMap<Cell, boolean>): Buffer[] =>
  [...factsOf(cells)].map((fact: CellFact) => factKey(fact, 70_000 as DocId)).sort((a, b) => a.compare(b))

const ownKey = (cell: Cell, isSure: boolean): Buffer =>
  keysOfFacts(new Map([[cell, isSure]])).find((key) => !isSumKey(key))!

const isInRange = (key: Buffer, { start, end }: { start: Buffer; end?: Buffer }): boolean =>
  key.compare(start) >= 0 && (end === undefined || key.compare(end) < 0)

describe('the cells of a shape', () => {
  const cells = (corners: readonly GeoPoint[]) => cellsOf(new ShapeArcs(polygonOf(corners)))

  test('are four for a polygon, or fewer, or twice as many at the 180th meridian, and hold its border', () => {
    fc.assert(
      fc.property(stars, ({ center, corners }) => {
        const found = cells(corners)
        expect(found.size).toBeLessThanOrEqual(8)
        const border = pointsAlong(corners, 20).map(([x, y, z]) => ({
          lat: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI,
          lng: (Math.atan2(y, x) * 180) / Math.PI,
        }))
        // Not those at the edges of cells, where rounding decides.
        for (const point of border) expect([...found.keys()].some((cell) => isNearly(point, cell))).toBe(true)
        expect([...found.keys()].some((cell) => isNearly(center, cell))).toBe(true)
      }),
    )
  })

  test('are small for small shapes', () => {
    expect([...cellsOf(new ShapeArcs(pointShape({ lat: 48.85, lng: 2.35 })))]).toEqual([
      [cellOf(2.35, 48.85, MAX_LEVEL), true],
    ])
    const hut = [0, 90, 180, 270].map((bearing) => arrival({ lat: 48.85, lng: 2.35 }, 0.0001, bearing))
    for (const [cell] of cells(hut)) expect(levelOf(cell)).toBeGreaterThanOrEqual(MAX_LEVEL - 1)
    const across = [0, 90, 180, 270].map((bearing) => arrival({ lat: 10, lng: 180 }, 0.5, bearing))
    for (const [cell] of cells(across)) expect(levelOf(cell)).toBeGreaterThanOrEqual(6)
  })

  test('are the whole map for a polygon around a pole', () => {
    const cap = [0, 90, 180, 270].map((bearing) => arrival({ lat: -88, lng: 30 }, 5, bearing))
    expect([...cells(cap)]).toEqual([[WORLD, true]])
  })

  test('are sure where a corner is', () => {
    fc.assert(
      fc.property(stars, ({ corners }) => {
        const sure = [...cells(corners)].filter(([, isSure]) => isSure)
        expect(sure).toHaveLength(1)
        expect(isIn(corners[0]!, sure[0]![0])).toBe(true)
      }),
    )
  })

  test('are bounded for many parts, and still hold all of them', () => {
    const many = Array.from({ length: 5000 }, (_, i) => ({ lat: ((i * 37) % 170) - 85, lng: ((i * 101) % 360) - 180 }))
    const found = cellsOf(new ShapeArcs({ points: positionsOf(many), lines: [], polygons: [] }))
    expect(found.size).toBeLessThanOrEqual(64)
    for (const point of many) expect([...found].some(([cell, isSure]) => isSure && isIn(point, cell))).toBe(true)
  })
})

/** In the cell or not a millionth of a degree beside it. */
function isNearly({ lng, lat }: GeoPoint, cell: Cell): boolean {
  const { west, east, low, high } = boxOf(cell)
  const shift = 1e-6
  const isBetween = (value: number) => value >= west - shift && value <= east + shift
  return (
    (isBetween(lng) || isBetween(lng - 360) || isBetween(lng + 360)) &&
    heightOf(Math.min(90, lat + shift)) >= low &&
    heightOf(Math.max(-90, lat - shift)) <= high
  )
}
