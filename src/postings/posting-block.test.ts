import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CorruptBytes } from '../bytes/index.js'
import { type BlockContent, BlockEncoder } from './block-encoder.js'
import { BlockReader } from './block-reader.js'
import { DecodedPostings } from './decoded-postings.js'
import { sizeOfPositions, sizeWithFirsts } from './position-size.js'
import { PostingBuffer } from './posting-buffer.js'
import { boundOf, postingKey, postingsEnd, prefixEnd } from './posting-key.js'
import { docId, plainPostings, positions, toColumns, toPlain } from './postings.fixture.js'
import { ReadingMemory } from './reading-memory.js'

const encoder = new BlockEncoder()
const memory = new ReadingMemory()
const encodeBlock = (content: BlockContent): Buffer => encoder.encode(content)

test('a block gives back its docIds and positions', () => {
  fc.assert(
    fc.property(plainPostings, fc.boolean(), fc.boolean(), fc.boolean(), (plain, isSplit, hasBound, hasFirsts) => {
      const columns = toColumns(plain)
      const bound = hasBound ? (columns.docIds[0] ?? 0) : 0
      const bytes = Buffer.from(encodeBlock({ columns, first: 0, end: plain.size, bound, isSplit, hasFirsts }))
      const reader = new BlockReader(bound, bytes)
      expect([reader.count, reader.positionCount, reader.isSplit]).toEqual([
        plain.size,
        columns.positions.length,
        isSplit,
      ])
      expect(toPlain(DecodedPostings.of([reader], memory))).toEqual(plain)
      const buffer = new PostingBuffer()
      buffer.load(new BlockReader(bound, bytes))
      expect([...buffer.docIds.subarray(0, buffer.count)]).toEqual([...columns.docIds])
      expect([...buffer.positions.subarray(0, buffer.starts[buffer.count])]).toEqual([...columns.positions])
    }),
  )
})

test('the first positions of fields can be read without the others', () => {
  fc.assert(
    fc.property(plainPostings, (plain) => {
      const columns = toColumns(plain)
      const block = { columns, first: 0, end: plain.size, bound: 0, isSplit: false, hasFirsts: true }
      const reader = new BlockReader(0, Buffer.from(encodeBlock(block)))
      reader.readDocIds(new Uint32Array(plain.size), 0)
      const read = {
        starts: new Uint32Array(plain.size + 1),
        positions: new Uint32Array(reader.positionCountOf('firsts')),
      }
      reader.readPositions(read, 0, 0, 'firsts')
      read.starts[plain.size] = read.positions.length
      const firsts = [...plain.values()].map((of) =>
        of.filter((position, i) => i === 0 || position >>> 16 !== of[i - 1]! >>> 16),
      )
      expect(firsts.map((_, i) => [...read.positions.subarray(read.starts[i], read.starts[i + 1])])).toEqual(firsts)
    }),
  )
})

test('a block with first positions is as large as was said, and reported as damaged when it ends too early', () => {
  fc.assert(
    fc.property(plainPostings, (plain) => {
      const columns = toColumns(plain)
      const block = { columns, first: 0, end: plain.size, bound: 0, isSplit: false, hasFirsts: true }
      const bytes = Buffer.from(encodeBlock(block))
      const noPositions = {
        ...columns,
        starts: columns.starts.map((_, i) => i),
        positions: columns.docIds.map(() => 0),
      }
      // One position each, of one byte, and a zero; the counts of positions take as many bytes as they need.
      const docIds = encodeBlock({ ...block, columns: noPositions }).length - plain.size * 2
      const said = Array.from(columns.docIds, (_, i) =>
        sizeWithFirsts(columns.positions, columns.starts[i]!, columns.starts[i + 1]!),
      ).reduce((a, b) => a + b, 0)
      expect(bytes.length - docIds - said).toBeGreaterThanOrEqual(0)
      expect(bytes.length - docIds - said).toBeLessThanOrEqual(4)
      if (plain.size === 0) return
      const cut = bytes.subarray(0, bytes.length - 1)
      expect(() => DecodedPostings.of([new BlockReader(0, cut)], memory).positions).toThrow(CorruptBytes)
    }),
  )
})

