import fc from 'fast-check'
import type { GeoPoint } from './geo-point.js'
import type { Shape } from './shape.js'
import { wrapLongitude } from './sphere.js'

/*
 * The plain way to look at shapes: vectors in space, paths as many points, inner sides by walking round with the eyes on
 * a path. Slow, and with nothing in common with the way shapes are looked at in the room.
 */

const RADIANS = Math.PI / 180

export type Vector = readonly [number, number, number]

export function vectorOf({ lat, lng }: GeoPoint): Vector {
  const [a, b] = [lat * RADIANS, lng * RADIANS]
  return [Math.cos(a) * Math.cos(b), Math.cos(a) * Math.sin(b), Math.sin(a)]
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const length = (a: Vector): number => Math.hypot(...a)
const unit = (a: Vector): Vector => a.map((x) => x / length(a)) as unknown as Vector

export const angle = (a: Vector, b: Vector): number => Math.atan2(length(cross(a, b)), dot(a, b)) / RADIANS

/** Points along a closed path, `count` to an arc. */
export function pointsAlong(corners: readonly GeoPoint[], count: number): Vector[] {
  return corners.flatMap((corner, i) => {
    const [a, b] = [vectorOf(corner), vectorOf(corners[(i + 1) % corners.length]!)]
    return Array.from({ length: count }, (_, step) => between(a, b, step / count))
  })
}

function between(a: Vector, b: Vector, share: number): Vector {
  const whole = angle(a, b) * RADIANS
  if (whole === 0) return a
  const [left, right] = [Math.sin((1 - share) * whole), Math.sin(share * whole)]
  return unit([0, 1, 2].map((i) => a[i]! * left + b[i]! * right) as unknown as Vector)
}

/** Whether a closed path of small steps, less than half of the earth away, goes around a place. */
export function isAround(path: readonly Vector[], place: Vector): boolean {
  const east = unit(cross(Math.abs(place[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1], place))
  const north = cross(place, east)
  const bearings = path.map((point) => Math.atan2(dot(point, east), dot(point, north)))
  let turn = 0
  for (const [i, bearing] of bearings.entries()) {
    const step = bearings[(i + 1) % bearings.length]! - bearing
    turn += step - 2 * Math.PI * Math.round(step / (2 * Math.PI))
  }
  return Math.abs(turn) > Math.PI
}

/** Where one arrives going straight on; degrees, bearing clockwise from north. */
export function arrival({ lat, lng }: GeoPoint, distance: number, bearing: number): GeoPoint {
  const [a, d, t] = [lat * RADIANS, distance * RADIANS, bearing * RADIANS]
  const sine = Math.sin(a) * Math.cos(d) + Math.cos(a) * Math.sin(d) * Math.cos(t)
  const turn = Math.atan2(Math.sin(t) * Math.sin(d) * Math.cos(a), Math.cos(d) - Math.sin(a) * sine)
  return { lat: Math.asin(Math.max(-1, Math.min(1, sine))) / RADIANS, lng: wrapLongitude(lng + turn / RADIANS) }
}

/** Near the poles and the 180th meridian more often than elsewhere. */
const centers: fc.Arbitrary<GeoPoint> = fc.record({
  lat: fc.oneof(fc.constantFrom(0, 45, 89, -89, 80, -75), fc.double({ min: -89, max: 89, noNaN: true })),
  lng: fc.oneof(fc.constantFrom(0, 180, -180, 175, -179, 90), fc.double({ min: -180, max: 180, noNaN: true })),
})

/** The corners of a polygon around a centre that it can be seen from everywhere in it. */
export const stars: fc.Arbitrary<{ center: GeoPoint; corners: GeoPoint[] }> = fc
  .record({
    center: centers,
    reach: fc.constantFrom(0.01, 1, 10, 40),
    shares: fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), { minLength: 4, maxLength: 12 }),
  })
  .map(({ center, reach, shares }) => ({
    center,
    corners: shares.map((share, i) => arrival(center, reach * share, (360 * i) / shares.length)),
  }))

export const positionsOf = (points: readonly GeoPoint[]): number[] => points.flatMap(({ lng, lat }) => [lng, lat])

export const polygonOf = (...rings: readonly (readonly GeoPoint[])[]): Shape => ({
  points: [],
  lines: [],
  polygons: [rings.map(positionsOf)],
})

export const pointShape = (...points: readonly GeoPoint[]): Shape => ({
  points: positionsOf(points),
  lines: [],
  polygons: [],
})

export const lineOf = (...points: readonly GeoPoint[]): Shape => ({
  points: [],
  lines: [positionsOf(points)],
  polygons: [],
})

/** Shapes of all kinds, some of several parts. */
export const shapes: fc.Arbitrary<Shape> = fc.record({
  points: fc.array(centers, { maxLength: 3 }).map(positionsOf),
  lines: fc.array(
    stars.map(({ corners }) => positionsOf(corners)),
    { maxLength: 2 },
  ),
  polygons: fc.array(
    stars.map(({ corners }) => [positionsOf(corners)]),
    { maxLength: 2 },
  ),
})
