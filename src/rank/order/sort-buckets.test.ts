import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { compareBytes } from '../../byte-order/index.js'
import { normalizeStoredFacet, ValueMarks } from '../../columns/index.js'
import type { Direction } from '../../match/index.js'
import { columnOf } from './columns-of.js'
import { bucketsByDocument, bucketsByValue, type SortBucket, sortBuckets } from './sort-buckets.js'
import { ValueIndex } from './value-index.fixture.js'

const opened: ValueIndex[] = []
afterAll(async () => {
  for (const index of opened) await index.delete()
})

async function indexOf(documents: readonly object[]): Promise<ValueIndex> {
  const index = await ValueIndex.of({ sortableAttributes: ['v'] }, documents)
  opened.push(index)
  return index
}

const shown = (buckets: Iterable<SortBucket>) =>
  Array.from(buckets, ({ docIds, value }) => ({ docIds: [...docIds], value }))

const upTo = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, i) => i)

const listed = (docIds: Uint32Array) => ({ size: docIds.length, docIds })

/** Both ways of making buckets, whatever the number of documents. */
function bothWays({ index }: ValueIndex, direction: Direction, universe: Uint32Array) {
  const column = columnOf(index, 'v')!
  const values = index.facets.field('v')!
  const isDescending = direction === 'desc'
  return {
    byDocument: shown(bucketsByDocument(column, isDescending, universe)),
    byValue: shown(bucketsByValue({ all: index.docIds, column, values, isDescending }, listed(universe))),
  }
}

test('numbers come first and missing values last, in both directions', async () => {
  const documents = [3, 'b', true, null, undefined, 'A'].map((v, id) => ({ id, v }))
  const { index } = await indexOf(documents)
  const order = (direction: Direction) => shown(sortBuckets(index, { attribute: 'v', direction }, listed(upTo(6))))
  expect(order('asc')).toEqual([
    { docIds: [0], value: 3 },
    { docIds: [5], value: 'a' },
    { docIds: [1], value: 'b' },
    { docIds: [2], value: 'true' },
    { docIds: [3, 4], value: null },
  ])
  expect(order('desc').map(({ docIds }) => docIds)).toEqual([[0], [2], [1], [5], [3, 4]])
})

test('a document stands by its best value, a number before any string', async () => {
  const values = [[5, 1, 'a'], [3], ['b', 'z'], ['c'], [], '', {}, [null]]
  const { index } = await indexOf(values.map((v, id) => ({ id, v })))
  const order = (direction: Direction) =>
    shown(sortBuckets(index, { attribute: 'v', direction }, listed(upTo(8)))).map(({ value }) => value)
  expect(order('asc')).toEqual([1, 3, 'b', 'c', null])
  expect(order('desc')).toEqual([5, 3, 'z', 'c', null])
})

test('an attribute that no document has leaves all together', async () => {
  const { index } = await indexOf([{ id: 0 }, { id: 1 }])
  const key = { attribute: 'never', direction: 'asc' } as const
  expect(shown(sortBuckets(index, key, listed(upTo(2))))).toEqual([{ docIds: [0, 1], value: null }])
  expect(shown(sortBuckets(index, key, listed(upTo(0))))).toEqual([])
})

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom('', ' ', 'é', 'E\u0301', 'Z', 'z', '\u{10000}', '\uffff', true, null),
  fc.string({ maxLength: 2 }),
)
const valueLists = fc.array(fc.array(value, { maxLength: 3 }), { minLength: 1, maxLength: 30 })

