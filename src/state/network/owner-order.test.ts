import { expect, test } from 'vitest'
import { EMPTY_NETWORK } from './network.js'
import { OwnerOrder } from './owner-order.js'

const remote = { url: 'http://a', searchApiKey: null, writeApiKey: null }

function network(self: string | null, shards: Record<string, string>) {
  return {
    ...EMPTY_NETWORK,
    self,
    remotes: new Map([...'abcd'].map((name) => [name, remote] as const)),
    shards: new Map(Object.entries(shards).map(([name, owners]) => [name, [...owners]] as const)),
  }
}

test('this server comes first, the others in an order that all shards share', () => {
  const owners = new OwnerOrder().ofShards(network('c', { s: 'abcd', t: 'abd', u: 'bd' }))
  const [first, ...others] = owners.get('s')!
  expect([first, others.toSorted()]).toEqual(['c', ['a', 'b', 'd']])
  expect(owners.get('t')).toEqual(others)
  expect(owners.get('u')).toEqual(others.filter((name) => name !== 'a'))
})

test('owners that are no remotes cannot be asked', () => {
  expect(Object.fromEntries(new OwnerOrder().ofShards(network(null, { s: 'az' })))).toEqual({ s: ['a'] })
})

test('the order stays for a while, then all others have the same chance to be the first', () => {
  let now = 0
  const order = new OwnerOrder(() => now)
  const firsts = new Map<string, number>()
  for (let i = 0; i < 3000; i++) {
    now = i * 60_000
    const [first] = order.ofShards(network('a', { s: 'bcd' })).get('s')!
    firsts.set(first!, (firsts.get(first!) ?? 0) + 1)
    now += 59_000
    expect(order.ofShards(network('a', { s: 'bcd' })).get('s')![0]).toBe(first)
  }
  for (const name of 'bcd') expect(firsts.get(name)).toBeGreaterThan(850)
})
