import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { type PageRequest, pageOf } from './page.js'

const view = (uid: number) => ({ uid })

function page(uids: readonly number[], request: Partial<PageRequest>) {
  const full = { limit: 20, from: null, reverse: false, ...request }
  const { results, from, next } = pageOf(Bitmap.fromUnsorted(uids), uids.length, full, view)
  return { uids: results.map((result) => result.uid), from, next }
}

const TEN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

test.each<[Partial<PageRequest>, ReturnType<typeof page>]>([
  [{ limit: 3 }, { uids: [9, 8, 7], from: 9, next: 6 }],
  [
    { limit: 3, from: 1 },
    { uids: [1, 0], from: 1, next: null },
  ],
  [
    { limit: 3, reverse: true },
    { uids: [0, 1, 2], from: 0, next: 3 },
  ],
  [
    { limit: 3, from: 8, reverse: true },
    { uids: [8, 9], from: 8, next: null },
  ],
  [{ limit: 0 }, { uids: [], from: null, next: 9 }],
  [
    { limit: 0, reverse: true },
    { uids: [], from: null, next: 0 },
  ],
  [
    { from: 10, reverse: true },
    { uids: [], from: null, next: null },
  ],
])('of ten tasks %o shows %o', (request, expected) => {
  expect(page(TEN, request)).toEqual(expected)
})

test('of no tasks there is an empty page', () => {
  expect(page([], {})).toEqual({ uids: [], from: null, next: null })
})

test('the total is the one given, not the number of what may be seen', () => {
  const request = { limit: 20, from: null, reverse: false }
  expect(pageOf(Bitmap.of(1), 7, request, view)).toEqual({
    results: [{ uid: 1 }],
    total: 7,
    limit: 20,
    from: 1,
    next: null,
  })
})

test('a page is a slice of the sorted list', () => {
  const uid = fc.oneof(fc.nat(40), fc.nat(200_000), fc.constantFrom(0, 65_535, 65_536, 4_294_967_295))
  const request = fc.record({ limit: fc.nat(8), from: fc.option(uid), reverse: fc.boolean() })
  fc.assert(
    fc.property(fc.uniqueArray(uid, { maxLength: 30 }), request, (uids, { limit, from, reverse }) => {
      const sorted = [...uids].sort((a, b) => (reverse ? a - b : b - a))
      const rest = sorted.filter((uid) => from === null || (reverse ? uid >= from : uid <= from))
      expect(page(uids, { limit, from, reverse })).toEqual({
        uids: rest.slice(0, limit),
        from: rest.slice(0, limit)[0] ?? null,
        next: rest[limit] ?? null,
      })
    }),
  )
})
