import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAnalyzer } from '../analyzer.js'
import { segmentGerman } from './german.js'
import { germanParts } from './german-parts.js'

const analyzer = createAnalyzer()
const wordsOf = (text: string, locales?: string[]): string[] =>
  analyzer
    .tokenize(text, locales)
    .filter(({ kind }) => kind === 'word')
    .map(({ lemma }) => lemma)

test.each([
  ['Donaudampfschifffahrt', ['donau', 'dampf', 'schiff', 'fahrt']],
  ['Schreibprozess', ['schreib', 'prozess']],
  ['Fußball', ['fuß', 'ball']],
  ['Krankenhaus', ['kranken', 'haus']],
  ['Versicherungsvertrag', ['versicherungs', 'vertrag']],
  ['Kinderbücher', ['kinder', 'bucher']],
  ['KREUZFAHRTSCHIFFE', ['kreuz', 'fahrt', 'schiffe']],
])('%s is cut into its parts', (word, parts) => {
  expect(wordsOf(word, ['deu'])).toEqual(parts)
})

test.each([
  'Gesellschaft',
  'Kandidaten',
  'Behandlung',
  'Landschaft',
  'Talente',
  'Reisende',
  'Bäckerei',
  'Urlaub',
  'fährt',
])('%s has no parts, or other letters beside them, and stays whole', (word) => {
  expect(segmentGerman(word)).toEqual([word.length])
})

test('only German text is cut', () => {
  expect(wordsOf('Fußball')).toEqual(['fußball'])
  expect(wordsOf('Fußball', ['eng'])).toEqual(['fußball'])
  expect(wordsOf('Fußball', ['eng', 'deu'])).toEqual(['fuß', 'ball'])
})

test('the parts are in the form in which they are looked up, each once', () => {
  expect([...new Set(germanParts)]).toEqual(germanParts)
  for (const part of germanParts) expect(part).toBe(part.toLowerCase().normalize('NFC'))
})

test('segments are the whole text and never empty', () => {
  const part = fc.oneof(fc.constantFrom(...germanParts), fc.constantFrom('s', 'en', 'İ', 'x'), fc.string())
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      const text = parts.join('')
      const lengths = segmentGerman(text)
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(text.length)
      if (text !== '') expect(lengths.every((length) => length > 0)).toBe(true)
    }),
  )
})
