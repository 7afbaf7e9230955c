import { expect, test } from 'vitest'
import { addedUp, sizeChanges } from './size-changes.js'

test('databases are told with their size and its change', () => {
  const before = { grown: 1 << 20, shrunk: 8192, same: 4096, emptied: 4096 }
  const after = { grown: (1 << 20) + 16_384, shrunk: 4096, same: 4096, emptied: 0, made: 4096 }
  expect(sizeChanges(before, after)).toEqual({
    grown: '1.015625 MiB (+16 KiB)',
    shrunk: '4 KiB (-4 KiB)',
    made: '4 KiB (+4 KiB)',
  })
})

test('databases of several indexes are added up by name', () => {
  expect(
    addedUp([
      { a: 1, b: 2 },
      { b: 3, c: 4 },
    ]),
  ).toEqual({ a: 1, b: 5, c: 4 })
})
