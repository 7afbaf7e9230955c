import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAnalyzer } from './analyzer.js'
import { WordBeginnings } from './word-beginnings.js'

const units = [...'aB é\u0301İœ.,-_жςلب漢の가ก１。🦊\0\u00a0\u200c']
const words = ['a', 'b', 'ab', 'Ab', 'aB c', 'é', 'b\0c', 'a\0', 'x1', "o'b", 'a\u0301b', ' ', '.']
const someText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...units) }),
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...words)).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...words)).map((parts) => parts.join(' ')),
)
const someLocales = fc.constantFrom(undefined, ['eng'], ['deu'], ['jpn', 'zho'])
const someSettings = fc.record(
  {
    stopWords: fc.array(fc.constantFrom('a', 'é', '-')),
    separatorTokens: fc.array(fc.constantFrom('B', 'aB', 'の')),
    nonSeparatorTokens: fc.array(fc.constantFrom('.', '-', ' ')),
    dictionary: fc.array(fc.constantFrom('a.', 'aé', 'b c')),
  },
  { requiredKeys: [] },
)

test('words that are looked for are found where their tokens are', () => {
  let count = 0
  fc.assert(
    fc.property(someText, someLocales, someSettings, fc.func(fc.nat(2)), (text, locales, settings, numberOf) => {
      const tokens = createAnalyzer(settings).tokenize(text, locales)
      const wordTokens = tokens.filter(({ kind }) => kind === 'word' || kind === 'stopWord')
      const beginnings = new WordBeginnings()
      for (const { lemma } of wordTokens) if (numberOf(lemma) > 0) beginnings.add(lemma)
      const expected = wordTokens
        .map(({ lemma, start, end }, position) => ({ number: numberOf(lemma), position, start, end }))
        .filter(({ number }) => number > 0)
      expect(createAnalyzer(settings).findWords(text, locales, { beginnings, numberOf })).toEqual(expected)
      count += expected.length
    }),
    { numRuns: 600 },
  )
  expect(count).toBeGreaterThan(500)
})

test('a word is another one when it begins like none', () => {
  const beginnings = new WordBeginnings()
  for (const word of ['star', 'x', 'é', '']) beginnings.add(word)
  const isOther = (word: string) => beginnings.isOther(Uint16Array.from(Buffer.from(word)), 0, word.length)
  expect(['Stop', 'STAR', 'Xylophone', 'X', 's', 'sea', 'top'].map(isOther)).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
    true,
  ])
  // Nothing is said of what is no letter or digit, and may vanish.
  expect(["s'", '_s', 's\0tar'].map(isOther)).toEqual([false, false, false])
})
