import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { dot, wideDot } from '../distances.js'
import { Centres, unitOf } from './centres.js'
import { EntryList } from './entry-list.js'
import { HeldLists } from './held-lists.js'
import { KeptCentres } from './kept-centres.js'
import { decodeEntries, entriesKey, type ListsRecord, placeKey } from './list-layout.js'
import { ListReader, type NearRequest } from './list-reader.js'
import { ListWriter } from './list-writer.js'
import { codeWords, encodeResidual, SignTable } from './residual-code.js'
import { TopEntries } from './top-entries.js'
import { twoMeans } from './two-means.js'

const components = (min: number, max: number) =>
  fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: min, maxLength: max })
const vectorOf = (numbers: readonly number[]) => Float32Array.from(numbers)

/** Numbers that look random and are the same every time. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}

describe('codes', () => {
  test('sum up the numbers of a query with the signs of a vector', () => {
    fc.assert(
      fc.property(components(1, 80), fc.integer(), (numbers, seed) => {
        const random = randomNumbers(seed)
        const vector = vectorOf(numbers)
        const centre = vector.map(random)
        const query = vector.map(random)
        const codes = new Int32Array(3 + codeWords(vector.length))
        encodeResidual(vector, centre, 0, codes, 3)
        const plain = query.reduce((sum, each, i) => sum + (vector[i]! - centre[i]! > 0 ? each : -each), 0)
        expect(new SignTable(vector.length).prepare(query).sum(codes, 3)).toBeCloseTo(plain, 4)
      }),
    )
  })

  test('tell the length of a residual exactly, and other products nearly', () => {
    const random = randomNumbers(7)
    const [vector, centre, query] = Array.from({ length: 3 }, () => unitOf(new Float32Array(512).map(random))!)
    const codes = new Int32Array(codeWords(512))
    const weight = encodeResidual(vector!, centre!, 0, codes, 0)
    const residual = vector!.map((component, i) => component - centre![i]!)
    const estimate = (asked: Float32Array) => weight * new SignTable(512).prepare(asked).sum(codes, 0)
    expect(estimate(residual)).toBeCloseTo(dot(residual, 0, residual, 0, 512), 4)
    expect(Math.abs(estimate(query!) - dot(query!, 0, residual, 0, 512))).toBeLessThan(0.15)
  })

  test('are bytes whose bits are the dimensions, whatever the order of bytes in a word', () => {
    fc.assert(
      fc.property(components(1, 80), (numbers) => {
        const codes = new Int32Array(codeWords(numbers.length))
        encodeResidual(vectorOf(numbers), new Float32Array(numbers.length), 0, codes, 0)
        const bytes = new Uint8Array(codes.buffer)
        const bits = Array.from({ length: bytes.length * 8 }, (_, i) => (bytes[i >>> 3]! >>> (i & 7)) & 1)
        expect(bits).toEqual(bits.map((_, i) => Number(vectorOf(numbers)[i]! > 0)))
      }),
    )
  })

  test('of a vector in the middle of its list weigh nothing', () => {
    const vector = vectorOf([0.5, 0.5])
    expect(encodeResidual(vector, vector, 0, new Int32Array(codeWords(2)), 0)).toBe(0)
  })
})

test('the top entries are those that sorting would give', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 1, max: 20 }), (scores, capacity) => {
      const top = new TopEntries(capacity)
      for (const [docId, score] of scores.entries()) top.offer(docId, score)
      const kept = top.docIds().map((docId) => scores[docId]!)
      const expected = [...scores].sort((a, b) => b - a).slice(0, capacity)
      expect(kept.sort((a, b) => b - a)).toEqual(expected)
    }),
  )
})

test('a list reads back what was written, less what was removed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70 }), fc.array(fc.boolean(), { maxLength: 60 }), (dimensions, removals) => {
      const random = randomNumbers(dimensions)
      const list = new EntryList(dimensions)
      const centre = { rows: new Float32Array(dimensions), at: 0 }
      for (const docId of removals.keys()) list.add(docId, docId % 3, new Float32Array(dimensions).map(random), centre)
      for (const [docId, isRemoved] of removals.entries()) {
        if (isRemoved) list.removeAt(list.indexOf(docId, docId % 3))
      }
      const read = decodeEntries(list.encode(), dimensions)
      expect(read.count).toBe(removals.filter((isRemoved) => !isRemoved).length)
      expect([...read.docIds]).toEqual([...list.docIds.subarray(0, list.count)])
      expect(EntryList.of(read, dimensions).encode()).toEqual(list.encode())
    }),
  )
})

test('two means part what lies apart, and cut what does not', () => {
  const near = (base: number[], random: () => number) => vectorOf(base.map((each) => each + random() * 0.1))
  const random = randomNumbers(3)
  const vectors = Array.from({ length: 40 }, (_, i) => near(i % 4 === 0 ? [1, 0, 0] : [0, 1, 0], random))
  const { isSecond } = twoMeans(vectors)
  expect(new Set(vectors.map((_, i) => `${i % 4 === 0} ${isSecond[i]}`)).size).toBe(2)
  const same = twoMeans(Array.from({ length: 10 }, () => vectorOf([1, 1])))
  expect(same.isSecond.reduce((sum, each) => sum + each, 0)).toBe(5)
})

describe('lists', () => {
  const DIMENSIONS = 64

  /** Vectors around some middles, so that there are neighbours to find. */
  function vectorsAround(count: number): Float32Array[] {
    const random = randomNumbers(11)
    const middles = Array.from({ length: 12 }, () => new Float32Array(DIMENSIONS).map(random))
    return Array.from({ length: count }, (_, i) => middles[i % 12]!.map((each) => each + 0.6 * random()))
  }

  class Lists {
    readonly folder = temporaryIndex()
    readonly vectors = new Map<number, Float32Array>()
    readonly kept = new KeptCentres()
    record: ListsRecord | undefined

    change(work: (writer: ListWriter) => void): void {
      this.folder.write(() => {
        const writer = new ListWriter({
          database: this.database,
          embedder: 5,
          dimensions: DIMENSIONS,
          stored: this.record,
          nextVersion: this.folder.nextContentVersion(),
          kept: this.kept,
          vectorOf: (docId) => this.vectors.get(docId)!,
        })
        work(writer)
        this.record = writer.flush()
      })
    }

    add(writer: ListWriter, docId: number, vector: Float32Array): void {
      this.vectors.set(docId, vector)
      writer.add(docId, 0, vector)
    }

    remove(writer: ListWriter, docId: number): void {
      writer.remove(docId, 0)
      this.vectors.delete(docId)
    }

    get database() {
      return this.folder.databases.vectorLists
    }

    /** Every vector is in one list, its place is known, and no list is too long. */
    check(): void {
      const found = new Map<number, number>()
      for (let list = 0; list < this.record!.count; list++) {
        const bytes = this.database.get(entriesKey(5, list))
        if (bytes === undefined) continue
        const { docIds } = decodeEntries(new Uint8Array(bytes), DIMENSIONS)
        if (list > 0) expect(docIds.length).toBeLessThanOrEqual(128)
        for (const docId of docIds) {
          expect(found.has(docId)).toBe(false)
          found.set(docId, list)
          expect(this.database.get(placeKey(5, docId, 0))!.readUInt32BE(0)).toBe(list)
        }
      }
      expect([...found.keys()].sort((a, b) => a - b)).toEqual([...this.vectors.keys()].sort((a, b) => a - b))
    }

    reader(): { near(request: NearRequest): number[] } {
      const reader = new ListReader(this.database, 5, DIMENSIONS, this.record!)
      const held = new HeldLists(DIMENSIONS, { hasRoomFor: ({ sizeBytes }) => sizeBytes < 50_000 })
      return { near: (request) => reader.near(request, held) }
    }

    nearest(query: Float32Array, count: number, isMember = (_docId: number) => true): number[] {
      const unit = unitOf(query)!
      return [...this.vectors]
        .filter(([docId]) => isMember(docId))
        .map(([docId, vector]) => ({ docId, product: dot(unit, 0, unitOf(vector) ?? unit, 0, DIMENSIONS) }))
        .sort((a, b) => b.product - a.product)
        .slice(0, count)
        .map(({ docId }) => docId)
    }
  }

  const recall = (found: readonly number[], wanted: readonly number[]) =>
    wanted.filter((docId) => found.includes(docId)).length / wanted.length

  test('hold every vector once through additions, removals and changes', () => {
    const lists = new Lists()
    const vectors = vectorsAround(900)
    for (let batch = 0; batch < 3; batch++) {
      lists.change((writer) => {
        for (let i = batch * 300; i < batch * 300 + 300; i++) lists.add(writer, i, vectors[i]!)
      })
      lists.check()
      lists.change((writer) => {
        for (let i = batch; i < batch * 300 + 300; i += 7) {
          if (!lists.vectors.has(i)) continue
          lists.remove(writer, i)
          if (i % 2 === 0) lists.add(writer, i, vectors[(i * 13) % 900]!)
        }
      })
      lists.check()
    }
    expect(lists.record!.count).toBeGreaterThan(6)
  })

  test('are as before when a transaction fails', () => {
    const lists = new Lists()
    const vectors = vectorsAround(400)
    lists.change((writer) => {
      for (const [i, vector] of vectors.slice(0, 200).entries()) lists.add(writer, i, vector)
    })
    const before = new Map(lists.vectors)
    expect(() =>
      lists.change((writer) => {
        for (const [i, vector] of vectors.entries()) if (i >= 200) lists.add(writer, i, vector)
        throw new Error('the disk is full')
      }),
    ).toThrow('full')
    lists.vectors.clear()
    for (const [docId, vector] of before) lists.vectors.set(docId, vector)
    lists.change((writer) => lists.add(writer, 1000, vectors[300]!))
    lists.check()
  })

  test('find neighbours without looking at everything, also among some documents only', () => {
    const lists = new Lists()
    const vectors = vectorsAround(2500)
    lists.change((writer) => {
      for (const [i, vector] of vectors.entries()) lists.add(writer, i, vector)
    })
    const reader = lists.reader()
    const isMember = (docId: number) => docId % 5 === 0
    const members = { size: 500, has: isMember }
    const recalls: number[] = []
    const filtered: number[] = []
    for (const query of vectorsAround(2540).slice(2500)) {
      const unit = unitOf(query)!
      const all = reader.near({ unit, count: 10, compared: 100, patience: 300, looked: 600 })
      recalls.push(recall(all, lists.nearest(query, 10)))
      const near = reader.near({ unit, count: 10, compared: 80, patience: 150, looked: 300, members })
      expect(near.every(isMember)).toBe(true)
      filtered.push(recall(near, lists.nearest(query, 10, isMember)))
    }
    const mean = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
    expect(mean(recalls)).toBeGreaterThan(0.95)
    expect(mean(filtered)).toBeGreaterThan(0.95)
  })

  /** Looks at lists one by one as the plain rule says. */
  function plainNear(lists: Lists, { unit, count, compared, patience, looked, members }: NearRequest): number[] {
    const stored = { dimensions: DIMENSIONS, count: lists.record!.count }
    const centres = Centres.read(lists.database, 5, stored)
    const table = new SignTable(DIMENSIONS).prepare(unit)
    const products = centres.products(table)
    const rows = [...products.keys()].slice(1).sort((a, b) => products[b]! - products[a]!)
    const seen: { docId: number; score: number }[] = []
    let improvedAt = 0
    for (const row of rows) {
      if (seen.length >= looked || seen.length - improvedAt > patience) break
      const entries = decodeEntries(new Uint8Array(lists.database.get(entriesKey(5, row))!), DIMENSIONS)
      const product = wideDot(new Float64Array(unit), centres.rows, centres.at(row))
      for (const [i, docId] of entries.docIds.entries()) {
        if (members !== undefined && !members.has(docId)) continue
        const score = product + entries.weights[i]! * table.sum(entries.codes, i * codeWords(DIMENSIONS))
        const isBest = seen.filter((other) => other.score >= score).length < count
        seen.push({ docId, score })
        if (isBest) improvedAt = seen.length
      }
    }
    seen.sort((a, b) => b.score - a.score)
    return seen.slice(0, compared).map(({ docId }) => docId)
  }

  test('are opened until nothing better came for a while, or enough was looked at', () => {
    const lists = new Lists()
    lists.change((writer) => {
      for (const [i, vector] of vectorsAround(1500).entries()) lists.add(writer, i, vector)
    })
    const reader = lists.reader()
    const queries = vectorsAround(1540).slice(1500)
    const options = fc.record({
      query: fc.constantFrom(...queries),
      count: fc.integer({ min: 1, max: 20 }),
      patience: fc.integer({ min: 0, max: 600 }),
      looked: fc.integer({ min: 1, max: 2000 }),
      every: fc.integer({ min: 1, max: 12 }),
    })
    fc.assert(
      fc.property(options, ({ query, count, patience, looked, every }) => {
        const members = every === 1 ? undefined : { size: 0, has: (docId: number) => docId % every === 0 }
        const request = { unit: unitOf(query)!, count, compared: count + 10, patience, looked, members }
        const numerically = (a: number, b: number) => a - b
        expect(reader.near(request).sort(numerically)).toEqual(plainNear(lists, request).sort(numerically))
      }),
      { numRuns: 60 },
    )
  })

  test('always bring vectors without direction, and many that are the same', () => {
    const lists = new Lists()
    const [one] = vectorsAround(1)
    lists.change((writer) => {
      for (let i = 0; i < 400; i++) lists.add(writer, i, one!)
      lists.add(writer, 777, new Float32Array(DIMENSIONS))
    })
    lists.check()
    const request = { unit: unitOf(one!)!, count: 5, compared: 5, patience: 10, looked: 10 }
    expect(lists.reader().near(request)).toContain(777)
  })
})

test('the nearest of many centres is found by their codes', () => {
  const random = randomNumbers(5)
  const folder = temporaryIndex()
  const rows = Array.from({ length: 300 }, () => unitOf(new Float32Array(96).map(random))!)
  const centres = Centres.read(folder.databases.vectorLists, 1, { dimensions: 96, count: 0 })
  centres.add(new Float32Array(96))
  for (const row of rows) centres.add(row)
  for (const [i, row] of rows.entries()) expect(centres.nearest(row)).toBe(i + 1)
  folder.write(() => centres.flush(folder.databases.vectorLists, 1))
  const again = Centres.read(folder.databases.vectorLists, 1, { dimensions: 96, count: centres.count })
  expect(again.nearest(rows[123]!)).toBe(124)
  expect(again.around([124], 3)).toEqual(centres.around([124], 3))
})
