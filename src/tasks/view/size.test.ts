import { expect, test } from 'vitest'
import { sizeText } from './size.js'

test.each([
  [0, '0 B'],
  [500, '500 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [1023, '1.023 KB'],
  [1024, '1 KiB'],
  [884_736, '864 KiB'],
  [1_000_000, '1 MB'],
  [1_048_575, '1.048575 MB'],
  [1_048_576, '1 MiB'],
  [25_165_824, '24 MiB'],
  [1_073_741_824, '1 GiB'],
])('%d bytes are written as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
