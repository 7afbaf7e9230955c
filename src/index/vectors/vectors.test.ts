import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { ColumnMemory } from '../../cache/index.js'
import type { DocId } from '../../documents/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import {
  assignSlots,
  bitDistance,
  comparedVector,
  cosineDistance,
  decodeFloats,
  dequantize,
  dot,
  encodeFloats,
  fourWideDots,
  freeEmbedderId,
  norm,
  quantize,
  readDocSet,
  readVectorJournal,
  StoredDocSet,
  StoredVectors,
  vectorKey,
  vectorRange,
  wideDot,
  writeVectorJournal,
} from '../../vectors/index.js'
import { userProvided, VectorIndex } from './vector-index.fixture.js'

const floats = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 70 })
const id = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const byte = fc.integer({ min: 0, max: 255 })

describe('stored forms', () => {
  test('floats read back, wherever their bytes lie', () => {
    fc.assert(
      fc.property(floats, (numbers) => {
        const vector = Float32Array.from(numbers)
        const bytes = Buffer.concat([Buffer.of(7), encodeFloats(vector)]).subarray(1)
        expect(decodeFloats(bytes)).toEqual(vector)
      }),
    )
  })

  test('quantized vectors say what is above zero', () => {
    fc.assert(
      fc.property(floats, (numbers) => {
        const bits = quantize(Float32Array.from(numbers))
        expect(bits.length % 8).toBe(0)
        expect([...dequantize(bits, numbers.length)]).toEqual(numbers.map((each) => Number(each > 0)))
      }),
    )
  })

  test('keys sort by embedder, document and slot, and ranges hold what belongs together', () => {
    const keys = fc.tuple(byte, id, byte)
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        const [left, right] = [a, b].map(([embedder, docId, slot]) => vectorKey(embedder, docId as DocId, slot))
        const order = a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
        expect(Math.sign(Buffer.compare(left!, right!))).toBe(Math.sign(order))
        const { start, end } = vectorRange(a[0], a[1] as DocId)
        const isInside = Buffer.compare(start, right!) <= 0 && Buffer.compare(right!, end) < 0
        expect(isInside).toBe(a[0] === b[0] && a[1] === b[1])
      }),
    )
  })

  test('sets of documents read back after any changes', () => {
    const changes = fc.array(fc.tuple(fc.integer({ min: 0, max: 200_000 }), fc.boolean()), { maxLength: 50 })
    fc.assert(
      fc.property(changes, changes, (first, second) => {
        const folder = temporaryIndex()
        const plain = new Set<number>()
        for (const part of [first, second]) {
          folder.write(() => {
            const set = new StoredDocSet(folder.databases.vectorSets, 3, 'fixed')
            for (const [docId, isMember] of part) {
              expect(set.has(docId)).toBe(plain.has(docId))
              expect(set.set(docId, isMember)).toBe(plain.has(docId) !== isMember)
              if (isMember) plain.add(docId)
              else plain.delete(docId)
            }
            set.flush()
          })
        }
        const stored = readDocSet(folder.databases.vectorSets, 3, 'fixed')
        expect([...stored]).toEqual([...plain].sort((a, b) => a - b))
        expect(readDocSet(folder.databases.vectorSets, 3, 'embedded').isEmpty).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  test('the journal tells what changed since a version, or that nobody knows', () => {
    const folder = temporaryIndex()
    const { vectorJournal } = folder.databases
    folder.write(() => {
      writeVectorJournal(vectorJournal, 3, Bitmap.of(1))
      writeVectorJournal(vectorJournal, 3, Bitmap.of(2))
      writeVectorJournal(vectorJournal, 5, Bitmap.of(9))
    })
    const read = (from: number, to: number) => {
      const changed = readVectorJournal(vectorJournal, from, to)
      return changed === 'everything' ? changed : [...changed]
    }
    expect(read(2, 5)).toEqual([1, 2, 9])
    expect(read(3, 5)).toEqual([9])
    expect(read(5, 5)).toEqual([])
    expect(read(-1, 5)).toEqual([1, 2, 9])
    expect(read(0, 100)).toBe('everything')
    folder.write(() => writeVectorJournal(vectorJournal, 6, 'everything'))
    expect(read(5, 6)).toBe('everything')
  })
})

describe('distances', () => {
  const distance = (a: number[], b: number[]) => {
    const [left, right] = [Float32Array.from(a), Float32Array.from(b)]
    return cosineDistance(comparedVector(left), right, 0, norm(right, 0, b.length))
  }
  const similarity = (a: number[], b: number[]) => Math.fround(1 - distance(a, b))

  test('are those of the examples, digit by digit (spec 7 §2.1)', () => {
    expect(similarity([4, 3], [3, 4])).toBe(0.9800000190734863)
    expect(similarity([4, 3], [0, 5])).toBe(0.800000011920929)
    expect(similarity([4, 3], [-4, -3])).toBe(0)
    expect(similarity([4, 3], [0, 0])).toBe(1)
  })

  test('have the same products, digit by digit, when one side was widened before', () => {
    const numbers = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 70 })
    fc.assert(
      fc.property(numbers, fc.nat(5), (a, at) => {
        const [vector, rows] = [Float32Array.from(a), new Float32Array(a.length + at).fill(0.3)]
        rows.set([...vector].reverse(), at)
        const wide = new Float64Array(vector)
        const product = wideDot(wide, rows, at)
        expect(product).toBe(dot(vector, 0, rows, at, a.length))
        const others = [0, 1, 2].map((seed) => vector.map((each, i) => each * ((i * 7 + seed) % 5)))
        const four = { blocks: [...others, rows], at: Int32Array.of(0, 0, 0, at), products: new Float64Array(4) }
        fourWideDots(wide, four)
        expect([...four.products]).toEqual([...others.map((other) => wideDot(wide, other, 0)), product])
      }),
    )
  })

  test('of long vectors are right to six digits', () => {
    const pair = fc.integer({ min: 16, max: 70 }).chain((length) => {
      const numbers = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: length, maxLength: length })
      return fc.tuple(numbers, numbers)
    })
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const length = (v: number[]) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0))
        fc.pre(length(a) > 0.01 && length(b) > 0.01)
        const cosine = a.reduce((sum, x, i) => sum + x * b[i]!, 0) / (length(a) * length(b))
        expect(Math.abs(distance(a, b) - (1 - cosine) / 2)).toBeLessThan(1e-6)
      }),
    )
  })

  test('of bits count those that differ, of all that are stored', () => {
    const words = (numbers: number[]) => new Uint32Array(quantize(Float32Array.from(numbers)).slice().buffer)
    expect(1 - bitDistance(words([1, 1, 1]), words([-1, 1, -1]), 0)).toBe(0.96875)
  })
})

