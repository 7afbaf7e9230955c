import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DenseDocSet } from '../bitmap/index.js'
import { BlockEncoder } from './block-encoder.js'
import { BlockReader } from './block-reader.js'
import { CollectedBlocks } from './collected-blocks.js'
import { DecodedPostings } from './decoded-postings.js'
import { type BlockSource, LongPostings } from './long-postings.js'
import { MergedPostings } from './merged-postings.js'
import { type PlainPostings, plainPostings, toColumns, toPlain } from './postings.fixture.js'
import { ReadingMemory } from './reading-memory.js'
import { SharedSlabs } from './slabs.js'

const encoder = new BlockEncoder()
const memory = new ReadingMemory()

/** The postings in blocks of at most `perBlock` documents. */
function blocksOf(plain: PlainPostings, perBlock: number): BlockReader[] {
  const columns = toColumns(plain)
  const blocks: BlockReader[] = []
  for (let first = 0; first < plain.size; first += perBlock) {
    const bound = first === 0 ? 0 : columns.docIds[first]!
    const end = Math.min(first + perBlock, plain.size)
    blocks.push(
      new BlockReader(bound, Buffer.from(encoder.encode({ columns, first, end, bound, isSplit: first === 0 }))),
    )
  }
  return blocks
}

/** Blocks that are not kept, but read again from bytes that are overwritten each time. */
function rereadOf(blocks: readonly BlockReader[]): BlockSource {
  const borrowed = Buffer.alloc(1 << 16)
  const at = (number: number): BlockReader => {
    const { bound, bytes } = blocks[number]!
    borrowed.fill(0xff)
    borrowed.set(bytes)
    return new BlockReader(bound, borrowed.subarray(0, bytes.length))
  }
  const each = (visit: (block: BlockReader) => void) => {
    for (const number of blocks.keys()) visit(at(number))
  }
  const some = (numbers: readonly number[], visit: (block: BlockReader) => void) => {
    for (const number of numbers) visit(at(number))
  }
  return { each, some, sizeBytes: 0 }
}

const longOf = (blocks: readonly BlockReader[]): LongPostings => new LongPostings(rereadOf(blocks), memory)

/** Of documents that a set of all docIds has room for. */
const densePostings = plainPostings.map((plain) => new Map([...plain].filter(([docId]) => docId <= 100_000)))

function mergePlainly(lists: readonly PlainPostings[]): Map<number, number[]> {
  const merged = new Map<number, number[]>()
  for (const [docId, positions] of lists.flatMap((list) => [...list])) {
    merged.set(docId, [...(merged.get(docId) ?? []), ...positions])
  }
  const ordered = [...merged].sort(([a], [b]) => a - b)
  return new Map(ordered.map(([docId, positions]) => [docId, positions.sort((a, b) => a - b)]))
}

test('postings of several blocks are one list', () => {
  fc.assert(
    fc.property(plainPostings, fc.integer({ min: 1, max: 9 }), (plain, perBlock) => {
      expect(toPlain(DecodedPostings.of(blocksOf(plain, perBlock), memory))).toEqual(plain)
    }),
  )
  fc.assert(
    fc.property(densePostings, fc.integer({ min: 1, max: 9 }), (plain, perBlock) => {
      expect(toPlain(longOf(blocksOf(plain, perBlock)))).toEqual(plain)
    }),
  )
})

test.each([
  ['kept', plainPostings, (blocks: readonly BlockReader[]) => new MergedPostings(blocks, memory)],
  ['long', densePostings, longOf],
])('merged postings that are %s hold the documents and positions of all', (_, postings, merge) => {
  const lists = fc.array(postings, { maxLength: 8 })
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 9 }), (given, perBlock) => {
      // A position holds one word: what two words share goes to the first of them.
      const taken = new Set<string>()
      const own = given.map((list) => {
        const left = [...list].map(([docId, positions]) => {
          const free = positions.filter((position) => !taken.has(`${docId} ${position}`))
          for (const position of free) taken.add(`${docId} ${position}`)
          return [docId, free] as const
        })
        return new Map(left.filter(([, positions]) => positions.length > 0))
      })
      const merged = merge(own.flatMap((list) => blocksOf(list, perBlock)))
      expect(toPlain(merged)).toEqual(mergePlainly(own))
    }),
  )
})

test('merging is the same for few docIds far apart and for many close together', () => {
  const close = new Map(Array.from({ length: 500 }, (_, i) => [i, [i % 7]]))
  const many = new Map(Array.from({ length: 500 }, (_, i) => [i, Array.from({ length: 40 }, (_, j) => 100 + j)]))
  const far = new Map([[4_000_000_000, [1, 9]]])
  for (const lists of [[close, many], [far], [close, far], [new Map()]]) {
    const merged = new MergedPostings(
      lists.flatMap((list) => blocksOf(list, 50)),
      memory,
    )
    expect(toPlain(merged)).toEqual(mergePlainly(lists))
  }
})