/** The plain twin: every document with its best value, sorted as a whole. */
function plainOrder(lists: readonly unknown[][], direction: Direction, universe: readonly number[]) {
  const sign = direction === 'asc' ? 1 : -1
  const best = universe.map((docId) => {
    const found = lists[docId]!.filter((one) => one !== null && one !== '')
    const numbers = found.filter((one) => typeof one === 'number').sort((a, b) => sign * (a - b))
    const texts = found.filter((one) => typeof one !== 'number').map((one) => normalizeStoredFacet(String(one)))
    return { docId, value: numbers[0] ?? texts.sort((a, b) => sign * compareBytes(a, b))[0] ?? null }
  })
  const kind = (one: unknown) => (typeof one === 'number' ? 0 : one === null ? 2 : 1)
  best.sort((a, b) => {
    if (kind(a.value) !== kind(b.value)) return kind(a.value) - kind(b.value)
    if (typeof a.value === 'number') return sign * (a.value - (b.value as number)) || a.docId - b.docId
    return sign * compareBytes(String(a.value), String(b.value)) || a.docId - b.docId
  })
  return best
}

const flat = (buckets: ReturnType<typeof shown>) =>
  buckets.flatMap(({ docIds, value }) => docIds.map((docId) => ({ docId, value })))

test('looking at documents and walking through values give the plain order', async () => {
  await fc.assert(
    fc.asyncProperty(
      valueLists,
      fc.constantFrom('asc', 'desc'),
      fc.func(fc.boolean()),
      async (lists, direction, isIn) => {
        const index = await ValueIndex.of(
          { sortableAttributes: ['v'] },
          lists.map((v, id) => ({ id, v })),
        )
        const universe = lists.map((_, docId) => docId).filter((docId) => isIn(docId))
        const plain = plainOrder(lists, direction, universe)
        const { byDocument, byValue } = bothWays(index, direction, Uint32Array.from(universe))
        expect(flat(byDocument)).toEqual(plain)
        expect(flat(byValue)).toEqual(plain)
        for (const { docIds } of [...byDocument, ...byValue]) expect(docIds).toEqual([...docIds].sort((a, b) => a - b))
        await index.delete()
      },
    ),
    { numRuns: 20 },
  )
}, 30_000)

test('a walk that meets mostly values of other documents looks at the documents instead', async () => {
  const made = await indexOf(Array.from({ length: 1500 }, (_, id) => ({ id, v: [id, `t${id}`] })))
  const universe = Uint32Array.from({ length: 30 }, (_, i) => 600 + 30 * i)
  const { byDocument, byValue } = bothWays(made, 'asc', universe)
  expect(byValue).toEqual(byDocument)
  expect(byValue.map(({ value }) => value)).toEqual([...universe])
  const key = { attribute: 'v', direction: 'desc' } as const
  expect(shown(sortBuckets(made.index, key, listed(upTo(1500)))).map(({ value }) => value)).toEqual(
    [...upTo(1500)].reverse(),
  )
})

test('a column has the values of exactly one attribute', async () => {
  const made = await indexOf([{ id: 0, v: ['B', 2, 'b', 1], w: 'x' }, { id: 1 }])
  const column = columnOf(made.index, 'v')!
  expect([column.values(0), column.values(1), column.values(9)]).toEqual([[1, 2, 'b'], [], []])
  expect(columnOf(made.index, 'nope')).toBeUndefined()
})

test('marked values are found in every document that has one of them', async () => {
  const made = await indexOf([{ id: 0, v: ['a', 1] }, { id: 1, v: 'A' }, { id: 2, v: 2 }, { id: 3 }])
  const column = columnOf(made.index, 'v')!
  const marks = new ValueMarks()
  column.mark(0, marks)
  expect([0, 1, 2, 3, 9].map((docId) => column.hasMarked(docId, marks))).toEqual([true, true, false, false, false])
  expect(marks.size).toBe(2)
})

test('what was read of columns follows the index', async () => {
  const made = await indexOf([{ id: 0, v: 1 }])
  const values = () => columnOf(made.index, 'v')!.values(0)
  expect(values()).toEqual([1])
  await made.add([{ id: 0, v: 'two' }])
  expect(values()).toEqual(['two'])
  made.remove(0)
  expect(values()).toEqual([])
})
