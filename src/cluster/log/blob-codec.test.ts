import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeRecord, encodeRecord, seal, unseal } from './blob-codec.js'
import { inChunks } from './in-chunks.js'

const bytes = fc.uint8Array({ maxLength: 500 })

test('what was sealed comes back, and any flipped bit is noticed', () => {
  fc.assert(
    fc.property(bytes, fc.nat(), fc.nat(7), (content, at, bit) => {
      const sealed = seal(content)
      expect(unseal(sealed)).toEqual(Buffer.from(content))
      sealed[at % sealed.length]! ^= 1 << bit
      expect(unseal(sealed)).toBeUndefined()
    }),
  )
})

test('a record comes back', () => {
  const record = { upload: 'u', sizeBytes: 3, chunks: 1, refs: ['a', 'b'] }
  expect(decodeRecord(encodeRecord(record))).toEqual(record)
})

test('chunks hold the same bytes and are all full but the last', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 8 }), fc.integer({ min: 1, max: 300 }), async (pieces, size) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of inChunks(each(pieces), size)) chunks.push(chunk)
      expect(Buffer.concat(chunks)).toEqual(Buffer.concat(pieces))
      expect(chunks.slice(0, -1).every(({ length }) => length === size)).toBe(true)
      expect(chunks.every(({ length }) => length > 0 && length <= size)).toBe(true)
    }),
  )
})

async function* each(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* pieces
}
