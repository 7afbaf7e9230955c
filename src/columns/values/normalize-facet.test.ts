import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeFacet, normalizeStoredFacet } from './normalize-facet.js'

test.each([
  [' Red ', 'red'],
  ['\u0085\u3000red\n', 'red'],
  ['\ufeffred', '\ufeffred'],
  ['ＡＢＣ', 'abc'],
  ['ﬁn', 'fin'],
  ['Café', 'cafe\u0301'],
  ['ΟΔΟΣ', 'οδος'],
  ['   ', ''],
])('%j is compared as %j', (text, normalized) => {
  expect(normalizeFacet(text)).toBe(normalized)
})

test('of ASCII only the case changes, and blanks around it go', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', '~', '!', ' ', '\t', '\x7f') })
  fc.assert(
    fc.property(text, (text) => {
      expect(normalizeFacet(text)).toBe(text.trim().toLowerCase())
    }),
  )
})

test('a stored value has at most 468 bytes and ends between characters', () => {
  expect(normalizeStoredFacet('a'.repeat(468))).toBe('a'.repeat(468))
  expect(normalizeStoredFacet('a'.repeat(469))).toBe('a'.repeat(468))
  expect(normalizeStoredFacet('a'.repeat(466) + '😀')).toBe('a'.repeat(466))
  expect(normalizeStoredFacet('a'.repeat(464) + '😀')).toBe('a'.repeat(464) + '😀')
})

test('what is stored is the longest start of the normalized text that fits', () => {
  const long = fc.string({ unit: fc.constantFrom('a', 'é', '語', '😀', ' '), minLength: 100, maxLength: 600 })
  fc.assert(
    fc.property(long, (text) => {
      const stored = normalizeStoredFacet(text)
      const whole = normalizeFacet(text)
      const next = [...whole.slice(stored.length)][0] ?? ''
      expect(whole.startsWith(stored)).toBe(true)
      expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(468)
      if (next !== '') expect(Buffer.byteLength(stored + next)).toBeGreaterThan(468)
    }),
  )
})

test('a megabyte of blanks inside a text takes no time', () => {
  const text = `a${' '.repeat(1_000_000)}b`
  expect(normalizeFacet(text)).toBe(text)
})
