import { expect, test } from 'vitest'
import { seenValues, spread, ValueSample } from './value-sample.js'

const sizeOf = (values: readonly Uint8Array[]): number => values.reduce((total, { length }) => total + length, 0)

test('few documents are all kept, as copies', () => {
  const sample = new ValueSample()
  const value = Buffer.from('"red"')
  sample.see(seenValues([value, Buffer.from('1')]))
  sample.see(seenValues([Buffer.from('2')]))
  value.fill(0)
  expect(sample.values().map((kept) => Buffer.from(kept).toString())).toEqual(['"red"', '1', '2'])
  expect(sample.seenBytes).toBe(7)
})

test('of many documents those are kept that lie evenly among all, whatever their turns', () => {
  const sample = new ValueSample()
  const count = 50_000
  for (let i = 0; i < count; i++) sample.see(seenValues([Buffer.from(String(i).padStart(100))]))
  expect(sample.seenBytes).toBe(count * 100)
  expect(sizeOf(sample.values())).toBeGreaterThan(30_000)
  expect(sizeOf(sample.values())).toBeLessThan(70_000)
  const kept = sample.values().map((value) => Number(Buffer.from(value).toString()))
  for (const part of [(id: number) => id < count / 2, (id: number) => id % 2 === 0, (id: number) => id % 128 < 64]) {
    const share = kept.filter(part).length / kept.length
    expect(Math.abs(share - 0.5)).toBeLessThan(0.1)
  }
})

test('numbers are spread over all there are', () => {
  expect([0, 1, 3].map((count) => spread(count, 3))).toEqual([[], [0], [0, 1, 2]])
  const some = spread(1000, 100)
  expect(new Set(some.map((number) => Math.floor(number / 100))).size).toBe(10)
  expect([Math.min(...some), Math.max(...some) < 1000]).toEqual([0, true])
})

test('no document and no value takes up the sample', () => {
  const sample = new ValueSample()
  for (let i = 0; i < 3; i++) sample.see(seenValues(Array.from({ length: 100 }, () => Buffer.alloc(100_000, 'x'))))
  expect(sample.seenBytes).toBe(30_000_000)
  expect(sample.values().map(({ length }) => length)).toEqual(Array.from({ length: 12 }, () => 1024))
})
