import { Bitmap } from '../../bitmap/index.js'
import { type DocId, distanceMeters, type IndexFacets } from '../../index/index.js'
import type { SortKey } from '../sort/model.js'

/** Points nearer to each other than this count as equally far, in groups of at most so many (spec 3 §4.4). */
const SAME_DISTANCE_METERS = 1
const MAX_GROUP = 1000

/** The first `count` documents in the order of `keys`; ties by docId. */
export function sortedPage(facets: IndexFacets, selected: Bitmap, keys: readonly SortKey[], count: number): number[] {
  const page: number[] = []
  place({ facets, keys, count, page }, selected, 0)
  return page
}

interface Sorting {
  readonly facets: IndexFacets
  readonly keys: readonly SortKey[]
  readonly count: number
  readonly page: number[]
}

function place(sorting: Sorting, docIds: Bitmap, depth: number): void {
  const { page, count, keys, facets } = sorting
  if (docIds.isEmpty || page.length >= count) return
  const key = keys[depth]
  if (key === undefined) {
    page.push(...docIds.toArraySlice(0, count - page.length))
    return
  }
  const buckets = key.kind === 'geoPoint' ? geoBuckets(facets, docIds, key) : attributeBuckets(facets, docIds, key)
  for (const bucket of buckets) {
    if (page.length >= count) return
    place(sorting, bucket, depth + 1)
  }
}

/** Numbers, then strings, each in the direction asked for, then documents without the attribute. */
function* attributeBuckets(
  facets: IndexFacets,
  docIds: Bitmap,
  key: Extract<SortKey, { kind: 'attribute' }>,
): IterableIterator<Bitmap> {
  const field = facets.field(key.attribute)
  if (field === undefined) {
    yield docIds
    return
  }
  const isDescending = key.direction === 'desc'
  for (const values of [field.numbers(isDescending), field.strings(isDescending)]) {
    let rest = docIds
    for (const { docIds: holders } of values) {
      const bucket = holders.and(rest)
      if (bucket.isEmpty) continue
      yield bucket
      rest = rest.andNot(bucket)
      if (rest.isEmpty) break
    }
  }
  yield docIds.andNot(field.exists())
}

function* geoBuckets(
  facets: IndexFacets,
  docIds: Bitmap,
  key: Extract<SortKey, { kind: 'geoPoint' }>,
): IterableIterator<Bitmap> {
  const placed = docIds.and(facets.withPosition())
  const far = [...placed.toArray()].map((docId) => ({
    docId,
    meters: distanceMeters(key, facets.position(docId as DocId)!),
  }))
  const sign = key.direction === 'asc' ? 1 : -1
  far.sort((a, b) => sign * (a.meters - b.meters) || a.docId - b.docId)
  for (let start = 0; start < far.length; ) {
    let end = start + 1
    while (
      end < far.length &&
      end - start < MAX_GROUP &&
      Math.abs(far[end]!.meters - far[start]!.meters) <= SAME_DISTANCE_METERS
    )
      end++
    yield Bitmap.fromUnsorted(far.slice(start, end).map(({ docId }) => docId))
    start = end
  }
  yield docIds.andNot(placed)
}
