import { Bitmap } from '../../bitmap/index.js'
import { distanceMeters } from '../../geo/index.js'
import type { SearchIndex, SortKey } from '../../match/index.js'
import { bucketsOfOrdinals, columnOf, DOCUMENTS_PER_STEP, positionsOf } from '../../rank/index.js'
import { checkBudget } from '../../threads/index.js'

/** Points nearer to each other than this count as equally far, in groups of at most so many (spec 3 §4.4). */
const SAME_DISTANCE_METERS = 1
const MAX_GROUP = 1000

/** Up to this many documents are looked at one by one, of more the values are gone through as long as that takes less. */
const FEW_DOCUMENTS = 1024

/** What sorting reads of an index. */
export type SortedIndex = Pick<SearchIndex, 'folder' | 'carry' | 'fields' | 'facets'>

/** Which documents are wanted, in which order. */
export interface PageOrder {
  readonly keys: readonly SortKey[]
  readonly count: number
  /** Up to how many documents are looked at one by one, if not as many as usual. */
  readonly fewDocuments?: number
}

/** The first `count` documents in the order of `keys`; ties by docId. */
export function sortedPage(index: SortedIndex, selected: Bitmap, order: PageOrder): number[] {
  const page: number[] = []
  place({ index, order, page }, selected, 0)
  return page
}

interface Sorting {
  readonly index: SortedIndex
  readonly order: PageOrder
  readonly page: number[]
}

function place(sorting: Sorting, docIds: Bitmap, depth: number): void {
  const { index, order, page } = sorting
  const { keys, count } = order
  if (docIds.isEmpty || page.length >= count) return
  checkBudget()
  const key = keys[depth]
  if (key === undefined) {
    for (const docId of docIds.toArraySlice(0, count - page.length)) page.push(docId)
    return
  }
  const buckets = key.kind === 'geoPoint' ? geoBuckets(index, docIds, key) : attributeBuckets(sorting, docIds, key)
  for (const bucket of buckets) {
    if (page.length >= count) return
    place(sorting, bucket, depth + 1)
  }
}

type AttributeKey = Extract<SortKey, { kind: 'attribute' }>

/**
 * Numbers, then strings, each in the direction asked for, then documents without the attribute. A document with both comes
 * twice.
 */
function* attributeBuckets(sorting: Sorting, docIds: Bitmap, key: AttributeKey): IterableIterator<Bitmap> {
  const field = sorting.index.facets.field(key.attribute)
  if (field === undefined) {
    yield docIds
    return
  }
  yield* kindBuckets(sorting, docIds, { ...key, isText: false })
  yield* kindBuckets(sorting, docIds, { ...key, isText: true })
  yield docIds.andNot(field.exists())
}

interface KindKey extends AttributeKey {
  readonly isText: boolean
}

/** Goes through the values in order, and looks at the documents that are left when that takes less. */
function* kindBuckets({ index, order }: Sorting, docIds: Bitmap, key: KindKey): IterableIterator<Bitmap> {
  const rest = docIds.clone()
  const { size } = docIds
  if (size > (order.fewDocuments ?? FEW_DOCUMENTS)) {
    const field = index.facets.field(key.attribute)!
    const isDescending = key.direction === 'desc'
    let steps = 0
    for (const { docIds: holders } of key.isText ? field.strings(isDescending) : field.numbers(isDescending)) {
      if (++steps * DOCUMENTS_PER_STEP > size) break
      const bucket = holders.and(rest)
      if (bucket.isEmpty) continue
      yield bucket
      rest.andNotWith(bucket)
      if (rest.isEmpty) return
    }
    if (steps * DOCUMENTS_PER_STEP <= size) return
  }
  yield* bucketsByDocument(index, rest.toArray(), key)
}

function* bucketsByDocument(index: SortedIndex, docIds: Uint32Array, key: KindKey): IterableIterator<Bitmap> {
  const column = columnOf(index, key.attribute)!
  const isDescending = key.direction === 'desc'
  const best = key.isText ? column.bestTexts(docIds, isDescending) : column.bestNumbers(docIds, isDescending)
  for (const bucket of bucketsOfOrdinals(column, best, { isDescending, universe: docIds })) {
    if (bucket.value !== null) yield Bitmap.fromSorted(bucket.docIds)
  }
}

function* geoBuckets(
  index: SortedIndex,
  docIds: Bitmap,
  key: Extract<SortKey, { kind: 'geoPoint' }>,
): IterableIterator<Bitmap> {
  const placed = docIds.and(index.facets.withPosition())
  const positions = positionsOf(index, placed.toArray())
  const far = Array.from(positions.docIds, (docId, i) => ({
    docId,
    meters: distanceMeters(key, positions.pointAt(i)),
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
