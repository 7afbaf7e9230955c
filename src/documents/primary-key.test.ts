import { expect, test } from 'vitest'
import { inferPrimaryKey } from './primary-key.js'

test.each<[string[], string | null]>([
  [['id'], 'id'],
  [['title', 'userId', 'age'], 'userId'],
  [['ID'], 'ID'],
  [['paid'], 'paid'],
  [['user.id'], 'user.id'],
  [['uID', 'idea'], 'uID'],
  [['title'], null],
  [['idx', 'i d'], null],
  [[], null],
])('among %j it is %j', (names, key) => {
  const inferred = inferPrimaryKey('books', names)
  if (key !== null) expect(inferred).toEqual({ ok: true, value: key })
  else expect(inferred).toMatchObject({ ok: false, failure: { code: 'index_primary_key_no_candidate_found' } })
})

test('several candidates are counted, and the first two in byte order named', () => {
  const inferred = inferPrimaryKey('books', ['primary_id', 'object_id', 'Zid', 'id'])
  if (inferred.ok) throw new Error('one was chosen')
  expect(inferred.failure.code).toBe('index_primary_key_multiple_candidates_found')
  expect(inferred.failure.message).toMatch(/books/)
  expect(inferred.failure.message).toMatch(/4.*Zid.*id/)
  expect(inferred.failure.message).not.toMatch(/primary_id/)
})
