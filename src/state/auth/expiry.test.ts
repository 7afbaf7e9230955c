import { expect, test } from 'vitest'
import { parseTimestamp } from '../../time/index.js'
import { parseExpiry } from './expiry.js'

test.each([
  ['2050-11-13T00:00:00Z', '2050-11-13T00:00:00Z'],
  ['2050-11-13t00:00:00z', '2050-11-13T00:00:00Z'],
  ['2050-11-13T01:02:03.450+02:00', '2050-11-13T01:02:03.45+02:00'],
  ['2050-11-13T01:02:03.000Z', '2050-11-13T01:02:03Z'],
  ['2050-11-13T01:02:03.1234567891Z', '2050-11-13T01:02:03.123456789Z'],
  ['2050-11-13T01:02:03+00:00', '2050-11-13T01:02:03Z'],
  ['2050-11-13T01:02:03', '2050-11-13T01:02:03Z'],
  ['2050-11-13 01:02:03', '2050-11-13T01:02:03Z'],
  ['2050-11-13', '2050-11-13T00:00:00Z'],
])('%s is shown as %s', (text, shown) => {
  const expiry = parseExpiry(text)
  expect(expiry?.text).toBe(shown)
  expect(expiry?.at).toBe(parseTimestamp(shown))
})

test.each([
  '',
  'soon',
  '2050',
  '2050-02-30',
  '2050-11-13 01:02',
  '2050-11-13T01:02:03.5',
  '2050-11-13T25:00:00Z',
  ' 2050-11-13',
])('%j is no time', (text) => {
  expect(parseExpiry(text)).toBeUndefined()
})
