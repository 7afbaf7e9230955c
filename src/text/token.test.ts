import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnalyzer } from './analyzer.js'
import { originalEnd } from './token.js'

const analyzer = createAnalyzer()

/** The beginning of the first token that its first `characters` normalized characters come from. */
function matched(text: string, characters: number): string {
  const token = analyzer.tokenize(text)[0]!
  return text.slice(token.start, originalEnd(text, token, characters))
}

describe('originalEnd', () => {
  test.each([
    ['Prince', 3, 'Pri'],
    ['Ŵôřlḑôle', 5, 'Ŵôřlḑ'],
    ['Œuvre', 1, 'Œ'],
    ['Œuvre', 2, 'Œ'],
    ['Œuvre', 3, 'Œu'],
    ['e\u0301te\u0301', 1, 'e'],
    ['e\u0301te\u0301', 2, 'e\u0301t'],
    ['синий', 5, 'синий'],
    ['한', 1, '한'],
    ['Hobbits', 99, 'Hobbits'],
    ['x', 0, ''],
  ])('of %s, %i characters', (text, characters, expected) => {
    expect(matched(text, characters)).toBe(expected)
  })

  test('it is the shortest beginning whose own lemma is long enough', () => {
    const latin = fc.string({ unit: fc.constantFrom(...'aéŒßİ\u0301ﬁđ') }).map((rest) => `x${rest}`)
    fc.assert(
      fc.property(latin, fc.nat(12), (text, wanted) => {
        const beginnings = [...text].map((_, i, characters) => characters.slice(0, i + 1).join(''))
        const isEnough = (beginning: string) => [...analyzer.lemmaOf(beginning)].length >= wanted
        expect(matched(text, wanted)).toBe(wanted === 0 ? '' : (beginnings.find(isEnough) ?? text))
      }),
    )
  })
})

test('offsets count units and bytes', () => {
  const [, , second] = analyzer.tokenize('🦊é plage')
  expect(second).toEqual({
    kind: 'word',
    lemma: 'plage',
    start: 4,
    end: 9,
    byteStart: 7,
    byteEnd: 12,
    script: 'latin',
    language: undefined,
  })
})
