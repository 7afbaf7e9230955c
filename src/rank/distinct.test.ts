import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DistinctValues, distinctSource } from './distinct.js'
import { ValueIndex } from './order/value-index.fixture.js'

const value = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom('a', 'A', 'b', null))
const values = fc.oneof(value, fc.constant(''), fc.array(value, { maxLength: 3 }))

test('many documents are taken as they are one by one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(values, { minLength: 1, maxLength: 25 }),
      fc.func(fc.boolean()),
      fc.func(fc.boolean()),
      fc.boolean(),
      async (list, isEarly, isLate, isEmptyDistinct) => {
        const made = await ValueIndex.of(
          { filterableAttributes: ['v'] },
          list.map((v, id) => ({ id, v })),
        )
        const source = distinctSource(made.index, { distinct: 'v', isEmptyDistinct })!
        const [early, late] = [isEarly, isLate].map((isIn) => Uint32Array.from(list.keys()).filter((id) => isIn(id)))
        const [all, single] = [new DistinctValues(source), new DistinctValues(source)]
        expect(all.isNothingSeen).toBe(true)
        for (const docIds of [early!, late!]) {
          expect(all.seenOf(docIds)).toEqual(docIds.filter((docId) => single.isSeen(docId)))
          expect(all.takeAll(docIds)).toEqual(docIds.filter((docId) => single.take(docId)))
          const whole = Uint32Array.from(list.keys())
          expect(all.seenOf(whole)).toEqual(whole.filter((docId) => single.isSeen(docId)))
        }
        await made.delete()
      },
    ),
    { numRuns: 40 },
  )
}, 30_000)