test('some documents are read without the others', () => {
  const close = fc.array(fc.tuple(fc.nat(300), positions), { maxLength: 200 }).map((entries) => {
    let docId = -1
    return new Map(entries.map(([gap, of]) => [(docId += (gap % 90 === 0 ? gap : gap % 3) + 1), of]))
  })
  const postings = fc.oneof(plainPostings, close)
  const others = fc.uniqueArray(docId, { maxLength: 20 })
  fc.assert(
    fc.property(postings, fc.nat(40), others, fc.boolean(), fc.boolean(), (plain, step, more, hasBound, hasFirsts) => {
      const columns = toColumns(plain)
      const bound = hasBound ? (columns.docIds[0] ?? 0) : 0
      const block = { columns, first: 0, end: plain.size, bound, isSplit: false, hasFirsts }
      const reader = new BlockReader(bound, Buffer.from(encodeBlock(block)))
      const some = [...plain.keys()].filter((_, i) => i % (step + 1) === 0)
      const members = Uint32Array.from(new Set([...some, ...more])).sort()
      const [docIds, numbers] = [new Uint32Array(plain.size), new Uint32Array(plain.size)]
      const count = reader.readSomeDocIds(members, docIds, numbers)
      const read = { starts: new Uint32Array(count + 1), positions: new Uint32Array(columns.positions.length) }
      const end = reader.readSomePositions(numbers.subarray(0, count), read, 0, 0)
      const expected = [...plain].filter(([of]) => members.includes(of))
      expect(end).toBe(expected.reduce((sum, [, of]) => sum + of.length, 0))
      expect([...toPlain({ docIds: docIds.subarray(0, count), ...read })]).toEqual(expected)
    }),
  )
})

test('a part of postings is a block of its own', () => {
  const columns = toColumns(
    new Map([
      [3, [1]],
      [7, [2, 65_540]],
      [9, [70_000]],
    ]),
  )
  const bytes = Buffer.from(encodeBlock({ columns, first: 1, end: 3, bound: 5, isSplit: false }))
  expect(toPlain(DecodedPostings.of([new BlockReader(5, bytes)], memory))).toEqual(
    new Map([
      [7, [2, 65_540]],
      [9, [70_000]],
    ]),
  )
})

test('a word at the beginning of one of the first fields takes two bytes for a document', () => {
  const columns = toColumns(new Map(Array.from({ length: 10 }, (_, i) => [i, [65_536 + 3]])))
  expect(encodeBlock({ columns, first: 0, end: 10, bound: 0, isSplit: false })).toHaveLength(3 + 2 * 10)
})

test('the size of positions is known before they are written', () => {
  fc.assert(
    fc.property(plainPostings, (plain) => {
      const columns = toColumns(plain)
      const none = { ...columns, docIds: new Uint32Array(0), starts: Uint32Array.of(0) }
      const size = encodeBlock({ columns, first: 0, end: plain.size, bound: 0, isSplit: false }).length
      const docIds = encodeBlock({
        columns: { ...columns, positions: columns.positions.map(() => 0) },
        first: 0,
        end: plain.size,
        bound: 0,
        isSplit: false,
      }).length
      expect(encodeBlock({ columns: none, first: 0, end: 0, bound: 0, isSplit: false })).toHaveLength(3)
      const positions = Array.from(columns.docIds, (_, i) =>
        sizeOfPositions(columns.positions, columns.starts[i]!, columns.starts[i + 1]!),
      )
      // With all positions zero each takes one byte.
      expect(size).toBe(docIds - columns.positions.length + positions.reduce((a, b) => a + b, 0))
    }),
  )
})

test('blocks of another version and blocks that end too early are reported as damaged', () => {
  const columns = toColumns(new Map([[300, [1, 70_000]]]))
  const bytes = Buffer.from(encodeBlock({ columns, first: 0, end: 1, bound: 0, isSplit: false }))
  expect(() => new BlockReader(0, Buffer.of(9, 0, 0))).toThrow('a block of postings has version 9')
  for (let length = 1; length < bytes.length; length++) {
    const read = () => DecodedPostings.of([new BlockReader(0, bytes.subarray(0, length))], memory).positions
    expect(read).toThrow(CorruptBytes)
  }
})

test('keys sort by word, then by bound', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '\u0001', 'é', '\uffff', '😀'), minLength: 1, maxLength: 4 })
  const bound = fc.oneof(fc.nat(300), fc.nat(0xffff_fffe))
  fc.assert(
    fc.property(word, word, bound, bound, (a, b, m, n) => {
      const [left, right] = [Buffer.from(a), Buffer.from(b)]
      const order = Buffer.compare(left, right) || m - n
      expect(Math.sign(Buffer.compare(postingKey(left, m), postingKey(right, n)))).toBe(Math.sign(order))
      expect(boundOf(postingKey(left, m))).toBe(m)
      expect(Buffer.compare(postingKey(left, m), postingsEnd(left))).toBe(-1)
      if (Buffer.compare(left, right) < 0) expect(Buffer.compare(postingsEnd(left), postingKey(right, 0))).toBe(-1)
    }),
  )
})

test('the end of a prefix lies behind all that begins so and before everything else', () => {
  const end = prefixEnd(Buffer.from('aé'))!
  for (const word of ['aé', 'aéz', 'aé😀']) expect(Buffer.compare(postingKey(Buffer.from(word), 9), end)).toBe(-1)
  expect(Buffer.compare(Buffer.from('aê'), end)).not.toBe(-1)
  expect(prefixEnd(Buffer.from(''))).toBeUndefined()
})
