import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDuration, formatTimestamp, parseDay, parseTimestamp, type Timestamp } from './timestamp.js'

const at = (ns: bigint) => ns as Timestamp

test('a timestamp reads back from its text', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 18n), max: 4n * 10n ** 18n }), (ns) => {
      expect(parseTimestamp(formatTimestamp(at(ns)))).toBe(ns)
    }),
  )
})

test('trailing zeros of the fraction are dropped', () => {
  expect(formatTimestamp(parseTimestamp('2026-01-05T10:00:00.220700Z')!)).toBe('2026-01-05T10:00:00.2207Z')
  expect(formatTimestamp(parseTimestamp('2026-01-05T10:00:00.000Z')!)).toBe('2026-01-05T10:00:00Z')
})

test('offsets are taken off', () => {
  expect(formatTimestamp(parseTimestamp('2026-01-05T10:00:00+02:00')!)).toBe('2026-01-05T08:00:00Z')
})

test.each([
  '2021',
  '2021-12',
  '2021-12-03T23:45',
  '2021-02-30T00:00:00Z',
  '2021-00-10T00:00:00Z',
  '2021-13-10T00:00:00Z',
  '2021-12-00T00:00:00Z',
  '2021-12-03T24:00:00Z',
  '2021-12-03T23:60:00Z',
  '2021-12-03T23:45:60Z',
  '2021-12-03T23:45:00+24:00',
  '2021-12-03 23:45:00Z',
  '',
])('%s is no date-time', (text) => {
  expect(parseTimestamp(text)).toBeUndefined()
})

test('the first century is not taken for the last one', () => {
  expect(formatTimestamp(parseTimestamp('0050-02-28T23:59:59Z')!)).toBe('0050-02-28T23:59:59Z')
})

test('a day is its midnight', () => {
  expect(formatTimestamp(parseDay('2021-12-03')!)).toBe('2021-12-03T00:00:00Z')
  expect(parseDay('2021-02-30')).toBeUndefined()
})

test.each([
  [0n, 'PT0S'],
  [1_500_000_000n, 'PT1.500S'],
  [9_330_000n, 'PT0.009330S'],
  [250_000_000n, 'PT0.250S'],
  [90_061_000_000_000n, 'P1DT3661S'],
  [172_800_000_000_000n, 'P2D'],
  [1n, 'PT0.000000001S'],
])('%s ns are written %s', (ns, text) => {
  expect(formatDuration(at(0n), at(ns))).toBe(text)
})

test('a negative duration is none', () => {
  expect(formatDuration(at(1n), at(0n))).toBeNull()
})
