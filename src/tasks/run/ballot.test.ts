import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failure } from '../../errors/index.js'
import { mergeEndings, objection, type Vote } from './ballot.js'
import type { Ending } from './batch-outcome.js'

const SERVERS = ['a', 'b', 'c']
const SHARDS = ['one', 'two', 'three', 'four']

/** Who owns which shard, and what a task counts in each: every shard has an owner. */
const division = fc.record({
  owners: fc.tuple(...SHARDS.map(() => fc.subarray(SERVERS, { minLength: 1 }))),
  counts: fc.tuple(...SHARDS.map(() => fc.nat(5))),
})

function endingOf(server: string, owners: readonly string[][], counts: readonly number[]): Ending {
  const owned = SHARDS.map((name, i) => [name, counts[i]!, owners[i]!] as const).filter(([, , names]) =>
    names.includes(server),
  )
  const shares = Object.fromEntries(owned.filter(([, count]) => count > 0).map(([name, count]) => [name, count]))
  const local = owned.reduce((sum, [, count]) => sum + count, 0)
  return { ok: true, results: { deletedDocuments: local }, shares }
}

test('documents that several servers have count once, whoever asked', () => {
  fc.assert(
    fc.property(division, fc.constantFrom(...SERVERS), ({ owners, counts }, asking) => {
      const own = [endingOf(asking, owners, counts)]
      const votes = SERVERS.filter((name) => name !== asking).map((name) => ({
        endings: [endingOf(name, owners, counts)],
      }))
      const total = counts.reduce((sum, count) => sum + count, 0)
      expect(mergeEndings(own, votes)).toEqual([{ ok: true, results: { deletedDocuments: total } }])
    }),
  )
})

test('what all servers count alike stays as it is', () => {
  const own: Ending[] = [{ ok: true, results: { deletedDocuments: 3 } }]
  expect(mergeEndings(own, [{ endings: own }, { endings: own }])).toEqual(own)
})

test('one server that cannot carry a batch out is enough, and so is one task that ends otherwise', () => {
  const reason = failure('invalid_document_geo_field', 'x')
  const done: Ending = { ok: true, results: {} }
  const refused: Ending = { ok: false, failure: reason }
  const failed: Vote = { endings: [refused], failed: reason }
  expect(objection([done], [{ endings: [done] }])).toBeUndefined()
  expect(objection([done], [{ endings: [done] }, failed])).toBe(reason)
  expect(objection([done, refused], [{ endings: [done, refused] }])).toBeUndefined()
  expect(objection([done, refused], [{ endings: [done, done] }])).toBe(reason)
  expect(objection([done, done], [{ endings: [refused, done] }])).toBe(reason)
})
