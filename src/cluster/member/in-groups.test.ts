import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inGroups } from './in-groups.js'

const limits = { maxItems: 5, maxBytes: 100, bytesOf: (item: number) => item }

async function* slowly(items: readonly number[], pauses: readonly number[]): AsyncIterable<number> {
  for (const [i, item] of items.entries()) {
    const turns = pauses[i % pauses.length] ?? 0
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    yield item
  }
}

test('groups hold all items in their order, within the limits', async () => {
  const items = fc.array(fc.nat(40), { maxLength: 60 })
  const pauses = fc.array(fc.nat(5), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(items, pauses, fc.nat(6), async (all, given, turns) => {
      const seen: number[] = []
      for await (const group of inGroups(slowly(all, given), limits)) {
        expect(group.length).toBeGreaterThan(0)
        expect(group.length).toBeLessThanOrEqual(limits.maxItems)
        expect(group.slice(0, -1).reduce((sum, item) => sum + item, 0)).toBeLessThan(limits.maxBytes)
        seen.push(...group)
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      }
      expect(seen).toEqual(all)
    }),
  )
})

test('what came before a failure is handed out before it is thrown', async () => {
  async function* failing(): AsyncIterable<number> {
    yield 1
    yield 2
    throw new Error('broken')
  }
  const seen: number[] = []
  const reading = async () => {
    for await (const group of inGroups(failing(), limits)) seen.push(...group)
  }
  await expect(reading()).rejects.toThrow('broken')
  expect(seen).toEqual([1, 2])
})

test('a source is not asked for more than fits while nobody takes anything', async () => {
  let asked = 0
  async function* endless(): AsyncIterable<number> {
    for (;;) yield ++asked
  }
  for await (const _ of inGroups(endless(), limits)) {
    await sleep(5)
    break
  }
  const before = asked
  await sleep(5)
  expect(asked).toBe(before)
  expect(asked).toBeLessThanOrEqual(2 * limits.maxItems + 1)
})
