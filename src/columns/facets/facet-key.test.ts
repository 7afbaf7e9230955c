import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FieldId } from '../../documents/index.js'
import { sortableNumber } from '../values/sortable-number.js'
import { chunkedKey, chunkedStringKey, markKey, numberFromSortable, numberKey, stringKey } from './facet-key.js'

const field = (id: number): FieldId => id as FieldId
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true })

test('sortable numbers come back, with one zero only', () => {
  fc.assert(
    fc.property(numbers, (number) => {
      expect(numberFromSortable(sortableNumber(number))).toBe(number + 0)
    }),
  )
  expect(sortableNumber(-0)).toEqual(sortableNumber(0))
})

test('sortable numbers sort as bytes do', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const order = Buffer.compare(sortableNumber(a), sortableNumber(b))
      expect(order).toBe(a === b ? 0 : a < b ? -1 : 1)
    }),
  )
})

test('a key is its fact and the two bytes of its chunk', () => {
  expect(chunkedKey(markKey(field(0x0102), 'isNull'), 0x0304)).toEqual(Buffer.of(1, 2, 2, 3, 4))
  expect(chunkedKey(stringKey(field(0xffff), 'é'), 1)).toEqual(Buffer.of(0xff, 0xff, 5, 0xc3, 0xa9, 0, 0, 1))
  expect(numberKey(field(0), sortableNumber(1), 56)).toHaveLength(5)
  expect(numberKey(field(0), sortableNumber(1), 0)).toHaveLength(12)
})

test('the key of a string is the same made at once', () => {
  fc.assert(
    fc.property(fc.nat(0xffff), fc.string({ unit: 'grapheme' }), fc.nat(0xffff), (id, text, chunk) => {
      expect(chunkedStringKey(field(id), text, chunk)).toEqual(chunkedKey(stringKey(field(id), text), chunk))
    }),
  )
})

test('no key is longer than the store allows', () => {
  expect(chunkedKey(stringKey(field(0), '\0'.repeat(468)), 0).length).toBeLessThanOrEqual(511)
})
