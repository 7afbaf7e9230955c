import { wrapLongitude } from '../../geo/index.js'
import type { GeoPoint } from './model.js'

/** Of the sphere on which distances are measured (spec 6 §10.1). */
const EARTH_RADIUS_METERS = 6_371_000

const radians = (degrees: number): number => (degrees * Math.PI) / 180
const degrees = (angle: number): number => (angle * 180) / Math.PI

/** The other end of the earth: a circle around a point never gets beyond. */
const FARTHEST_METERS = Math.PI * EARTH_RADIUS_METERS

/** Below this, rounding may leave the centre of a circle beside the circle. */
const MIN_SURE_METERS = 1000

/** A circle as a polygon; `inside` tells a large one, which may hold a pole or most of the earth, from what is around it. */
interface CirclePolygon {
  readonly points: readonly GeoPoint[]
  readonly inside: GeoPoint | undefined
}

/** At `resolution` corners. Circles end at the other end of the earth. */
export function circlePolygon(center: GeoPoint, meters: number, resolution: number): CirclePolygon {
  const points = circlePoints(center, Math.min(meters, FARTHEST_METERS), resolution)
  return { points, inside: meters >= MIN_SURE_METERS ? center : undefined }
}

/** Points on the circle around `center`, evenly spaced in bearing, starting in the north. */
function circlePoints(center: GeoPoint, meters: number, count: number): GeoPoint[] {
  return Array.from({ length: count }, (_, i) => destination(center, meters, (2 * Math.PI * i) / count))
}

/** Where one arrives going straight on from a point; `bearing` in radians, clockwise from north. */
function destination(from: GeoPoint, meters: number, bearing: number): GeoPoint {
  const arc = meters / EARTH_RADIUS_METERS
  const lat = radians(from.lat)
  const sinLat = Math.sin(lat) * Math.cos(arc) + Math.cos(lat) * Math.sin(arc) * Math.cos(bearing)
  const turn = Math.atan2(Math.sin(bearing) * Math.sin(arc) * Math.cos(lat), Math.cos(arc) - Math.sin(lat) * sinLat)
  // Rounding may leave a sine a hair outside of [-1, 1].
  const arrival = Math.asin(Math.max(-1, Math.min(1, sinLat)))
  return { lat: degrees(arrival), lng: wrapLongitude(from.lng + degrees(turn)) }
}
