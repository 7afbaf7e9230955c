import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAnalyzer } from './analyzer.js'
import { foldText } from './fold-text.js'

test.each([
  ['Crème Brûlée', undefined, 'creme brulee'],
  ['science fiction!', undefined, 'science fiction!'],
  ['ΟΔΟΣ', undefined, 'οδοσ'],
  ['œuvre', undefined, 'oeuvre'],
  ['ドラマ', ['jpn'], 'と\u3099らま'],
  ['åäö', ['swe'], 'åäö'],
  ['', undefined, ''],
])('%j in %j becomes %j', (text, locales, folded) => {
  expect(foldText(text, locales)).toBe(folded)
})

test('words of one script are folded as the analyzer does', () => {
  const analyzer = createAnalyzer()
  const word = fc.string({ unit: fc.constantFrom(...'aZéßİœ-\u0300\u00a0'), minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(word, (text) => {
      expect(foldText(text)).toBe(analyzer.lemmaOf(text))
    }),
  )
})
