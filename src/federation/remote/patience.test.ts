import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LatencyHistogram } from './latency-histogram.js'
import { MeasuredPatience } from './patience.js'

const times = fc.array(fc.double({ min: 0.3, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 200 })

test('quantiles are at most a quarter above the exact ones', () => {
  fc.assert(
    fc.property(times, fc.double({ min: 0.01, max: 1, noNaN: true }), (elapsed, part) => {
      const histogram = new LatencyHistogram()
      for (const each of elapsed) histogram.add(each)
      const exact = elapsed.sort((a, b) => a - b)[Math.max(Math.ceil(elapsed.length * part) - 1, 0)]!
      const found = histogram.quantile(part)
      expect(found).toBeGreaterThanOrEqual(exact * 0.999)
      expect(found).toBeLessThanOrEqual(exact * 1.251)
    }),
  )
})

test('what was long ago is forgotten', () => {
  const histogram = new LatencyHistogram()
  for (let i = 0; i < 300; i++) histogram.add(1000)
  for (let i = 0; i < 1500; i++) histogram.add(2)
  expect(histogram.quantile(0.95)).toBeLessThan(3)
})

test('a server is waited for as long as it usually takes, once enough is known of it', () => {
  const patience = new MeasuredPatience()
  expect(patience.usualMs('a')).toBe(50)
  for (let i = 0; i < 100; i++) patience.answered('a', i < 90 ? 8 : 40)
  expect(patience.usualMs('a')).toBeGreaterThanOrEqual(40)
  expect(patience.usualMs('a')).toBeLessThan(51)
  for (let i = 0; i < 500; i++) patience.answered('b', 0.4)
  expect([patience.usualMs('b'), patience.longestMs('b')]).toEqual([5, 250])
  for (let i = 0; i < 500; i++) patience.answered('b', 1000)
  expect(patience.usualMs('b')).toBe(300)
  expect(patience.longestMs('b')).toBeGreaterThanOrEqual(3000)
})

test('one request in ten is asked twice, and a few more in a bad moment', () => {
  const patience = new MeasuredPatience()
  let twice = 0
  for (let i = 0; i < 1000; i++) {
    patience.answered('a', 1)
    if (patience.mayAskTwice()) twice++
  }
  expect(twice).toBeGreaterThanOrEqual(100)
  expect(twice).toBeLessThanOrEqual(111)
})

test('a server that does not answer is passed over for longer and longer, until it does', () => {
  let now = 0
  const patience = new MeasuredPatience(() => now)
  patience.gaveUp('a', 60)
  expect(patience.isSlow('a')).toBe(false)
  patience.gaveUp('a', 250)
  expect([patience.isSlow('a'), patience.isSlow('b')]).toEqual([true, false])
  now = 2001
  expect(patience.isSlow('a')).toBe(false)
  patience.gaveUp('a', 250)
  now = 6000
  expect(patience.isSlow('a')).toBe(true)
  patience.answered('a', 10)
  expect(patience.isSlow('a')).toBe(false)
})

test('one that was given up several times without an answer is passed over, however soon that was', () => {
  const patience = new MeasuredPatience()
  patience.gaveUp('a', 50)
  patience.gaveUp('a', 50)
  patience.answered('a', 50)
  patience.gaveUp('a', 50)
  patience.gaveUp('a', 50)
  expect(patience.isSlow('a')).toBe(false)
  patience.gaveUp('a', 50)
  expect(patience.isSlow('a')).toBe(true)
})
