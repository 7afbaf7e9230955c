import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MatchTerms } from '../../rank/index.js'
import { createAnalyzer } from '../../text/index.js'
import { cropWindow } from './crop-window.js'
import { formattedText, phrase, prefix, terms, word } from './hits.fixture.js'
import { plainMatches, plainWindow } from './plain.twin.js'
import { TermMatcher } from './term-matcher.js'

const cropped = (text: string, cropLength: number, wanted?: MatchTerms): string | undefined =>
  formattedText(text, { attributesToCrop: ['t'], cropLength, terms: wanted })

const FOX = 'The quick brown fox. It jumps over the lazy dog, then sleeps under an old oak tree near the river.'

test.each([
  [1, '…<em>lazy</em>…'],
  [2, '…the <em>lazy</em>…'],
  [3, '…the <em>lazy</em> dog…'],
  [5, '…jumps over the <em>lazy</em> dog…'],
  [7, '…fox. It jumps over the <em>lazy</em> dog…'],
  [8, '…<em>lazy</em> dog, then sleeps under an old <em>oak</em>…'],
  [10, '…the <em>lazy</em> dog, then sleeps under an old <em>oak</em> tree…'],
  [
    19,
    '…quick brown fox. It jumps over the <em>lazy</em> dog, then sleeps under an old <em>oak</em> tree near the river.',
  ],
  [20, FOX.replace('lazy', '<em>lazy</em>').replace('oak', '<em>oak</em>')],
])('a window of %i words around "lazy oak" (spec 5 §6.5)', (cropLength, expected) => {
  const wanted = terms([word('lazy', 0), prefix('oak', 1)])
  const request = { attributesToHighlight: ['t'], attributesToCrop: ['t'], cropLength, terms: wanted }
  expect(formattedText(FOX, request)).toBe(expected)
})

const ONE_TO_FIVE = terms([], [phrase('one', 'two', 'three', 'four', 'five')])

test.each([
  ['one two three four', undefined, 3, 'one two three…'],
  ['one two three.', undefined, 3, 'one two three…'],
  ['one two three', undefined, 3, 'one two three'],
  ['Hello (world)', undefined, 2, 'Hello (world…'],
  ['one, two, three, four', terms([word('three')]), 2, '…two, three…'],
  ['a b c d. e f g h i', terms([word('e')]), 4, '…e f g h…'],
  ['a b c d e f g h i', terms([word('e')]), 4, '…c d e f…'],
  ['a b c d e f g h i', terms([word('i')]), 4, '…f g h i'],
  ['a b. c d e', terms([word('c')]), 3, '…c d e'],
  ['a b, c (d e) f', terms([word('d')]), 3, '…c (d e…'],
  ['x y one two three four five z', ONE_TO_FIVE, 3, 'x y one two three…'],
  ['one two three four five z', ONE_TO_FIVE, 5, 'one two three four five…'],
  ['one two three four five', ONE_TO_FIVE, 3, 'one two three…'],
  ['', undefined, 3, ''],
  ['a-', undefined, 1, 'a…'],
  ['a-b', undefined, 3, 'a-b'],
  ['...', undefined, 3, '...'],
])('%s cropped (spec 5 §6.5)', (text, wanted, cropLength, expected) => {
  expect(cropped(text, cropLength, wanted)).toBe(expected)
})

describe('the choice of the window', () => {
  test('a word that stands for both query words beats the two words', () => {
    const text = 'Snow boards, skis. The old snowboard stands near the door of the small winter hut.'
    const wanted = terms([word('snow', 0), prefix('board', 1), { ...prefix('snowboard'), ids: [0, 1] }])
    expect(cropped(text, 4, wanted)).toBe('…The old snowboard stands…')
  })

  test('the earlier of two equal ones is shown', () => {
    expect(cropped('a x b c d e x f', 2, terms([word('x')]))).toBe('a x…')
  })

  test('two phrases that are both too long: the first is shown from the start of the text', () => {
    expect(cropped('z a b c a b c', 2, terms([], [phrase('a', 'b', 'c')]))).toBe('z a b…')
  })
})

