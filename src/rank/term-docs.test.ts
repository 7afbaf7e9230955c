import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DenseDocSet, SparseDocSet } from '../bitmap/index.js'
import { ListedDocIds, SearchScratch } from '../match/index.js'
import { TermDocs } from './term-docs.js'

const LIMIT = 3000
const anyIds = fc
  .oneof(fc.uniqueArray(fc.nat(60), { maxLength: 30 }), fc.uniqueArray(fc.nat(LIMIT - 1), { maxLength: 200 }))
  .map((ids) => Uint32Array.from(ids).sort())
const anySource = fc.record({ docIds: anyIds, bits: fc.constantFrom(0b001, 0b010, 0b100, 0b1001) })
type Source = { readonly docIds: Uint32Array; readonly bits: number }

function foundDocs(sources: readonly Source[], mostListed: number): TermDocs {
  const found = new TermDocs({
    docLimit: LIMIT,
    mostListed,
    scratch: new SearchScratch(),
    bitsOf: (some) => DenseDocSet.ofSources(some, LIMIT),
  })
  for (const { docIds, bits } of sources) found.add(new ListedDocIds(docIds), bits)
  return found
}

function bitsOf(docIds: Uint32Array): DenseDocSet {
  const bits = new DenseDocSet(LIMIT)
  bits.addAll(docIds)
  return bits
}

/** Document by document. */
function plainBits(sources: readonly Source[], docId: number): number {
  return sources.reduce((all, { docIds, bits }) => (docIds.includes(docId) ? all | bits : all), 0)
}

// None, some and all terms have few documents.
const anyMost = fc.constantFrom(0, 20, 100_000)

test('documents of a term are found as lists and as sets, within others and by their bits', () => {
  fc.assert(
    fc.property(fc.array(anySource, { maxLength: 6 }), anyIds, anyMost, (sources, asked, most) => {
      const plain = Uint8Array.from(asked, (docId) => plainBits(sources, docId))
      const found = foundDocs(sources, most)
      expect(found.isEmpty).toBe(sources.every(({ docIds }) => docIds.length === 0))
      for (const wanted of [0xff, 0b001, 0b010]) {
        const expected = asked.filter((_, i) => plain[i]! & wanted)
        expect(found.within(new SparseDocSet(asked, LIMIT), wanted).toArray()).toEqual(expected)
        expect(found.within(bitsOf(asked), wanted).toArray()).toEqual(expected)
        const having = found.having(wanted)
        expect(found.within(having, wanted)).toBe(having)
        expect(asked.filter((docId) => having.has(docId))).toEqual(expected)
      }
      const said = new Uint8Array(asked.length)
      found.mark(said, asked)
      expect(said).toEqual(plain)
    }),
  )
})
