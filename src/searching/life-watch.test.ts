import { expect, test } from 'vitest'
import { LifeWatch } from './life-watch.js'

/** A thread that counts as lost after a second, and is looked at when the test says so. */
function watched() {
  let look = () => {}
  const facts = { isAwaited: true, isStopped: false, everyMs: 0, asked: 0, pulse: 0, lost: [] as number[] }
  const watch = new LifeWatch({
    lostAfterMs: 1000,
    isAwaited: () => facts.isAwaited,
    ask: () => void facts.asked++,
    onLost: (quietMs) => void facts.lost.push(quietMs),
    pulse: () => facts.pulse,
    startInterval: (everyMs, onLook) => {
      facts.everyMs = everyMs
      look = onLook
      return () => void (facts.isStopped = true)
    },
  })
  const looks = (count: number) => {
    for (let i = 0; i < count; i++) look()
  }
  return { watch, facts, looks }
}

test('a thread that others wait for is asked for signs of life, and lost without them', () => {
  const { facts, looks } = watched()
  expect(facts.everyMs).toBe(100)
  looks(10)
  expect(facts).toMatchObject({ asked: 10, lost: [] })
  looks(1)
  expect(facts).toMatchObject({ asked: 10, lost: [1100] })
})

test('each sign of life gives it all its time again', () => {
  const { watch, facts, looks } = watched()
  for (let i = 0; i < 5; i++) {
    looks(9)
    watch.sign()
  }
  looks(11)
  expect(facts.lost).toEqual([])
  looks(1)
  expect(facts.lost).toEqual([1100])
})

test('a thread that is busy and gets on is not lost', () => {
  const { facts, looks } = watched()
  for (let i = 0; i < 5; i++) {
    looks(9)
    facts.pulse++
  }
  looks(11)
  expect(facts.lost).toEqual([])
  looks(1)
  expect(facts.lost).toEqual([1100])
})

test('while nobody waits for it, nothing is asked and no time passes', () => {
  const { facts, looks } = watched()
  looks(9)
  facts.isAwaited = false
  looks(100)
  facts.isAwaited = true
  looks(10)
  expect(facts).toMatchObject({ asked: 19, lost: [] })
})

test('what its searches may take comes on top, the longest of them', () => {
  const { watch, facts, looks } = watched()
  watch.allow(500)
  watch.allow(200)
  looks(15)
  expect(facts.lost).toEqual([])
  looks(1)
  expect(facts.lost).toEqual([1600])
})

test('nobody looks any more when it is stopped', () => {
  const { watch, facts } = watched()
  watch.stop()
  expect(facts.isStopped).toBe(true)
})
