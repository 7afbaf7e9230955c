import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isObject } from './index.js'
import { parseBytes } from './parse.js'
import type { JsonValue } from './value.js'
import { leastWeight } from './weight.js'

/** As `parse.ts` says it. */
function weightOf(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + weightOf(item), 5)
  if (isObject(value)) return [...value.values()].reduce((sum: number, member) => sum + 4 + weightOf(member), 13)
  return 1
}

function partsOf(value: JsonValue): number {
  const inner = Array.isArray(value) ? value : isObject(value) ? [...value.values()] : undefined
  return inner === undefined ? 0 : inner.reduce((sum: number, item) => sum + partsOf(item), 1)
}

test('the marks of a text weigh no more than its values, and at most one less for each list and object', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      const bytes = Buffer.from(text)
      const parsed = parseBytes(bytes)
      if (!parsed.ok) return
      const weight = weightOf(parsed.value)
      const least = leastWeight(bytes)
      expect(least).toBeLessThanOrEqual(weight)
      expect(least).toBeGreaterThanOrEqual(weight - partsOf(parsed.value))
    }),
    { numRuns: 500 },
  )
})

test('marks inside strings weigh nothing', () => {
  expect(leastWeight(Buffer.from(String.raw`["a,b:{[\\",",\","]`))).toBe(6)
})

test('a large text that weighs too much is refused, one that does not is read', () => {
  const list = Buffer.from(`[${'{},'.repeat(500_000)}1]`)
  expect(parseBytes(list, { maxWeight: 6_400_000 })).toMatchObject({ ok: false, isTooHeavy: true })
  expect(parseBytes(list, { maxWeight: 6_600_000 }).ok).toBe(true)
})
