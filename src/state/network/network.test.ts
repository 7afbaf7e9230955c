import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedByName, sortedUnique } from '../../byte-order/index.js'
import { isObject, parse, print } from '../../json/index.js'
import { readDumpedNetwork } from './dumped-network.js'
import { decodeNetwork, EMPTY_NETWORK, encodeNetwork, networkView } from './network.js'

const name = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed())
const key = fc.option(name)
const network = fc.record({
  self: key,
  remotes: fc.array(fc.tuple(name, fc.record({ url: name, searchApiKey: key, writeApiKey: key }))).map(sortedByName),
  shards: fc.array(fc.tuple(name, fc.array(name).map(sortedUnique))).map(sortedByName),
  leader: key,
  version: fc.uuid(),
})

test('a network is read as it was stored, names of every kind', () => {
  fc.assert(
    fc.property(network, (stored) => {
      expect(decodeNetwork(encodeNetwork(stored))).toEqual(stored)
    }),
  )
  const odd = {
    ...EMPTY_NETWORK,
    remotes: new Map([['__proto__', { url: 'a:b', searchApiKey: null, writeApiKey: null }]]),
  }
  expect(decodeNetwork(encodeNetwork(odd))).toEqual(odd)
})

const dumped = (text: string) => {
  const parsed = parse(text)
  if (!parsed.ok || !isObject(parsed.value)) throw new Error(text)
  return readDumpedNetwork(parsed.value)
}

test('a network comes out of a dump without name and leader', () => {
  fc.assert(
    fc.property(network, (original) => {
      const shards = new Map([...original.shards].filter(([, owners]) => owners.length > 0))
      expect(dumped(print(networkView(original)))).toEqual({ ...original, self: null, leader: null, shards })
    }),
  )
})

test('what a dump does not tell, or not readably, is not there', () => {
  expect(dumped('{}')).toEqual(EMPTY_NETWORK)
  expect(dumped('{"remotes":{"a":{"url":1},"b":2},"shards":[],"version":"x"}')).toEqual(EMPTY_NETWORK)
})

test('a version from the future is not guessed at', () => {
  expect(() => decodeNetwork(Buffer.from([9, 0x7b, 0x7d]))).toThrow('unknown version: 9')
})
