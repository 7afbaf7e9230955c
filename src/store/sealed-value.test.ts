import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Sealer, unseal } from './sealed-value.js'

const sealer = new Sealer()
const sealed = (value: Uint8Array): Buffer => Buffer.from(sealer.seal(value))

/** Both forms, and the lengths around the border between them. */
const values = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.uint8Array({ minLength: 60, maxLength: 70 }),
  fc.uint8Array({ minLength: 100, maxLength: 3000 }),
)

test('a value comes back as it was, two or four bytes longer meanwhile', () => {
  fc.assert(
    fc.property(values, (value) => {
      const stored = sealed(value)
      expect(stored.length - value.length).toBe(value.length < 64 ? 2 : 4)
      expect([...unseal(stored)!]).toEqual([...value])
    }),
  )
})

test('values larger than the memory for seals come back, too', () => {
  for (const length of [1 << 14, (1 << 20) - 4, (1 << 20) - 3, 3 << 20]) {
    const value = Buffer.alloc(length, 'findling')
    expect(unseal(sealed(value))!.equals(value)).toBe(true)
  }
})

test('any flipped bit is found', () => {
  for (const length of [0, 1, 2, 5, 40, 63, 64, 65, 66, 200]) {
    const stored = sealed(Uint8Array.from({ length }, (_, i) => i * 37))
    for (let bit = 0; bit < stored.length * 8; bit++) {
      const damaged = Buffer.from(stored)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      expect(unseal(damaged), `bit ${bit} of ${length} bytes`).toBeUndefined()
    }
  }
})

test('any flipped bit of any value is found', () => {
  fc.assert(
    fc.property(values, fc.nat(), (value, at) => {
      const damaged = sealed(value)
      const bit = at % (damaged.length * 8)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      expect(unseal(damaged)).toBeUndefined()
    }),
  )
})

test('two neighbouring bytes that became something else are found', () => {
  fc.assert(
    fc.property(values, fc.nat(), fc.integer({ min: 1, max: 0xffff }), (value, at, change) => {
      const damaged = sealed(value)
      const place = at % (damaged.length - 1)
      damaged.writeUInt16BE(damaged.readUInt16BE(place) ^ change, place)
      expect(unseal(damaged)).toBeUndefined()
    }),
  )
})

test('zeros, and bytes that are too short for a seal, are no sealed values', () => {
  for (let length = 0; length < 300; length++) expect(unseal(Buffer.alloc(length)), `${length}`).toBeUndefined()
})

test('a seal is the one of the catalogue of checksums', () => {
  // CRC-16/IBM-3740 and CRC-32/ISO-HDLC, by their check values.
  expect(sealed(Buffer.from('123456789')).readUInt16BE(9)).toBe(0x29b1)
  const long = Buffer.from('123456789'.repeat(8))
  expect(sealed(long).readUInt32BE(72)).toBe(crc32Plain(long))
})

/** Bit by bit. */
function crc32Plain(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
