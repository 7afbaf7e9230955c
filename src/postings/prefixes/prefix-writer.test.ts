import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { BlockReader } from '../block-reader.js'
import { DecodedPostings } from '../decoded-postings.js'
import { boundOf, postingKey, postingsEnd } from '../posting-key.js'
import { toColumns, toPlain } from '../postings.fixture.js'
import { ReadingMemory } from '../reading-memory.js'
import { PrefixWriter } from './prefix-writer.js'
import { isShortPrefix } from './short-prefix.js'

/** Words in byte order, each with positions of its own in some documents. */
const words = fc
  .uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'я', '日'), minLength: 1, maxLength: 4 }), {
    maxLength: 12,
  })
  .chain((list) =>
    fc.tuple(
      fc.constant(list.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))),
      fc.array(fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 20 }), {
        minLength: list.length,
        maxLength: list.length,
      }),
    ),
  )

test('prefixes hold what their words hold, in however many parts they are written', () => {
  const folder = temporaryIndex()
  const { prefixes } = folder.databases
  fc.assert(
    fc.property(words, fc.constantFrom(1, 7, Number.POSITIVE_INFINITY), ([list, docIds], maxPositions) => {
      const plain = list.map((word, w) => {
        const sorted = docIds[w]!.sort((a, b) => a - b)
        return [word, new Map(sorted.map((docId) => [docId, [w, 65_536 + w]]))] as const
      })
      folder.write(() => {
        prefixes.clear()
        const writer = new PrefixWriter(prefixes, { maxPositions })
        for (const [word, postings] of plain) writer.addGains(Buffer.from(word), toColumns(postings))
        writer.endRun()
      })
      for (const prefix of new Set(list.flatMap((word) => [[...word].slice(0, 1), [...word].slice(0, 2)]))) {
        const text = prefix.join('')
        const stored = Array.from(
          prefixes.range({ start: postingKey(Buffer.from(text), 0), end: postingsEnd(Buffer.from(text)) }),
          ({ key, value }) => new BlockReader(boundOf(key), value),
        )
        const expected = new Map<number, number[]>()
        for (const [word, postings] of plain) {
          if (!isShortPrefix(Buffer.from(text)) || !word.startsWith(text)) continue
          for (const [docId, positions] of postings) expected.set(docId, [...(expected.get(docId) ?? []), ...positions])
        }
        for (const positions of expected.values()) positions.sort((a, b) => a - b)
        const ordered = new Map([...expected].sort(([a], [b]) => a - b))
        expect(toPlain(DecodedPostings.of(stored, new ReadingMemory())), text).toEqual(ordered)
      }
    }),
  )
})

test.each([
  ['a', true],
  ['ab', true],
  ['é', true],
  ['яd', true],
  ['1', true],
  ['', false],
  ['abc', false],
  ['日', false],
  ['a日', false],
  ['日a', false],
])('%o is a short prefix: %o', (text, isShort) => {
  expect(isShortPrefix(Buffer.from(text))).toBe(isShort)
})
