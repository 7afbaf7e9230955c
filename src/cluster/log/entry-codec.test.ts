import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeEntry, encodeEntry, MAX_BODY_BYTES } from './entry-codec.js'

const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
const entries = fc.record({
  id: fc.array(printable, { minLength: 1, maxLength: 255 }).map((characters) => characters.join('')),
  kind: fc.stringMatching(/^[a-z]{1,32}$/),
  body: fc.uint8Array({ maxLength: 2_000 }),
})

test('decoding an encoded entry gives the entry', () => {
  fc.assert(
    fc.property(entries, fc.nat(), (entry, sequence) => {
      const decoded = decodeEntry(sequence, encodeEntry(entry))
      expect(decoded).toEqual({ ...entry, body: Buffer.from(entry.body), sequence })
    }),
  )
})

test('any flipped bit is noticed', () => {
  fc.assert(
    fc.property(entries, fc.nat(), fc.nat(7), (entry, at, bit) => {
      const bytes = encodeEntry(entry)
      bytes[at % bytes.length]! ^= 1 << bit
      expect(decodeEntry(1, bytes)).toBeUndefined()
    }),
  )
})

test('bytes that were cut short are noticed', () => {
  fc.assert(
    fc.property(entries, fc.nat(), (entry, at) => {
      const bytes = encodeEntry(entry)
      expect(decodeEntry(1, bytes.subarray(0, at % bytes.length))).toBeUndefined()
    }),
  )
})

test('what does not fit is refused', () => {
  const entry = { id: 'a', kind: 'task', body: new Uint8Array(0) }
  expect(() => encodeEntry({ ...entry, id: 'a b' })).toThrow(RangeError)
  expect(() => encodeEntry({ ...entry, id: '' })).toThrow(RangeError)
  expect(() => encodeEntry({ ...entry, kind: '' })).toThrow(RangeError)
  expect(() => encodeEntry({ ...entry, kind: 'two.words' })).toThrow(RangeError)
  expect(() => encodeEntry({ ...entry, kind: 'Task' })).toThrow(RangeError)
  expect(() => encodeEntry({ ...entry, kind: 'a'.repeat(33) })).toThrow(RangeError)
  expect(() => encodeEntry({ ...entry, body: new Uint8Array(MAX_BODY_BYTES + 1) })).toThrow(RangeError)
})
