import { expect, test } from 'vitest'
import { createAnalyzer } from './analyzer.js'
import { defaultSeparators, hardSeparators } from './separators.js'

const analyzer = createAnalyzer()

function kinds(): Record<string, number> {
  const count: Record<string, number> = {}
  for (const separator of defaultSeparators) {
    const kind = analyzer
      .tokenize(separator)
      .map((token) => token.kind)
      .join(' ')
    count[kind] = (count[kind] ?? 0) + 1
  }
  return count
}

test('the default separators have the kinds of the annex once they are normalized', () => {
  // 342 hard characters and three sequences, 649 soft ones, 57 that become words, and NUL.
  expect(kinds()).toEqual({ hardSeparator: 345, softSeparator: 649, word: 57, empty: 1 })
})

test('every hard separator is one', () => {
  for (const separator of hardSeparators) expect(analyzer.tokenize(separator)[0]?.kind, separator).toBe('hardSeparator')
})

test('the separators of ascii are those of everyday text', () => {
  const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code))
  const expected = '\0\t\n\r !"#%&\'()*+,-./:;?@[\\]_`{}'
  expect(ascii.filter((character) => defaultSeparators.has(character)).join('')).toBe(expected)
})
