import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceMeters, latitudeSpan, longitudeReach } from './distance.js'

const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true })
const point = fc.record({ lat: degrees(90), lng: degrees(180) })
const meters = fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.double({ min: 0, max: 2e7, noNaN: true }))

/** Points at random are hardly ever near: some are made so. */
const near = fc
  .tuple(point, meters, fc.double({ min: 0, max: 360, noNaN: true }), fc.double({ min: 0, max: 1.05, noNaN: true }))
  .map(([center, radius, bearing, share]) => ({ center, radius, other: pointFrom(center, bearing, radius * share) }))

function pointFrom({ lat, lng }: { lat: number; lng: number }, bearing: number, distance: number) {
  const [phi, theta, angle] = [(lat * Math.PI) / 180, (bearing * Math.PI) / 180, distance / 6_371_000]
  const sine = Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(theta)
  const turn = Math.atan2(Math.sin(theta) * Math.sin(angle) * Math.cos(phi), Math.cos(angle) - Math.sin(phi) * sine)
  return { lat: (Math.asin(Math.max(-1, Math.min(1, sine))) * 180) / Math.PI, lng: lng + (turn * 180) / Math.PI }
}

test('points within a distance are within its spans of latitude and longitude', () => {
  fc.assert(
    fc.property(near, ({ center, radius, other }) => {
      if (distanceMeters(center, other) > radius) return
      const { min, max } = latitudeSpan(center, radius)
      expect(other.lat).toBeGreaterThanOrEqual(min)
      expect(other.lat).toBeLessThanOrEqual(max)
      const reach = longitudeReach(center, radius)
      if (reach === undefined) return
      const apart = Math.abs(other.lng - center.lng) % 360
      expect(Math.min(apart, 360 - apart)).toBeLessThanOrEqual(reach)
    }),
    { numRuns: 2000 },
  )
})

test('the reach is known away from the poles, and not much wider than needed', () => {
  expect(longitudeReach({ lat: 0, lng: 0 }, 111_195)).toBeCloseTo(1, 3)
  expect(longitudeReach({ lat: 60, lng: 0 }, 111_195)).toBeCloseTo(2, 2)
  expect(longitudeReach({ lat: 89.5, lng: 0 }, 111_195)).toBeUndefined()
  expect(longitudeReach({ lat: 0, lng: 0 }, 1.9e7)).toBeUndefined()
})
