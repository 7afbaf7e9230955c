import { afterAll, expect, test } from 'vitest'
import { distanceMeters } from '../../geo/index.js'
import type { Direction } from '../../match/index.js'
import { type GeoBucket, geoBuckets } from './geo-buckets.js'
import { ValueIndex } from './value-index.fixture.js'

const opened: ValueIndex[] = []
afterAll(async () => {
  for (const index of opened) await index.delete()
})

type Position = readonly [lat: number, lng: number] | null

async function buckets(
  positions: readonly Position[],
  direction: Direction,
  universe?: Uint32Array,
): Promise<GeoBucket[]> {
  const documents = positions.map((at, id) => (at === null ? { id } : { id, _geo: { lat: at[0], lng: at[1] } }))
  const made = await ValueIndex.of({ sortableAttributes: ['_geo'] }, documents)
  opened.push(made)
  return [...geoBuckets(made.index, { origin: { lat: 0, lng: 0 }, direction }, universe ?? upTo(positions.length))]
}

const upTo = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, i) => i)
const ids = (list: readonly GeoBucket[]) => list.map(({ docIds }) => [...docIds])

/** A point so many metres north of the origin. */
const north = (meters: number): Position => [(meters / 6_371_000) * (180 / Math.PI), 0]

test('documents come by distance, those without position last', async () => {
  const positions = [north(5000), null, north(10), north(300)]
  const near = await buckets(positions, 'asc')
  expect(ids(near)).toEqual([[2], [3], [0], [1]])
  expect(near[3]).toEqual({ docIds: Uint32Array.of(1), point: null, distance: null })
  expect(near[0]!.distance).toBeCloseTo(10, 2)
  expect(near[0]!.point).toEqual({ lat: north(10)![0], lng: 0 })
  expect(ids(await buckets(positions, 'desc'))).toEqual([[0], [3], [2], [1]])
})

test('a bucket reaches one metre from its first document, not from its last', async () => {
  const positions = [north(102), north(100), north(100.9), north(101.8)]
  const list = await buckets(positions, 'asc')
  expect(ids(list)).toEqual([
    [1, 2],
    [0, 3],
  ])
  expect(list[1]!.distance).toBeCloseTo(101.8, 2)
})

test('with few documents whole metres and then docIds decide which one is first', async () => {
  // 100.9 stands before 100.1, so the bucket begins at 100.9 and reaches from 99.9 to 101.9.
  const positions = [north(100.9), north(100.1), north(101.85)]
  const list = await buckets(positions, 'asc')
  expect(ids(list)).toEqual([[0, 1, 2]])
  expect(list[0]!.distance).toBeCloseTo(100.9, 2)
  // The reverse order: 101.85 is alone, then comes 100.1 with the higher docId.
  expect(ids(await buckets(positions, 'desc'))).toEqual([[2], [0, 1]])
})

test('with a thousand documents and more the exact distance decides', async () => {
  const positions = [
    north(100.9),
    north(100.1),
    north(101.85),
    ...Array.from({ length: 997 }, (_, i) => north(1000 + 2 * i)),
  ]
  const list = await buckets(positions, 'asc')
  expect(ids(list).slice(0, 3)).toEqual([[0, 1], [2], [3]])
  expect(list[0]!.distance).toBeCloseTo(100.1, 2)
  expect(list).toHaveLength(2 + 997)
})

test('a bucket holds at most a thousand documents', async () => {
  const positions = Array.from({ length: 2100 }, () => north(50))
  const docIds = ids(await buckets(positions, 'asc'))
  expect(docIds.map(({ length }) => length)).toEqual([1000, 1000, 100])
  expect(docIds[0]![999]).toBe(999)
})

test('only the documents asked for are placed', async () => {
  expect(ids(await buckets([north(3), north(2), north(9), null], 'asc', Uint32Array.of(0, 2)))).toEqual([[0], [2]])
  expect(await buckets([null, null], 'desc')).toEqual([{ docIds: Uint32Array.of(0, 1), point: null, distance: null }])
})

/** The plain twin for many documents: all distances, sorted. */
function plainBuckets(positions: readonly Position[], direction: Direction): number[][] {
  const origin = { lat: 0, lng: 0 }
  const places = positions.flatMap((at, docId) =>
    at === null ? [] : { docId, meters: distanceMeters(origin, { lat: at[0], lng: at[1] }) },
  )
  places.sort((a, b) => a.meters - b.meters || a.docId - b.docId)
  if (direction === 'desc') places.reverse()
  const list: number[][] = []
  for (let from = 0; from < places.length; ) {
    const first = places[from]!.meters
    let to = from
    while (to < places.length && to - from < 1000 && Math.abs(places[to]!.meters - first) <= 1) to++
    list.push(
      places
        .slice(from, to)
        .map(({ docId }) => docId)
        .sort((a, b) => a - b),
    )
    from = to
  }
  return list
}

test.each(['asc', 'desc'] as const)(
  'many documents all over the world come as sorting all of them would have it: %s',
  async (direction) => {
    let seed = 7
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const far = Array.from({ length: 1500 }, (): Position => [random() * 180 - 90, random() * 360 - 180])
    const near = Array.from({ length: 600 }, (): Position => [random() * 1e-4, random() * 1e-4])
    const opposite = Array.from({ length: 300 }, (): Position => [random() * 1e-4, 180 - random() * 1e-4])
    const positions: Position[] = [...far, ...near, ...opposite, null, [0, 0], [0, 180]]
    const docIds = ids(await buckets(positions, direction))
    expect(docIds.slice(0, -1)).toEqual(plainBuckets(positions, direction))
    expect(docIds.at(-1)).toEqual([2400])
  },
)
