import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distinctSorted, mergeEntries } from './entry-merge.js'

const entry = (spread: number) =>
  fc.record({
    docId: fc.nat(40).map((number) => number * spread),
    positions: fc.array(fc.nat(0xffff_ffff), { minLength: 1, maxLength: 3 }),
  })

/** Close together, with words of bits in between, and so far from each other that no bits are used. */
const entries = fc
  .constantFrom(1, 100, 5000, 0x0600_0000)
  .chain((spread) => fc.tuple(fc.nat(1000), fc.array(entry(spread), { maxLength: 60 })))
  .map(([first, list]) => list.map(({ docId, positions }) => ({ docId: first + docId, positions })))

test('entries of many words become one list: each document once, with all its positions', () => {
  fc.assert(
    fc.property(entries, (list) => {
      const ids = Uint32Array.from(list, ({ docId }) => docId)
      const starts = Uint32Array.from([...list.keys(), list.length], (end) =>
        list.slice(0, end).reduce((sum, { positions }) => sum + positions.length, 0),
      )
      const plain = new Map<number, number[]>()
      for (const { docId, positions } of list) plain.set(docId, [...(plain.get(docId) ?? []), ...positions])
      const docIds = distinctSorted(ids)
      expect([...docIds]).toEqual([...plain.keys()].sort((a, b) => a - b))
      const positions = Uint32Array.from(list.flatMap((one) => one.positions))
      const merged = mergeEntries(ids, docIds, { starts, positions })
      for (const [i, docId] of docIds.entries()) {
        const found = merged.positions.subarray(merged.starts[i], merged.starts[i + 1])
        expect([...found]).toEqual(plain.get(docId)!.sort((a, b) => a - b))
      }
    }),
  )
})
