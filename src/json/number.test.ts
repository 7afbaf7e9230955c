import { expect, test } from 'vitest'
import { numberFromDecimal, numberFromLiteral } from './number.js'
import { Float } from './value.js'

/** A bigint of so many digits takes seconds to make, a regular expression that backtracks takes hours. */
const MANY = '9'.repeat(8_000_000)

function quickly<T>(work: () => T): T {
  const start = performance.now()
  const result = work()
  expect(performance.now() - start).toBeLessThan(5000)
  return result
}

test('22.2.3: integers of millions of digits are refused by their length', () => {
  expect(quickly(() => numberFromLiteral(MANY))).toBeUndefined()
  expect(quickly(() => numberFromLiteral(`-${MANY}`))).toBeUndefined()
  expect(numberFromLiteral('18446744073709551615')).toBe(2n ** 64n - 1n)
  expect(numberFromLiteral('-9223372036854775808')).toBe(-(2n ** 63n))
  expect(numberFromLiteral('100000000000000000000')).toEqual(new Float(1e20))
})

test('22.2.2: text that is nearly a number is told in time that grows with its length', () => {
  expect(quickly(() => numberFromDecimal(`${MANY}x`))).toBeUndefined()
  expect(quickly(() => numberFromDecimal(`${MANY}.${MANY}x`))).toBeUndefined()
  expect(quickly(() => numberFromDecimal(MANY))).toBe(Number.POSITIVE_INFINITY)
})

test('decimal numbers may have a sign, an exponent and a point at either end', () => {
  const texts = ['5', '+5', '-5.', '.5', '5.5', '5e3', '-.5E-1']
  expect(texts.map(numberFromDecimal)).toEqual([5, 5, -5, 0.5, 5.5, 5000, -0.05])
  for (const text of ['', '.', '+', 'e5', '5e', '1.2.3', ' 5', '0x5', 'Infinity']) {
    expect(numberFromDecimal(text)).toBeUndefined()
  }
})
