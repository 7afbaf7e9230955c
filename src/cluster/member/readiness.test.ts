import { expect, test } from 'vitest'
import type { HeardMember } from './members.js'
import { type Progress, Readiness } from './readiness.js'

function openReadiness() {
  let now = 0
  let id = 0
  const readiness = new Readiness(
    () => `r${++id}`,
    () => now,
  )
  const isReady = (...args: Parameters<Readiness['look']>) => readiness.look(...args).isReady
  return { readiness, isReady, pass: (ms: number) => void (now += ms) }
}

const end = (sequence: number, askedAt = 0) => ({ sequence, askedAt })
const done: Progress = {
  name: 'a',
  isSound: true,
  carriedOut: 8,
  registered: 9,
  end: end(9),
  firstPending: undefined,
  provenMs: 100,
}
const other = (facts: Partial<HeardMember>): HeardMember => ({
  name: 'b',
  url: null,
  version: '1',
  isReady: true,
  awaited: 'asked',
  isSettled: true,
  waitsFor: { a: 'r1' },
  shown: 8,
  isProven: true,
  registered: 9,
  carriedOut: 9,
  isCoordinator: false,
  notified: 0,
  silentMs: 100,
  ...facts,
})

test('a server is ready once it has come to where the log ended, not before', () => {
  const { isReady } = openReadiness()
  expect(isReady({ ...done, end: undefined, registered: 0 }, [])).toBe(false)
  expect(isReady({ ...done, registered: 8 }, [])).toBe(false)
  expect(isReady({ ...done, firstPending: 9 }, [])).toBe(false)
  // What came since is for the others to wait for.
  expect(isReady({ ...done, firstPending: 11 }, [])).toBe(true)
})

test('who needed long to get there goes on to where the log has come meanwhile', () => {
  const { isReady, pass } = openReadiness()
  expect(isReady({ ...done, registered: 1 }, [])).toBe(false)
  pass(30_000)
  expect(isReady(done, [])).toBe(false)
  expect(isReady({ ...done, end: end(20, 29_000), registered: 20 }, [])).toBe(false)
  expect(isReady({ ...done, end: end(25, 30_000), registered: 20 }, [])).toBe(false)
  pass(500)
  expect(isReady({ ...done, end: end(30, 30_400), registered: 26 }, [])).toBe(false)
  // Where the log ended when it asked the others to wait.
  expect(isReady({ ...done, end: end(30, 30_500), registered: 29 }, [])).toBe(false)
  expect(isReady({ ...done, end: end(33, 30_600), registered: 30 }, [])).toBe(true)
})

test('then it stays ready while it is only a little behind', () => {
  const { isReady, pass } = openReadiness()
  isReady(done, [])
  const behind = { ...done, end: end(12), firstPending: 9 }
  expect(isReady(behind, [])).toBe(true)
  pass(2_900)
  expect(isReady(behind, [])).toBe(true)
  pass(200)
  expect(isReady(behind, [])).toBe(false)
  // It has to catch up before it is ready again.
  expect(isReady({ ...done, end: end(12, 3_100), firstPending: 9 }, [])).toBe(false)
  expect(isReady({ ...done, end: end(12, 3_100), registered: 12 }, [])).toBe(true)
})

test('a batch may take a minute before the others stop waiting', () => {
  const { isReady, pass } = openReadiness()
  isReady(done, [])
  const working = { ...done, firstPending: 9 }
  expect(isReady(working, [])).toBe(true)
  pass(59_000)
  expect(isReady(working, [])).toBe(true)
  pass(2_000)
  expect(isReady(working, [])).toBe(false)
})

test('without a majority it is ready only as long as others say that they know of none either', () => {
  const { isReady } = openReadiness()
  isReady(done, [])
  const cutOff = { ...done, provenMs: 10_500 }
  expect(isReady(cutOff, [other({ isProven: false })])).toBe(true)
  expect(isReady(cutOff, [other({ isProven: false }), other({ name: 'c' })])).toBe(false)
  expect(isReady(cutOff, [])).toBe(false)
  expect(isReady(cutOff, [other({ isProven: false, silentMs: 3_000 })])).toBe(false)
})

test('who was cut off does not believe what it knew of the end of the log before', () => {
  const { isReady, pass } = openReadiness()
  expect(isReady(done, [])).toBe(true)
  pass(20_000)
  expect(isReady({ ...done, provenMs: 12_000 }, [])).toBe(false)
  pass(100)
  expect(isReady(done, [])).toBe(false)
  expect(isReady({ ...done, end: end(9, 20_100) }, [])).toBe(true)
})

test('it is ready when all others wait for it, by its last request, and it has what they had shown', () => {
  const { readiness, isReady } = openReadiness()
  expect(readiness.look(done, [other({ waitsFor: {} })])).toEqual({ isReady: false, awaited: 'r1' })
  expect(isReady(done, [other({ shown: 9 })])).toBe(false)
  expect(isReady(done, [other({}), other({ name: 'c', waitsFor: { a: 'r0' } })])).toBe(false)
  const starting = other({ name: 'c', waitsFor: {}, isSettled: false })
  expect(isReady(done, [other({}), starting])).toBe(false)
  expect(isReady(done, [other({})])).toBe(true)
  expect(isReady(done, [other({}), starting])).toBe(true)
  // From here on they show nothing that it lacks, so that it need not have the last batch itself.
  expect(isReady({ ...done, firstPending: 9 }, [other({ shown: 8 })])).toBe(true)
  // Trouble ends all that.
  expect(readiness.look({ ...done, isSound: false }, [other({})])).toEqual({ isReady: false, awaited: null })
  expect(readiness.look(done, [other({})])).toEqual({ isReady: false, awaited: 'r2' })
  expect(isReady(done, [other({ waitsFor: { a: 'r2' } })])).toBe(true)
})