test('numbers of embedders and slots of fragments are used again when they are free', () => {
  expect(freeEmbedderId([{ id: 0 }, { id: 2 }] as never)).toBe(1)
  expect(assignSlots([], ['b', 'a'])).toEqual(['a', 'b'])
  expect(assignSlots(['a', 'b'], ['b'])).toEqual([null, 'b'])
  expect(assignSlots([null, 'b'], ['b', 'd', 'c'])).toEqual(['c', 'b', 'd'])
})

describe('vectors in memory', () => {
  const plain = (vectors: number[][] | undefined, query: number[]) => {
    const distances = (vectors ?? []).map((vector) => {
      const [a, b] = [Float32Array.from(query), Float32Array.from(vector)]
      return cosineDistance(comparedVector(a), b, 0, norm(b, 0, b.length))
    })
    return distances.length === 0 ? Number.NaN : Math.min(...distances)
  }

  test.each([
    ['plenty', 1e9],
    ['too little', 1],
  ])('follow what changes, with %s of it', async (_name, maxBytes) => {
    const index = new VectorIndex()
    index.embed({ m: userProvided(2) })
    const known = new Map<number, number[][]>()
    const add = async (entries: [number, number[][]][]) => {
      for (const [docId, vectors] of entries) known.set(docId, vectors)
      await index.add(entries.map(([docId, vectors]) => ({ id: docId, _vectors: { m: vectors } })))
    }
    const stored = new StoredVectors(index.folder, new ColumnMemory(maxBytes))
    const check = () => {
      stored.refresh()
      const from = stored.embedder('m')!.distancesFrom(Float32Array.of(1, 2))
      for (let docId = 0; docId < 6; docId++) expect(from.to(docId)).toBe(plain(known.get(docId), [1, 2]))
    }
    await add([0, 1, 2, 3].map((docId) => [docId, [[docId, 1]]]))
    check()
    await add([
      [
        1,
        [
          [5, 5],
          [1, 2],
          [0, 1],
        ],
      ],
      [2, []],
      [4, [[1, 0]]],
    ])
    check()
    index.delete('0')
    known.delete(0)
    check()
    for (let i = 0; i < 70; i++) await add([[3, [[i, 3]]]])
    check()
    index.embed({ m: null })
    stored.refresh()
    expect(stored.embedder('m')).toBeUndefined()
  })

  test.each([
    ['plenty', 1e9],
    ['too little', 1],
  ])('tell the same distances of many documents as of each, with %s of it', async (_name, maxBytes) => {
    const index = new VectorIndex()
    index.embed({ m: userProvided(21) })
    const vector = (seed: number) => Array.from({ length: 21 }, (_, i) => Math.sin(seed * 31 + i * i))
    // Documents with none, one, and several vectors; and some that are the same.
    const counts = Array.from({ length: 40 }, (_, id) => [1, 1, 1, 0, 1, 3, 1, 1][id % 8]!)
    const vectors = (id: number) => Array.from({ length: counts[id]! }, (_, slot) => vector((id % 20) + 50 * slot))
    await index.add(counts.map((_, id) => ({ id, _vectors: { m: vectors(id) } })))
    const stored = new StoredVectors(index.folder, new ColumnMemory(maxBytes))
    stored.refresh()
    const from = stored.embedder('m')!.distancesFrom(Float32Array.from(vector(77)))
    fc.assert(
      fc.property(fc.array(fc.nat(42)), (docIds) => {
        const distances = new Float64Array(docIds.length)
        from.toEach(Uint32Array.from(docIds), distances)
        expect([...distances]).toEqual(docIds.map((docId) => from.to(docId)))
      }),
    )
  })

  test('are asked for slot by slot', async () => {
    const index = new VectorIndex()
    index.embed({ m: userProvided(2) })
    await index.add([
      {
        id: 0,
        _vectors: {
          m: [
            [1, 0],
            [0, 1],
          ],
        },
      },
    ])
    const stored = new StoredVectors(index.folder)
    stored.refresh()
    const from = stored.embedder('m')!.distancesFrom(Float32Array.of(1, 0))
    expect([from.toSlot(0, 0), from.toSlot(0, 1), from.toSlot(0, 2)]).toEqual([0, 0.5, Number.NaN])
  })
})
