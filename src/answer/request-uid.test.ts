import { expect, test } from 'vitest'
import { newUid } from './request-uid.js'

test('uids are UUIDs of version 7, told apart, and sort by time', () => {
  const uids = Array.from({ length: 300 }, (_, i) => newUid(1_700_000_000_000 + i))
  for (const uid of uids) expect(uid).toMatch(/^018bcfe5-6[89]..-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(uids.map((uid) => uid.slice(14))).size).toBe(uids.length)
  expect([...uids].sort()).toEqual(uids)
})
