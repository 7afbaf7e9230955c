import { wrapLongitude } from './geo-problems.js'
import type { GeoPoint } from './model.js'

/** Of the sphere on which distances are measured (spec 6 §10.1). */
const EARTH_RADIUS_METERS = 6_371_000

const radians = (degrees: number): number => (degrees * Math.PI) / 180
const degrees = (angle: number): number => (angle * 180) / Math.PI

/** Points on the circle around `center`, evenly spaced in bearing, starting in the north. */
export function circlePoints(center: GeoPoint, meters: number, count: number): GeoPoint[] {
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
