import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedUnique } from '../../byte-order/index.js'
import { prefixTypoDistance } from '../../text/index.js'
import { equalTexts, type SortedTexts, type TextRange, textsStartingNear, textsStartingWith } from './match-folded.js'

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '\u{10000}', '\uffff'), maxLength: 6 })
const sorted = fc.array(text, { maxLength: 40 }).map(sortedUnique)

const listOf = (texts: readonly string[]): SortedTexts => ({ size: texts.length, foldedAt: (i) => texts[i]! })

const inRanges = (texts: readonly string[], ranges: readonly TextRange[]): string[] =>
  ranges.flatMap(({ from, to }) => texts.slice(from, to))

test('texts that begin with a text, or nearly, are those that the plain distance finds, in order', () => {
  fc.assert(
    fc.property(sorted, text, fc.integer({ min: 0, max: 2 }), (texts, prefix, maxTypos) => {
      const found = inRanges(texts, textsStartingNear(listOf(texts), prefix, maxTypos))
      expect(found).toEqual(texts.filter((one) => prefixTypoDistance(prefix, one, maxTypos) <= maxTypos))
    }),
    { numRuns: 500 },
  )
})

test('without typos texts are compared as they are', () => {
  fc.assert(
    fc.property(sorted, text, (texts, wanted) => {
      const list = listOf(texts)
      expect(inRanges(texts, textsStartingWith(list, wanted))).toEqual(texts.filter((one) => one.startsWith(wanted)))
      expect(inRanges(texts, equalTexts(list, wanted))).toEqual(texts.filter((one) => one === wanted))
    }),
  )
})

test('texts that cannot match are passed over together', () => {
  const letters = (i: number): string =>
    String.fromCharCode(...[0, 1, 2, 3].map((place) => 97 + ((i / 26 ** place) % 26)))
  const texts = sortedUnique(Array.from({ length: 20_000 }, (_, i) => `${letters((i * 7919) % 456_976)} and more`))
  let looks = 0
  const list: SortedTexts = {
    size: texts.length,
    foldedAt(index) {
      looks++
      return texts[index]!
    },
  }
  const found = inRanges(texts, textsStartingNear(list, 'wxyz and', 1))
  expect(found).toEqual(texts.filter((one) => prefixTypoDistance('wxyz and', one, 1) <= 1))
  expect(found.length).toBeGreaterThan(2)
  expect(looks).toBeLessThan(15_000)
})
