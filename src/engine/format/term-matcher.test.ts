import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MatchTerms } from '../../rank/index.js'
import { createAnalyzer } from '../../text/index.js'
import { formattedText, phrase, prefix, terms, word } from './hits.fixture.js'
import { plainMatches } from './plain.twin.js'
import { SpanFinder } from './span-finder.js'
import { TermMatcher } from './term-matcher.js'

const highlighted = (text: string, wanted: MatchTerms): string | undefined =>
  formattedText(text, { attributesToHighlight: ['t'], terms: wanted })

describe('the examples of spec 5 §6.3', () => {
  test.each([
    ['Le Petit Prince', [prefix('pri', 0, ['prince'])], 'Le Petit <em>Pri</em>nce'],
    ['A hobbit', [prefix('hobbt', 0, ['hobbit', 'hobbits'])], 'A <em>hobbi</em>t'],
    ['The Hobbits', [prefix('hobbt', 0, ['hobbit', 'hobbits'])], 'The <em>Hobbi</em>ts'],
    ['Ŵôřlḑôle', [prefix('world')], '<em>Ŵôřlḑ</em>ôle'],
    ['Œuvre', [prefix('o', 0, ['oeuvre'])], '<em>Œ</em>uvre'],
    ['hobbit', [{ ...word('hobbt'), words: ['hobbit'] }], '<em>hobbit</em>'],
  ])('%s', (text, words, expected) => {
    expect(highlighted(text, terms(words))).toBe(expected)
  })

  test('a synonym of several words is one highlight, with what lies between', () => {
    const sf = terms([word('sf')], [{ words: ['san', 'francisco'], ids: [0] }])
    expect(highlighted('In San Francisco, SF', sf)).toBe('In <em>San Francisco</em>, <em>SF</em>')
  })

  test('a phrase is found over hard separators, and nothing but the whole phrase is', () => {
    const world = terms([], [phrase('the', 'world')])
    expect(highlighted('the. World is the best', world)).toBe('<em>the. World</em> is the best')
  })

  test('a phrase with a stop word is found nowhere', () => {
    expect(highlighted('end of story', terms([], [phrase('end', null, 'story')]))).toBe('end of story')
  })
})

describe('what wins when several fit', () => {
  test('a phrase before a word, the first phrase before later ones', () => {
    const wanted = terms([word('new')], [phrase('new', 'york'), phrase('new', 'york', 'city')])
    expect(highlighted('new york city, new', wanted)).toBe('<em>new york</em> city, <em>new</em>')
  })

  test('a whole word before a prefix, whatever the order in which they come', () => {
    expect(highlighted('foobar', terms([prefix('foo', 0, ['foo']), word('foobar', 1)]))).toBe('<em>foobar</em>')
  })

  test('the word of more positions before others', () => {
    const wanted = terms([prefix('sn', 0), { ...prefix('snowb'), ids: [0, 1] }])
    expect(highlighted('snowboard', wanted)).toBe('<em>snowb</em>oard')
  })

  test('within an entry the first word that fits: it says how much is matched', () => {
    const wanted = (words: readonly string[]) => terms([{ ...prefix('abcd'), words }])
    expect(highlighted('abcde', wanted(['abcde', 'ab']))).toBe('<em>abcd</em>e')
    expect(highlighted('abcde', wanted(['ab', 'abcde']))).toBe('<em>ab</em>cde')
  })

  test('characters are code points', () => {
    expect(highlighted('😀😀😀', terms([prefix('😀😀', 0, ['😀😀😀'])]))).toBe('<em>😀😀</em>😀')
  })
})

const analyzer = createAnalyzer({ dictionary: ['ab', 'Ça'], separatorTokens: ['sep'], nonSeparatorTokens: ['_'] })
const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é', 'c'), maxLength: 4 })
const unit = fc.oneof(letters, fc.constantFrom(' ', ', ', '. ', '_', 'sep', 'Œ', '中', 'ß', '\n', '\0', '1', '’'))
const someText = fc.array(unit, { maxLength: 25 }).map((parts) => parts.join(''))
const asciiText = someText.map((text) => text.normalize('NFD').replace(/[^\n -~]/g, ''))
const someWord = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'e', 'oe', '中'), minLength: 1, maxLength: 4 })
const someIds = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 })
const someEntry = fc.record({
  words: fc.array(someWord, { maxLength: 5 }),
  isPrefix: fc.boolean(),
  length: fc.integer({ min: 1, max: 5 }),
  ids: someIds,
})
const somePhrase = fc.record({
  words: fc.array(fc.option(someWord, { freq: 6 }), { maxLength: 3 }),
  ids: someIds,
})
const someTerms = fc.record({
  words: fc.array(someEntry, { maxLength: 4 }),
  phrases: fc.array(somePhrase, { maxLength: 3 }),
})

test('the matches are those of the plain twin, and the quick no is right', () => {
  let matchCount = 0
  let spanCount = 0
  fc.assert(
    fc.property(fc.oneof(someText, asciiText), someTerms, (text, wanted) => {
      const tokens = analyzer.tokenize(text)
      const expected = plainMatches(text, tokens, wanted)
      const matcher = new TermMatcher(wanted)
      const found = matcher.find(text, tokens)
      expect(
        found.map(({ term, firstWord, lastWord, start, end }) => ({ ids: term.ids, firstWord, lastWord, start, end })),
      ).toEqual(expected)
      if (expected.length > 0) expect(matcher.mayMatch(text)).toBe(true)
      matchCount += expected.length
      const spans = new SpanFinder(analyzer, matcher).find(text, undefined)
      if (spans === undefined) return
      expect(spans).toEqual(expected.map(({ start, end }) => ({ start, end })))
      spanCount += spans.length
    }),
    { numRuns: 1500 },
  )
  expect(matchCount).toBeGreaterThan(50)
  expect(spanCount).toBeGreaterThan(50)
})

test('highlighted texts without their tags are the texts', () => {
  fc.assert(
    fc.property(someText, someTerms, (text, wanted) => {
      const shown = formattedText(text, {
        attributesToHighlight: ['*'],
        terms: wanted,
        highlightPreTag: '\u{e000}',
        highlightPostTag: '\u{e001}',
      })
      expect(shown?.replace(/[\u{e000}\u{e001}]/gu, '')).toBe(text)
    }),
  )
})

test('a quick no needs no tokens, a word among a thousand is found', () => {
  const words = Array.from({ length: 1000 }, (_, i) => `prince${String(i).padStart(3, '0')}`)
  const matcher = new TermMatcher(terms([prefix('prince', 0, words)]))
  expect(matcher.mayMatch('The Quick Brown Fox')).toBe(false)
  expect(matcher.mayMatch('A PRINCESS')).toBe(true)
  expect(matcher.mayMatch('É')).toBe(true)
  const text = 'Prince777s princess prince'
  expect(matcher.find(text, createAnalyzer().tokenize(text))).toMatchObject([{ start: 0, end: 6 }])
})
