import { expect, test } from 'vitest'
import { Availability } from './availability.js'

function atTime() {
  let now = 0
  return { remotes: new Availability(() => now), pass: (seconds: number) => (now += seconds * 1000) }
}

test('a remote that failed rests for half a minute', () => {
  const { remotes, pass } = atTime()
  expect(remotes.statusOf('a')).toBe('available')
  remotes.fail('a')
  expect([remotes.statusOf('a'), remotes.statusOf('b')]).toEqual(['unavailable', 'available'])
  pass(29)
  expect(remotes.statusOf('a')).toBe('unavailable')
  pass(1)
  expect(remotes.statusOf('a')).toBe('available')
})

test('the rest doubles with each failure meanwhile, up to five minutes', () => {
  const { remotes, pass } = atTime()
  for (let i = 0; i < 6; i++) remotes.fail('a')
  pass(299)
  expect(remotes.statusOf('a')).toBe('unavailable')
  pass(1)
  expect(remotes.statusOf('a')).toBe('available')
  remotes.fail('a')
  pass(30)
  expect(remotes.statusOf('a')).toBe('available')
})

test('what is said about a remote holds until the opposite is said', () => {
  const { remotes, pass } = atTime()
  remotes.set('a', 'unavailable')
  pass(1e9)
  remotes.fail('a')
  pass(1e9)
  expect(remotes.statusOf('a')).toBe('unavailable')
  remotes.set('a', 'available')
  expect(remotes.statusOf('a')).toBe('available')
})
