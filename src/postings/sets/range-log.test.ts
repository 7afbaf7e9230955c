import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RangeLog } from './range-log.js'
import { RANGE_SIZE } from './set-key.js'

const place = fc.oneof(fc.nat(200), fc.nat(0xffff_ffff))
const places = fc.uniqueArray(place, { minLength: 1, maxLength: 5 }).map((list) => list.sort((a, b) => a - b))
const document = fc.record({ doc: fc.oneof(fc.nat(20), fc.nat(RANGE_SIZE - 1)), places })
const word = fc.record({
  list: fc.nat(0xffff),
  documents: fc
    .uniqueArray(document, { maxLength: 8, selector: ({ doc }) => doc })
    .map((list) => list.sort((a, b) => a.doc - b.doc)),
})

test('what is written down word by word is read again', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const log = new RangeLog()
      const expected: number[][] = []
      for (const [number, { list, documents }] of words.entries()) {
        for (const { doc, places: own } of documents) {
          log.add(number, list, doc, Uint32Array.from([9, ...own, 9]), 1, own.length + 1)
          for (const each of own) expected.push([list, doc, each])
        }
      }
      const read: number[][] = []
      log.each((...token) => read.push(token))
      expect(read).toEqual(expected)
      expect(log.count).toBe(expected.length)
    }),
  )
})
