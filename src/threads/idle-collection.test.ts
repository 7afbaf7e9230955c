import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IdleCollection } from './idle-collection.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function thread() {
  const state = { workedMs: 0, collections: 0 }
  const idle = new IdleCollection({ workedMs: () => state.workedMs, collect: () => void state.collections++ })
  const work = (ms: number) => {
    state.workedMs += ms
    idle.worked()
  }
  return { state, work }
}

test('garbage is collected once when a thread has worked and then has nothing to do', () => {
  const { state, work } = thread()
  for (let i = 0; i < 10; i++) {
    work(500)
    vi.advanceTimersByTime(5000)
  }
  expect(state.collections).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(state.collections).toBe(1)
  work(3000)
  vi.advanceTimersByTime(60_000)
  expect(state.collections).toBe(2)
})

test('little work is not worth it, until it is much together', () => {
  const { state, work } = thread()
  for (let i = 0; i < 3; i++) {
    work(700)
    vi.advanceTimersByTime(60_000)
  }
  expect(state.collections).toBe(1)
})
