import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedUnique } from '../byte-order/index.js'
import { shardOf, shardVersion } from './shard-map.js'

/** The rule of spec 8 §3.4, word by word. */
function plainShardOf(names: readonly string[], documentId: string): string {
  const hashed = names.map((name) => {
    const bytes = Buffer.concat([Buffer.from(name), Buffer.of(0), Buffer.from(documentId)])
    return { name, number: createHash('sha256').update(bytes).digest().readBigUInt64BE(0) }
  })
  const highest = hashed.reduce((most, { number }) => (number > most ? number : most), 0n)
  return hashed.find(({ number }) => number === highest)!.name
}

const names = fc
  .uniqueArray(fc.string({ unit: 'grapheme', maxLength: 5 }), { minLength: 1, maxLength: 6 })
  .map((list) => sortedUnique(list.map((name) => Buffer.from(name).toString())))

test('a document belongs to the shard with the highest hash', () => {
  fc.assert(
    fc.property(names, fc.string(), (list, id) => {
      expect(shardOf(list, id)).toBe(plainShardOf(list, id))
    }),
  )
})

test('servers of all versions agree', () => {
  const shards = ['s1', 's2', 's3']
  const found = ['0', '1', '2', '3', '42', 'moby-dick', 'A_b'].map((id) => shardOf(shards, id))
  expect(found).toEqual(['s3', 's2', 's2', 's3', 's2', 's1', 's2'])
})

test('a new shard takes its share from all others, and moves nothing else', () => {
  const ids = Array.from({ length: 6000 }, (_, i) => `${i}`)
  const before = ids.map((id) => shardOf(['a', 'b'], id))
  const after = ids.map((id) => shardOf(['a', 'b', 'c'], id))
  const moved = ids.filter((_, i) => before[i] !== after[i])
  expect(moved.every((id) => shardOf(['a', 'b', 'c'], id) === 'c')).toBe(true)
  expect(moved.length / ids.length).toBeGreaterThan(1 / 3 - 0.02)
  expect(moved.length / ids.length).toBeLessThan(1 / 3 + 0.02)
})

test('a server owns the shards that name it', () => {
  const shards = new Map([
    ['s1', ['a', 'b']],
    ['s2', ['b']],
  ])
  const of = (self: string | null) => shardVersion({ version: 'v', shards }, self)
  const [a, b, none] = [of('a'), of('b'), of(null)]
  expect([a.names, [...a.owned], [...b.owned], [...none.owned]]).toEqual([['s1', 's2'], ['s1'], ['s1', 's2'], []])
})
