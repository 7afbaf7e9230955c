import { expect, test } from 'vitest'
import type { SearchNetwork } from '../../answer/index.js'
import { chooseOwners, divideShards } from './shard-owners.js'

const remote = { url: 'http://a', searchApiKey: null }

function network(self: string | null, shards: Record<string, string>, away = ''): SearchNetwork {
  return {
    version: 'v',
    self,
    everywhere: [],
    remotes: new Map([...'abcd'].map((name) => [name, remote] as const)),
    shards: new Map(Object.entries(shards).map(([name, owners]) => [name, [...owners]] as const)),
    away: [...away],
  }
}

function chosen(among: SearchNetwork, { tried = '', slow = '' } = {}) {
  const { byServer, lost } = chooseOwners([...among.shards!.keys()], among, {
    tried: new Set(tried),
    isSlow: (server) => slow.includes(server),
  })
  return { ...Object.fromEntries(byServer), lost }
}

test('shards of this server are its own, the others are asked for', () => {
  expect(divideShards(network('b', { s: 'ba', t: 'cd', u: 'b' }))).toEqual({ own: ['s', 'u'], others: ['t'] })
  expect(divideShards(network(null, { s: 'ba' }))).toEqual({ own: [], others: ['s'] })
  expect(divideShards({ ...network('b', {}), shards: null })).toBeUndefined()
})

test('the first owner is asked for all shards of which it is the first', () => {
  expect(chosen(network('a', { s: 'cd', t: 'cb', u: 'bd' }))).toEqual({ c: ['s', 't'], b: ['u'], lost: [] })
})

test('owners that are away, or were tried, are passed over', () => {
  expect(chosen(network('a', { s: 'cd', t: 'cb', u: 'c' }, 'c'))).toEqual({ d: ['s'], b: ['t'], lost: ['u'] })
  expect(chosen(network('a', { s: 'cd', t: 'cb' }), { tried: 'c' })).toEqual({ d: ['s'], b: ['t'], lost: [] })
})

test('a slow owner is asked where there is no other', () => {
  expect(chosen(network('a', { s: 'cd', t: 'c' }), { slow: 'c' })).toEqual({ d: ['s'], c: ['t'], lost: [] })
})
