import { expect, test } from 'vitest'
import { ThreadSignals } from './thread-signals.js'

test('both sides see the same memory', () => {
  const server = new ThreadSignals()
  const thread = new ThreadSignals(server.memory)
  expect([thread.isAbandoned(7), thread.isAbandoned(7 + 1024)]).toEqual([false, false])
  server.abandon(7)
  expect([thread.isAbandoned(7), thread.isAbandoned(7 + 1024), thread.isAbandoned(8)]).toEqual([true, false, false])
  const { pulse } = server
  thread.beat()
  expect(server.pulse).not.toBe(pulse)
})
