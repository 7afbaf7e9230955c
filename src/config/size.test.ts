import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSize } from './size.js'

test.each([
  ['0', 0],
  ['512', 512],
  ['512B', 512],
  ['512 B', 512],
  ['1K', 1000],
  ['1kB', 1000],
  ['1 KB', 1000],
  ['1Ki', 1024],
  ['1KiB', 1024],
  ['1kiB', 1024],
  ['100 MB', 100_000_000],
  ['100MB', 100_000_000],
  ['10MiB', 10_485_760],
  ['1 GiB', 1_073_741_824],
  ['1.5 GB', 1_500_000_000],
  ['0.5 KiB', 512],
  ['2T', 2e12],
  ['3P', 3e15],
  ['1 EiB', 2 ** 60],
  ['  7 GB  ', 7e9],
])('%j is %d bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes)
})

test.each([
  ['8b', 1],
  ['1b', 1],
  ['100Mb', 12_500_000],
  ['1 Kb', 125],
  ['1 Kib', 128],
  ['1gb', 125_000_000],
])('a final small b means bits: %j is %d bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes)
})

test.each([
  '',
  'B',
  'MB',
  '-1',
  '1.',
  '.5',
  '1,5 MB',
  '1 XB',
  '1 MBB',
  '1 M B',
  '1e3',
  '0x10',
  '20 EB',
  '١',
  '9'.repeat(80),
])('%j is not a size', (text) => {
  expect(parseSize(text)).toBeUndefined()
})

test('bytes written with any unit come back as the same number of bytes', () => {
  const units = fc.constantFrom(['K', 1e3], ['MiB', 1024 ** 2], ['GB', 1e9], ['Ti', 1024 ** 4]) as fc.Arbitrary<
    [string, number]
  >
  fc.assert(
    fc.property(fc.nat(8000), units, (count, [unit, factor]) => {
      expect(parseSize(`${count} ${unit}`)).toBe(count * factor)
    }),
  )
})