test('documents are the same as a list and as a set', () => {
  const lists = fc.array(densePostings, { maxLength: 4 })
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 9 }), (given, perBlock) => {
      const blocks = given.flatMap((list) => blocksOf(list, perBlock))
      const expected = [...mergePlainly(given).keys()]
      for (const source of [new MergedPostings(blocks, memory), longOf(blocks)]) {
        const docs = new DenseDocSet(100_001)
        source.addTo(docs)
        expect([source.count, [...docs.toArray()], [...source.docIds]]).toEqual([expected.length, expected, expected])
      }
    }),
  )
})

test('the size follows what is held', () => {
  const plain = new Map(Array.from({ length: 1000 }, (_, i) => [i, [1, 2, 3]]))
  const decoded = DecodedPostings.of(blocksOf(plain, 100), memory)
  const before = decoded.sizeBytes
  expect(before).toBeLessThan(1000 * 12)
  expect(decoded.positions).toHaveLength(3000)
  expect(decoded.sizeBytes).toBeGreaterThanOrEqual(1000 * 4 * 5)
})

test('what is said of some documents is what all postings say of them', () => {
  const lists = fc.array(densePostings, { minLength: 1, maxLength: 6 })
  const wanted = fc.uniqueArray(fc.nat(60), { maxLength: 4 })
  fc.assert(
    fc.property(lists, wanted, fc.integer({ min: 1, max: 3 }), (given, some, perBlock) => {
      const docIds = Uint32Array.from(some).sort()
      for (const make of [
        () => DecodedPostings.of(blocksOf(given[0]!, perBlock), memory),
        () =>
          new MergedPostings(
            given.flatMap((list) => blocksOf(list, perBlock)),
            memory,
          ),
        () => longOf(blocksOf(given[0]!, perBlock)),
        () => longOf(given.flatMap((list) => blocksOf(list, perBlock))),
      ]) {
        const [few, all] = [toPlain(make().within(docIds)), toPlain(make())]
        for (const docId of docIds) expect(few.get(docId)).toEqual(all.get(docId))
        for (const [docId, positions] of few) expect(positions).toEqual(all.get(docId))
      }
    }),
  )
})

test('some documents of long postings are read from few blocks', () => {
  const many = new Map(Array.from({ length: 2000 }, (_, i) => [i * 3, [i % 50, 70_000 + i]]))
  const docIds = Uint32Array.from([3, 9, 10, 2997, 3000])
  const blocks = () => blocksOf(many, 10)
  for (const postings of [
    DecodedPostings.of(blocks(), memory),
    new MergedPostings(blocks(), memory),
    longOf(blocks()),
  ]) {
    const found = postings.within(docIds)
    expect(found.docIds.length).toBeLessThan(40)
    for (const docId of [3, 9, 2997, 3000]) expect(toPlain(found).get(docId)).toEqual(many.get(docId))
    expect(toPlain(found).has(10)).toBe(false)
  }
})

test('pieces hold each entry once', () => {
  const lists = fc.array(densePostings, { maxLength: 8 })
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 9 }), (given, perBlock) => {
      const merged = longOf(given.flatMap((list) => blocksOf(list, perBlock)))
      const seen: [number, number[]][] = []
      merged.eachPiece(({ docIds, starts, positions, count }) => {
        for (let i = 0; i < count; i++) seen.push([docIds[i]!, [...positions.subarray(starts[i], starts[i + 1])]])
      }, 'all')
      const entries = given.flatMap((list) => [...list].map(([docId, positions]) => [docId, [...positions]]))
      const key = (entry: unknown) => JSON.stringify(entry)
      expect(seen.map(key).sort()).toEqual(entries.map(key).sort())
    }),
  )
})

test('more entries than a piece has room for come in several', () => {
  const many = new Map(Array.from({ length: 20_000 }, (_, i) => [i, [i % 9]]))
  const sizes: number[] = []
  new MergedPostings(blocksOf(many, 1500), memory).eachPiece(({ count }) => sizes.push(count), 'all')
  expect(sizes.length).toBeGreaterThan(2)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20_000)
})

test('what is said is the same however often it is asked, before and after a move', () => {
  const wanted = fc.uniqueArray(fc.nat(60), { maxLength: 3 })
  fc.assert(
    fc.property(densePostings, fc.array(wanted, { maxLength: 5 }), fc.nat(5), (plain, asked, movesAt) => {
      const postings = DecodedPostings.of(blocksOf(plain, 3), memory)
      for (const [i, some] of asked.entries()) {
        if (i === movesAt) postings.settle()
        const found = toPlain(postings.within(Uint32Array.from(some).sort()))
        for (const docId of some) expect(found.get(docId)).toEqual(plain.get(docId))
      }
      expect(toPlain(postings)).toEqual(plain)
    }),
  )
})

test('postings in shared memory do not disturb each other', () => {
  const slabs = new SharedSlabs()
  fc.assert(
    fc.property(fc.array(densePostings, { maxLength: 20 }), (lists) => {
      const all = lists.map((plain) => {
        const collected = new CollectedBlocks()
        for (const block of blocksOf(plain, 7)) collected.add(block)
        return new DecodedPostings(collected, memory, slabs)
      })
      expect(all.map(toPlain)).toEqual(lists)
    }),
  )
})
