import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader, CorruptBytes } from './byte-reader.js'
import { ByteWriter } from './byte-writer.js'

const uint32 = fc.nat(0xffffffff)

test('what is written reads back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(uint32, fc.string({ unit: 'grapheme' }), fc.uint8Array({ maxLength: 40 }))),
      (items) => {
        const writer = new ByteWriter(1)
        for (const item of items) {
          if (typeof item === 'number') {
            writer.varint(item)
            writer.uint32(item)
          } else if (typeof item === 'string') writer.text(item)
          else writer.raw(item)
        }
        const reader = new ByteReader(writer.take())
        for (const item of items) {
          if (typeof item === 'number') expect([reader.varint(), reader.uint32()]).toEqual([item, item])
          else if (typeof item === 'string') expect(reader.text()).toBe(item)
          else expect([...reader.raw(item.length)]).toEqual([...item])
        }
        expect(reader.isAtEnd).toBe(true)
      },
    ),
  )
})

test('texts without their lengths stand one after the other', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 50 })), (texts) => {
      const writer = new ByteWriter(1)
      for (const text of texts) writer.utf8(text)
      expect(writer.take().toString('utf8')).toBe(texts.join(''))
    }),
  )
})

test('bytes that end too early are reported as damaged', () => {
  const writer = new ByteWriter()
  writer.text('findling')
  const cut = writer.take().subarray(0, 4)
  expect(() => new ByteReader(cut).text()).toThrow(CorruptBytes)
  expect(() => new ByteReader(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 1)).varint()).toThrow(CorruptBytes)
})

test('the memory of something large is not kept, and what was taken of it stays', () => {
  const writer = new ByteWriter(16)
  const large = Buffer.alloc(5 << 20, 'findling')
  writer.raw(large)
  const taken = writer.take()
  expect(writer.memory(0)).toHaveLength(16)
  writer.text('small')
  expect(taken.equals(large)).toBe(true)
  expect(new ByteReader(writer.view()).text()).toBe('small')
})
