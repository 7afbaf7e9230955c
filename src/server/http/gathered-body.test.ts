import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownMemory } from '../../bodies/index.js'
import { GatheredBody } from './gathered-body.js'

const chunks = fc.array(
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  { maxLength: 20 },
)

test('all chunks in their order, whatever size was announced', () => {
  const announced = fc.option(fc.nat(10_000), { nil: undefined })
  fc.assert(
    fc.property(chunks, announced, (parts, size) => {
      const body = new GatheredBody(size)
      for (const part of parts) body.push(part)
      expect(body.bytes.equals(Buffer.concat(parts))).toBe(true)
      expect(body.length).toBe(body.bytes.length)
    }),
  )
})

test('a body of the announced size fills its memory, so that it can be given away', () => {
  const body = new GatheredBody(200_000)
  for (let i = 0; i < 4; i++) body.push(Buffer.alloc(50_000, i))
  expect(body.bytes.buffer.byteLength).toBe(200_000)
  const { bytes } = body
  expect(ownMemory(bytes)).toBe(bytes)
})

test('a long body of unknown size is given away with its spare memory, not copied', () => {
  const body = new GatheredBody()
  for (let i = 0; i < 5; i++) body.push(Buffer.alloc(50_000, i))
  const { bytes } = body
  expect(ownMemory(bytes)).toBe(bytes)
})

test('a view of memory that others have parts of is copied', () => {
  const shared = Buffer.alloc(65_536, 1)
  const view = shared.subarray(0, 1000)
  expect(ownMemory(view).buffer).not.toBe(shared.buffer)
  expect(ownMemory(shared.subarray(100)).buffer).not.toBe(shared.buffer)
})
