import { expect, test } from 'vitest'
import type { HeardMember } from './members.js'
import { type Progress, Readiness } from './readiness.js'

function openReadiness() {
  let now = 0
  const readiness = new Readiness(() => now)
  return { readiness, pass: (ms: number) => void (now += ms) }
}

const done: Progress = { registered: 9, end: 9, hasPending: false, provenMs: 100 }
const other = (facts: Partial<HeardMember>): HeardMember => ({
  name: 'b',
  url: null,
  version: '1',
  isReady: true,
  isProven: true,
  registered: 9,
  carriedOut: 9,
  isCoordinator: false,
  notified: 0,
  silentMs: 100,
  ...facts,
})

test('a server is ready once it has registered and carried out everything, not before', () => {
  const { readiness } = openReadiness()
  expect(readiness.isReady({ ...done, end: undefined, registered: 0 }, [])).toBe(false)
  expect(readiness.isReady({ ...done, registered: 8 }, [])).toBe(false)
  expect(readiness.isReady({ ...done, hasPending: true }, [])).toBe(false)
  expect(readiness.isReady(done, [])).toBe(true)
})

test('then it stays ready while it is only a little behind', () => {
  const { readiness, pass } = openReadiness()
  readiness.isReady(done, [])
  const behind = { ...done, end: 12, hasPending: true }
  expect(readiness.isReady(behind, [])).toBe(true)
  pass(2_900)
  expect(readiness.isReady(behind, [])).toBe(true)
  pass(200)
  expect(readiness.isReady(behind, [])).toBe(false)
  // It has to catch up before it is ready again.
  expect(readiness.isReady({ ...done, hasPending: true }, [])).toBe(false)
  expect(readiness.isReady(done, [])).toBe(true)
})

test('a batch may take a minute before the others stop waiting', () => {
  const { readiness, pass } = openReadiness()
  readiness.isReady(done, [])
  const working = { ...done, hasPending: true }
  expect(readiness.isReady(working, [])).toBe(true)
  pass(59_000)
  expect(readiness.isReady(working, [])).toBe(true)
  pass(2_000)
  expect(readiness.isReady(working, [])).toBe(false)
})

test('without a majority it is ready only as long as others say that they know of none either', () => {
  const { readiness } = openReadiness()
  readiness.isReady(done, [])
  const cutOff = { ...done, provenMs: 10_500 }
  expect(readiness.isReady(cutOff, [])).toBe(false)
  expect(readiness.isReady(cutOff, [other({ isProven: false })])).toBe(true)
  expect(readiness.isReady(cutOff, [other({ isProven: false }), other({ name: 'c' })])).toBe(false)
  expect(readiness.isReady(cutOff, [other({ isProven: false, silentMs: 3_000 })])).toBe(false)
})
