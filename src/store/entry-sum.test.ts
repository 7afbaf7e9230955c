import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EntryHash, EntrySum } from './entry-sum.js'

const bytes = fc.uint8Array({ maxLength: 150 })
const entry = fc.record({ name: fc.constantFrom('words', 'documents'), key: bytes, value: bytes })

interface Entry {
  readonly name: string
  readonly key: Uint8Array
  readonly value: Uint8Array
}

function sumOf(entries: readonly Entry[], sum = new EntrySum()): string {
  for (const { name, key, value } of entries) sum.add(new EntryHash(name).of(key, value))
  return sum.toString()
}

test('the order does not count, and what went leaves no trace', () => {
  fc.assert(
    fc.property(fc.array(entry), fc.array(entry), (kept, gone) => {
      const sum = new EntrySum()
      sumOf([...gone, ...kept.toReversed()], sum)
      for (const { name, key, value } of gone) sum.subtract(new EntryHash(name).of(key, value))
      expect(sum.toString()).toBe(sumOf(kept))
    }),
  )
})

test('any change of one byte is seen, and where key and value meet', () => {
  fc.assert(
    fc.property(entry, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ name, key, value }, place, flip) => {
      const all = Uint8Array.from([...key, ...value])
      if (all.length === 0) return
      all[place % all.length]! ^= flip
      const changed = { name, key: all.subarray(0, key.length), value: all.subarray(key.length) }
      expect(sumOf([changed])).not.toBe(sumOf([{ name, key, value }]))
      const moved = { name, key: all.subarray(0, key.length + 1), value: all.subarray(key.length + 1) }
      if (value.length > 0) expect(sumOf([moved])).not.toBe(sumOf([changed]))
      expect(sumOf([{ ...changed, name: 'postings' }])).not.toBe(sumOf([changed]))
    }),
    { numRuns: 500 },
  )
})

test('values that change places are seen', () => {
  fc.assert(
    fc.property(entry, entry, (a, b) => {
      if (Buffer.compare(a.value, b.value) === 0 || Buffer.compare(a.key, b.key) === 0) return
      const swapped = [
        { ...a, value: b.value },
        { ...b, value: a.value },
      ]
      if (a.name === b.name) expect(sumOf(swapped)).not.toBe(sumOf([a, b]))
    }),
  )
})
