import { expect, test } from 'vitest'
import { excerpt, quoted } from './excerpt.js'
import { failure, failureSaying } from './failure.js'

test('22.2.7: a long text is shown by its beginning, its end and its length', () => {
  const text = `begin${'x'.repeat(5_000_000)}end`
  expect(excerpt(text, 20)).toBe('beginxxxxxxxxxx… (5000008 characters) …xxend')
  expect(quoted('short')).toBe('"short"')
  expect(excerpt('x'.repeat(600))).toBe('x'.repeat(600))
})

test('22.2.7: no half of a character is left at a cut', () => {
  const text = `${'🦊'.repeat(500)}`
  for (const most of [100, 101, 102, 103]) expect(excerpt(text, most).isWellFormed()).toBe(true)
})

test('22.2.7: no message of the catalogue is as long as what was sent', () => {
  const sent = 'x'.repeat(5_000_000)
  expect(failure('document_not_found', sent).message.length).toBeLessThan(700)
  expect(failure('index_not_found', sent).message.length).toBeLessThan(700)
  expect(failure('invalid_swap_duplicate_index_found', [sent, sent]).message.length).toBeLessThan(11_000)
  expect(failure('malformed_payload', sent).message.length).toBeLessThan(11_000)
  expect(failureSaying('bad_request', sent).message.length).toBeLessThan(11_000)
})
