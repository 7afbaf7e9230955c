import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { betterTable, isTimeToLearn } from './learn-table.js'

const KIB = 1024
const words = (i: number): Buffer => Buffer.from(`"${['green', 'yellow', 'purple'][i % 3]} number ${i}"`)
const other = (i: number): Buffer => Buffer.from(`{"WIDTH":${i % 10},"HEIGHT":${i % 7}}`)
const sample = (make: (i: number) => Buffer): Buffer[] => Array.from({ length: 500 }, (_, i) => make(i))

test.each([
  [0, 0, false],
  [0, 1, false],
  [0, 64 * KIB - 1, false],
  [0, 64 * KIB, true],
  [63 * KIB, 64 * KIB, true],
  [64 * KIB, 255 * KIB, false],
  [64 * KIB, 256 * KIB, true],
  [255 * KIB, 300 * KIB, true],
  [256 * KIB, 1023 * KIB, false],
  [0, 2 ** 40, true],
])('growing from %i to %i bytes is a time to learn: %j', (before, after, isTime) => {
  expect(isTimeToLearn(before, after)).toBe(isTime)
})

test('a first table is taken when it pays', () => {
  expect(betterTable(undefined, sample(words))).toBeDefined()
  const random = createHash('shake256', { outputLength: 20_000 }).digest()
  expect(betterTable(undefined, [random])).toBeUndefined()
  expect(betterTable(undefined, [])).toBeUndefined()
})

test('another is taken when it is better than the one there is', () => {
  const first = betterTable(undefined, sample(words))
  expect(betterTable(first, sample(words))).toBeUndefined()
  expect(betterTable(first, sample(other))).toBeDefined()
})
