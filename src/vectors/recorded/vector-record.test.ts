import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CorruptBytes } from '../../bytes/index.js'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import { recordKey, VectorRecordReader, VectorRecordWriter } from './vector-record.js'

const vector = fc.array(fc.float({ noNaN: true }), { maxLength: 9 }).map((list) => Float32Array.from(list))
const asked = fc.oneof(
  fc.string().map((text) => ({ text })),
  fc.oneof(fc.integer(), fc.string()).map((fragment) => ({ fragment })),
  fc.constant('dimensions' as const),
)
const entry = fc.record({ name: fc.constantFrom('a', 'ab', 'é'), asked, vector })

test('a record holds what was put first, bit by bit', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 30 }), (entries) => {
      const path = join(temporaryFolder(), 'record')
      const writer = new VectorRecordWriter(path)
      const plain = new Map<string, Float32Array>()
      for (const { name, asked: what, vector: put } of entries) {
        const key = recordKey(name, what)
        writer.put(key, put)
        if (!plain.has(key)) plain.set(key, put)
        expect(writer.get(key)).toEqual(plain.get(key))
      }
      expect(writer.finish()).toBe(true)
      const reader = VectorRecordReader.open(path)
      for (const [key, put] of plain) {
        const read = reader.get(key)!
        expect(Buffer.from(read.buffer, read.byteOffset, read.byteLength)).toEqual(
          Buffer.from(put.buffer, put.byteOffset, put.byteLength),
        )
      }
      expect(reader.get(recordKey('nobody', 'dimensions'))).toBeUndefined()
      reader.close()
    }),
    { numRuns: 40 },
  )
})

test('texts, fragments and embedders are told apart', () => {
  const keys = [
    recordKey('a', { text: 'b' }),
    recordKey('ab', { text: '' }),
    recordKey('a', { text: '"b"' }),
    recordKey('a', { fragment: 'b' }),
    recordKey('a', 'dimensions'),
    recordKey('a', { text: 'd' }),
    recordKey('a', {}),
  ]
  expect(new Set(keys).size).toBe(keys.length)
})

test('without entries there is no file, and none is left of what was discarded', () => {
  const path = join(temporaryFolder(), 'record')
  expect(new VectorRecordWriter(path).finish()).toBe(false)
  expect(existsSync(path)).toBe(false)
  const writer = new VectorRecordWriter(path)
  writer.put(recordKey('a', { text: 'b' }), Float32Array.of(1))
  expect(existsSync(path)).toBe(true)
  writer.discard()
  expect(existsSync(path)).toBe(false)
})

test('a damaged or torn record is noticed', () => {
  const path = join(temporaryFolder(), 'record')
  const writer = new VectorRecordWriter(path)
  for (let i = 0; i < 5; i++) writer.put(recordKey('a', { text: `text ${i}` }), Float32Array.of(i, -i, 0.5))
  writer.finish()
  const whole = readFileSync(path)
  const size = statSync(path).size
  fc.assert(
    fc.property(fc.nat(size - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= flip
      writeFileSync(path, damaged)
      expect(() => VectorRecordReader.open(path)).toThrow(CorruptBytes)
      writeFileSync(path, whole.subarray(0, at))
      expect(() => VectorRecordReader.open(path)).toThrow(CorruptBytes)
    }),
  )
})
