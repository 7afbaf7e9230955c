import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combineCrc32 } from './crc32.js'

const bytes = fc.uint8Array({ maxLength: 5000 })

test('the checksums of two halves make the checksum of the whole', () => {
  fc.assert(
    fc.property(bytes, bytes, (first, second) => {
      const whole = crc32(Buffer.concat([first, second]))
      expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(whole)
    }),
  )
})

test('the second half may be longer than 4 GiB', () => {
  // Zeros in steps, as the definition of the checksum has them: a length of a + b is a, then b.
  const [a, b] = [2 ** 31 + 7, 2 ** 33 + 1]
  const start = crc32(Buffer.from('start'))
  const withZeros = (crc: number, count: number) => combineCrc32(crc, 0, count)
  expect(withZeros(withZeros(start, a), b)).toBe(withZeros(start, a + b))
})
