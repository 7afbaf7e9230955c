import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ArrivalList, readArrivals } from './arrival-list.js'

const arrival = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: -(2 ** 32), max: 2 ** 52 }))

test('lists are read as they were written, one after the other', () => {
  fc.assert(
    fc.property(fc.array(fc.array(arrival)), (lists) => {
      const list = new ArrivalList()
      for (const arrivals of lists) {
        for (const each of arrivals) list.add(each)
        const text = list.take()
        expect(readArrivals(text, arrivals.length)).toEqual(arrivals)
        expect(readArrivals(text, arrivals.length + 1)).toBeUndefined()
      }
    }),
  )
})

test('documents of one task take few characters', () => {
  const list = new ArrivalList()
  for (const each of [100, 103, 101]) list.add(each)
  expect([list.length, list.take()]).toEqual([8, '2s.3.-2'])
})

test.each(['x y', '1..2', '1.zzzzzzzzzzzz', '-', '1.+2'])('%j is no list', (text) => {
  expect(readArrivals(text, text.split('.').length)).toBeUndefined()
})
