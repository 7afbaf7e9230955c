import { describe, expect, test } from 'vitest'
import { type JsonValue, parse } from '../json/index.js'
import { distanceMeters, latitudeSpan } from './distance.js'
import { readGeoPoint } from './geo-point.js'

function read(text: string) {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return readGeoPoint(parsed.value)
}

describe('a position', () => {
  test.each([
    ['{"lat":48.8,"lng":2}', { lat: 48.8, lng: 2 }],
    ['{"lng":"1e1","lat":"-48.8"}', { lat: -48.8, lng: 10 }],
    ['{"lat":"+.5","lng":"5."}', { lat: 0.5, lng: 5 }],
    ['{"lat":900,"lng":-900}', { lat: 900, lng: -900 }],
    ['{"lat":12345678901234567890,"lng":0}', { lat: 12345678901234567000, lng: 0 }],
    ['null', null],
  ])('%s', (text, value) => {
    expect(read(text)).toEqual({ ok: true, value })
  })

  // In the order of checking (spec 3 §8.1).
  test.each([
    ['"foobar"', ['foobar']],
    ['[1,2]', ['[1,2]']],
    ['{}', ['lat', 'lng', 'missing']],
    ['{"doggos":1}', ['lat', 'lng', 'missing']],
    ['{"lat":"x","more":1}', ['lng', 'missing']],
    ['{"lng":"x","more":1}', ['lat', 'missing']],
    ['{"lat":"x","lng":"y","more":1}', ['more']],
    ['{"lat":"x","lng":null}', ['lat', 'lng', '"x"', 'null']],
    ['{"lat":true,"lng":1}', ['lat', 'true']],
    ['{"lat":1,"lng":"Infinity"}', ['lng', 'Infinity']],
    ['{"lat":1,"lng":"1e999"}', ['lng', '1e999']],
    ['{"lat":1,"lng":" 1"}', ['lng', '" 1"']],
  ])('%s is refused', (text, parts) => {
    const point = read(text)
    const reason = point.ok ? '' : point.reason
    for (const part of parts) expect(reason).toContain(part)
  })
})

describe('distances', () => {
  test('in metres, the same both ways', () => {
    const [paris, lyon] = [
      { lat: 48.8566, lng: 2.3522 },
      { lat: 45.764, lng: 4.8357 },
    ]
    expect(distanceMeters(paris, lyon)).toBeCloseTo(391_500, -3)
    expect(distanceMeters(paris, lyon)).toBe(distanceMeters(lyon, paris))
    expect(distanceMeters(paris, paris)).toBe(0)
    expect(distanceMeters({ lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 })).toBeCloseTo(111_195, 0)
    expect(distanceMeters({ lat: 90, lng: 0 }, { lat: -90, lng: 77 })).toBeCloseTo(20_015_087, 0)
  })

  test('nothing within the distance lies outside of the span of latitudes', () => {
    const center = { lat: 10, lng: 20 }
    const { min, max } = latitudeSpan(center, 1000)
    expect(distanceMeters(center, { lat: max, lng: 20 })).toBeGreaterThan(1000)
    expect(distanceMeters(center, { lat: min, lng: 20 })).toBeGreaterThan(1000)
    expect(max - min).toBeLessThan(0.019)
  })
})

test('22.2.7: a refusal repeats little of a position that is millions of characters long', () => {
  const long = 'x'.repeat(5_000_000)
  const point = readGeoPoint(
    new Map<string, JsonValue>([
      ['lat', long],
      ['lng', 1],
    ]),
  )
  expect(point.ok ? '' : point.reason).toMatch(/^`lat` must be a finite number, not "x{119}…$/)
  const extra = readGeoPoint(
    new Map<string, JsonValue>([
      ['lat', 1],
      ['lng', 1],
      [long, 1],
    ]),
  )
  expect(extra.ok ? Number.NaN : extra.reason.length).toBeLessThan(250)
})

test('22.2.2: millions of digits that are no number are told at once', () => {
  const point = readGeoPoint(
    new Map<string, JsonValue>([
      ['lat', `${'9'.repeat(2_000_000)}x`],
      ['lng', 1],
    ]),
  )
  expect(point.ok).toBe(false)
})
