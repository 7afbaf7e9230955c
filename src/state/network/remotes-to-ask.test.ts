import { expect, test } from 'vitest'
import { EMPTY_NETWORK } from './network.js'
import { remotesToAsk } from './remotes-to-ask.js'

const remote = { url: 'http://a', searchApiKey: null, writeApiKey: null }

/** `shards` has the owners of each shard, one letter each. */
function asked({ self = null as string | null, remotes = 'abcd', shards = {}, away = '' }): string {
  const network = {
    ...EMPTY_NETWORK,
    self,
    remotes: new Map([...remotes].map((name) => [name, remote] as const)),
    shards: new Map(Object.entries<string>(shards).map(([name, owners]) => [name, [...owners]] as const)),
  }
  return remotesToAsk(network, (name) => !away.includes(name)).join('')
}

test('without shards all remotes are asked, the absent ones too', () => {
  expect(asked({ away: 'b' })).toBe('abcd')
  expect(asked({ remotes: '' })).toBe('')
})

test('a shard that several remotes hold is asked of one', () => {
  expect(asked({ shards: { s: 'abcd' } })).toBe('a')
  expect(asked({ shards: { s: 'abcd' }, self: 'c' })).toBe('c')
  expect(asked({ shards: { s: 'abcd' }, self: 'elsewhere' })).toBe('a')
  expect(asked({ shards: { s: 'ab', t: 'cd' }, self: 'd' })).toBe('ad')
})

test('a remote without a shard is asked too', () => {
  expect(asked({ shards: { s: 'ab' } })).toBe('acd')
})

test('remotes are chosen so that no shard is asked twice', () => {
  expect(asked({ remotes: 'abc', shards: { 1: 'ab', 2: 'bc' }, self: 'a' })).toBe('ac')
  expect(asked({ remotes: 'abc', shards: { 1: 'ab', 2: 'ac', 3: 'c' } })).toBe('bc')
})

test('where that is impossible, every shard is asked all the same', () => {
  expect(asked({ remotes: 'abc', shards: { 1: 'ab', 2: 'bc', 3: 'ac' }, self: 'a' })).toBe('ab')
})

test('an owner that is away is replaced by another; this server is always there', () => {
  expect(asked({ remotes: 'abc', shards: { s: 'abc' }, away: 'a' })).toBe('b')
  expect(asked({ remotes: 'abc', shards: { s: 'abc' }, away: 'abc', self: 'c' })).toBe('c')
  expect(asked({ remotes: 'abc', shards: { s: 'abc' }, away: 'abc' })).toBe('')
})

test('owners that are no remotes cannot be asked', () => {
  expect(asked({ remotes: 'bc', shards: { s: 'ab', t: 'a' } })).toBe('bc')
})