test('no words and no marker: what is asked for', () => {
  expect(cropped('one two three', 0)).toBe('one two three')
  expect(formattedText('one two three', { attributesToCrop: ['t:1'], cropMarker: '' })).toBe('one')
  expect(cropped('one two', Number.POSITIVE_INFINITY)).toBe('one two')
})

test('a match that touches the window leaves an empty pair of tags', () => {
  const request = {
    attributesToHighlight: ['t'],
    attributesToCrop: ['t'],
    cropLength: 1,
    terms: terms([word('foo', 0), word('bar', 1)]),
    settings: { dictionary: ['foo', 'bar', 'baz'] },
  }
  expect(formattedText('foobarbaz', request)).toBe('<em>foo</em><em></em>…')
})

const analyzer = createAnalyzer({ dictionary: ['ab'] })
const unit = fc.constantFrom('a', 'b', 'c', ' ', ' x ', ' y z ', ' ', ', ', '. ', '-', '\0')
const someText = fc.string({ unit, maxLength: 50 })
const someIds = fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 2 })
const someWord = fc.constantFrom('a', 'b', 'c', 'ab', 'abc')
const someTerms = fc.record({
  words: fc.array(
    fc.record({
      words: fc.array(someWord, { minLength: 1, maxLength: 2 }),
      isPrefix: fc.boolean(),
      length: fc.integer({ min: 1, max: 3 }),
      ids: someIds,
    }),
    { maxLength: 3 },
  ),
  phrases: fc.array(fc.record({ words: fc.array(someWord, { minLength: 1, maxLength: 4 }), ids: someIds }), {
    maxLength: 2,
  }),
})

test('windows are those of the plain twin', () => {
  fc.assert(
    fc.property(someText, someTerms, fc.integer({ min: 1, max: 25 }), (text, wanted, size) => {
      const tokens = analyzer.tokenize(text)
      const matches = new TermMatcher(wanted).find(text, tokens)
      const { start, end } = plainWindow(text, tokens, plainMatches(text, tokens, wanted), size)
      expect(cropWindow(text, { tokens, matches }, size)).toEqual({ start, end })
    }),
    { numRuns: 2000 },
  )
})

test('what is shown is the window, with a marker at each cut end', () => {
  const short = fc.string({ unit, maxLength: 8 })
  fc.assert(
    fc.property(fc.oneof(short, someText), someTerms, fc.integer({ min: 1, max: 8 }), (text, wanted, size) => {
      const tokens = analyzer.tokenize(text)
      const { start, end } = plainWindow(text, tokens, plainMatches(text, tokens, wanted), size)
      const settings = { dictionary: ['ab'] }
      expect(formattedText(text, { attributesToCrop: ['t'], cropLength: size, terms: wanted, settings })).toBe(
        (start > 0 ? '…' : '') + text.slice(start, end) + (end < text.length ? '…' : ''),
      )
    }),
  )
})

test('a text without matches is cropped the same from its first tokens alone', () => {
  fc.assert(
    fc.property(someText, fc.integer({ min: 1, max: 12 }), (start, size) => {
      const text = start + ' ,-'.repeat(100) + start.repeat(3)
      const tokens = analyzer.tokenize(text)
      const { end } = plainWindow(text, tokens, [], size)
      const request = { attributesToCrop: ['t'], cropLength: size, settings: { dictionary: ['ab'] } }
      expect(formattedText(text, request)).toBe(text.slice(0, end) + (end < text.length ? '…' : ''))
    }),
  )
})

test('a long text of matches is cropped in a moment, whatever the size of the window', () => {
  const text = 'a b '.repeat(60_000)
  const wanted = terms([word('a', 0), word('b', 1)])
  // To score each of the windows of 60,000 words by itself takes minutes.
  for (const size of [1, 60_000]) expect(cropped(text, size, wanted)?.length).toBeGreaterThan(size)
}, 30_000)
