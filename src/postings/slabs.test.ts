import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_SLABS, SharedSlabs } from './slabs.js'

const sizes = fc.array(fc.oneof(fc.nat(50), fc.nat(20_000), fc.constant(16_384)), { maxLength: 100 })

test('parts of shared memory begin at multiples of four and do not overlap', () => {
  fc.assert(
    fc.property(sizes, (list) => {
      const slabs = new SharedSlabs()
      const parts = list.map((bytes, i) => {
        const { memory, from } = slabs.take(bytes)
        expect(from % 4).toBe(0)
        return new Uint8Array(memory, from, bytes).fill(i + 1)
      })
      for (const [i, part] of parts.entries()) expect(part.every((byte) => byte === i + 1)).toBe(true)
    }),
  )
})

test('small parts share memory, large ones and those that stay have their own', () => {
  const slabs = new SharedSlabs()
  expect(slabs.take(100).memory).toBe(slabs.take(100).memory)
  expect(slabs.take(100_000).memory.byteLength).toBe(100_000)
  expect(NO_SLABS.take(100).memory.byteLength).toBe(100)
})
