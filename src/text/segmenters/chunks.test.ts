import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunksOf } from './chunks.js'

test('chunks are the text again, short enough, and hold whole characters', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '🦊', '𠮷') })
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 9 }), (content, maxUnits) => {
      const chunks = [...chunksOf(content, maxUnits)]
      expect(chunks.join('')).toBe(content)
      expect(chunks.every((chunk) => chunk.length > 0 && chunk.length <= maxUnits && chunk.isWellFormed())).toBe(true)
    }),
  )
})
