import { expect, test } from 'vitest'
import { normalizeStopWord } from './normalize.js'

test('stop words are stored decomposed, with å ä ö whole and persian letters, and keep their case', () => {
  const stored = ['für', 'été', 'können', 'The', 'علي', 'می\u200cخواهم', 'a\u0001b'].map(normalizeStopWord)
  expect(stored).toEqual(['fu\u0308r', 'e\u0301te\u0301', 'können', 'The', 'علی', 'میخواهم', 'ab'])
  expect(stored.map(normalizeStopWord)).toEqual(stored)
})
