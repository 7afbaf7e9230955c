import type { GeoPoint } from './geo-point.js'

export interface GeoBox {
  readonly topRight: GeoPoint
  readonly bottomLeft: GeoPoint
}

/** Mean radius of the earth in metres (spec 6 §10.1). */
const EARTH_RADIUS_METERS = 6_371_000

const radians = (degrees: number): number => (degrees * Math.PI) / 180
const haversine = (angle: number): number => (1 - Math.cos(angle)) / 2

/** Metres between two points, rounded to millimetres. */
export function distanceMeters(a: GeoPoint, b: GeoPoint): number {
  const lats = Math.cos(radians(a.lat)) * Math.cos(radians(b.lat))
  const h = haversine(radians(b.lat - a.lat)) + lats * haversine(radians(b.lng - a.lng))
  // Opposite of a point rounding may bring the sum above one.
  return Math.round(2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(h))) * 1000) / 1000
}

/** Latitudes outside of this span are farther away than `meters`; a little wider, for rounding. */
export function latitudeSpan(center: GeoPoint, meters: number): { min: number; max: number } {
  const degrees = ((meters + 1) / EARTH_RADIUS_METERS) * (180 / Math.PI)
  return { min: center.lat - degrees, max: center.lat + degrees }
}

/**
 * How many degrees of longitude points within `meters` are away at most, a little more for rounding; undefined when they
 * may be anywhere, since a pole is as near.
 */
export function longitudeReach({ lat }: GeoPoint, meters: number): number | undefined {
  const angle = (meters + 1) / EARTH_RADIUS_METERS
  if (Math.abs(radians(lat)) + angle > Math.PI / 2 - POLE_MARGIN) return undefined
  return (Math.asin(Math.sin(angle) / Math.cos(radians(lat))) * 180) / Math.PI + LONGITUDE_MARGIN
}

const POLE_MARGIN = 1e-6
const LONGITUDE_MARGIN = 1e-6
