import { expect, test } from 'vitest'
import { checkBody } from './body.js'
import { indexPattern, indexUid, isIndexPattern, isIndexUid, matchesIndexPattern } from './index-uid.js'

test.each(['a', 'A-1_b', '0', 'x'.repeat(400)])('%s is an index uid', (uid) => {
  expect(isIndexUid(uid)).toBe(true)
})

test.each(['', 'a b', 'é', 'a*', 'a\n', 'x'.repeat(401)])('%j is none', (uid) => {
  expect(isIndexUid(uid)).toBe(false)
  expect(checkBody(indexUid, uid, 'invalid_index_uid')).toMatchObject({ failure: { code: 'invalid_index_uid' } })
})

test('a pattern is a uid, the start of one, or a star', () => {
  for (const pattern of ['*', 'a', 'a*']) expect([pattern, isIndexPattern(pattern)]).toEqual([pattern, true])
  for (const pattern of ['', '**', 'a*b', '*a', 'é*'])
    expect([pattern, isIndexPattern(pattern)]).toEqual([pattern, false])
  expect(checkBody(indexPattern, 'a b')).toMatchObject({ ok: false })
  expect(checkBody(indexPattern, 'shop_*')).toEqual({ ok: true, value: 'shop_*' })
})

test.each([
  ['*', 'anything', true],
  ['shop', 'shop', true],
  ['shop', 'shop_1', false],
  ['shop_*', 'shop_1', true],
  ['shop_*', 'shop_', true],
  ['shop_*', 'shop', false],
])('the pattern %s and %s: %s', (pattern, uid, expected) => {
  expect(matchesIndexPattern(pattern, uid)).toBe(expected)
})
