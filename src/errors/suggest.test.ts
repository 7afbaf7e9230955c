import fc from 'fast-check'
import { expect, test } from 'vitest'
import { suggest } from './suggest.js'

test.each([
  ['expires_at', ['expiresAt'], 'expiresAt'],
  ['abc', ['abd'], undefined],
  ['abcd', ['abce'], 'abce'],
  ['abcd', ['abef'], undefined],
  ['abdc', ['abcd'], 'abcd'],
  ['limitss1', ['limit'], undefined],
  ['limits12', ['limits'], 'limits'],
  ['offsets', ['limit', 'offset', 'offsett'], 'offset'],
  ['ééé', ['éée'], 'éée'],
])('%s among %j suggests %s', (received, accepted, expected) => {
  expect(suggest(received, accepted)).toBe(expected)
})

test('a name is never farther away than the edits made to it', () => {
  const name = fc.stringMatching(/^[a-z]{18,24}$/)
  const edit = fc.record({ at: fc.nat(17), letter: fc.constantFrom('x', 'y', '') })
  fc.assert(
    fc.property(name, fc.array(edit, { maxLength: 3 }), (accepted, edits) => {
      const received = edits.reduce((text, { at, letter }) => text.slice(0, at) + letter + text.slice(at + 1), accepted)
      if (Buffer.byteLength(received) >= 18) expect(suggest(received, [accepted])).toBe(accepted)
    }),
  )
})

test('a hostile name costs nothing', () => {
  expect(suggest('x'.repeat(1_000_000), ['offset'])).toBeUndefined()
})
