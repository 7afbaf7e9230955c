import { expect, test } from 'vitest'
import { createAnalyzer } from './analyzer.js'
import { wordNumbering } from './lemma-cache.js'

/** Words in an order that neither repeats soon nor comes from one hash row. */
function numberedWords(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `Word${(i * 7919) % 50_021}`)
}

test('words are the same whether they are remembered, forgotten or too long to remember', () => {
  const analyzer = createAnalyzer()
  const words = [...numberedWords(60_000), 'L'.repeat(30), 'M'.repeat(31), 'N'.repeat(200)]
  for (let round = 0; round < 2; round++) {
    const found: string[] = []
    for (const text of words) {
      analyzer.positionWords({ text, locales: undefined, startPosition: 0 }, (word) => found.push(word))
    }
    expect(found).toEqual(words.map((word) => word.toLowerCase()))
  }
})

test('words have the numbers of the numbering that is used, whatever was used before', () => {
  const analyzer = createAnalyzer()
  const words = [...numberedWords(20_000), 'a', 'L'.repeat(30), 'M'.repeat(31), 'N'.repeat(200), 'a']
  const lists = [new Map<string, number>(), new Map<string, number>()]
  const numberings = lists.map((numbers, i) =>
    wordNumbering((word) => {
      if (!numbers.has(word)) numbers.set(word, numbers.size * 2 + i)
      return numbers.get(word)!
    }),
  )
  for (const round of [0, 1, 0]) {
    const found: number[] = []
    for (const text of words) {
      const value = { text, locales: undefined, startPosition: 0 }
      analyzer.positionNumbers(value, numberings[round]!, (number) => found.push(number))
    }
    expect(found).toEqual(words.map((word) => lists[round]!.get(word.toLowerCase())))
  }
})

test('the same text is remembered apart for each script and language', () => {
  const analyzer = createAnalyzer()
  const lemma = (text: string, locales?: string[]) => analyzer.tokenize(text, locales).at(-1)?.lemma
  expect(lemma('trä')).toBe('tra')
  expect(lemma('trä', ['swe'])).toBe('trä')
  expect(lemma('trä')).toBe('tra')
  // A heart with its variation selector: kept alone, dropped in Latin text.
  expect(lemma('❤️')).toBe('❤\ufe0f')
  expect(lemma('I ❤️')).toBe('❤')
})
