import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskSecret } from './mask-secret.js'

test.each([
  ['', 'XXX...'],
  ['TOKEN', 'XXX...'],
  ['123456789', 'XXX...'],
  ['UPDATED TOKEN', 'UPXXXX...'],
  ['0123456789abcdef', '01XXXX...'],
  ['<your-OpenAI-API-key>', '<yoXXXXX...'],
  ['My super secret value you will never guess', 'My suXXXXXX...'],
])('%s is shown as %s', (secret, shown) => {
  expect(maskSecret(secret)).toBe(shown)
})

test('the cut moves up to the next character boundary', () => {
  expect(maskSecret(`é${'x'.repeat(28)}`)).toBe('éxxxXXXXXX...')
  expect(maskSecret(`aaaaé${'x'.repeat(28)}`)).toBe('aaaaéXXXXXX...')
  expect(maskSecret(`a${'🔑'.repeat(3)}`)).toBe('a🔑XXXX...')
})

test('no more than five bytes and the rest of one character are ever shown', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🔑'), maxLength: 40 }), (secret) => {
      const shown = maskSecret(secret).replace(/X{3,6}\.\.\.$/, '')
      expect(secret.startsWith(shown)).toBe(true)
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(8)
    }),
  )
})
