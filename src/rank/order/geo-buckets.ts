import { distanceMeters } from '../../geo/index.js'
import type { GeoPoint, SearchIndex } from '../../match/index.js'
import { type GeoOrder, NearestPlaces, type Place } from './nearest-places.js'
import { allPositions, type Positions, positionsOf, type SpherePositions } from './positions.js'

/** Documents that are equally far away, as far as sorting is concerned. */
export interface GeoBucket {
  /** Ascending. */
  readonly docIds: Uint32Array
  /** Position and distance in metres of the document that the bucket began with; null for those without position. */
  readonly point: GeoPoint | null
  readonly distance: number | null
}

/** A bucket reaches this far from the document it began with, and holds at most so many. */
const BUCKET_METERS = 1
const BUCKET_DOCUMENTS = 1000

/** With fewer documents than this, whole metres and then docIds decide; with more, the exact distance. */
const MANY_DOCUMENTS = 1000

/** Splits documents, given ascending, by their distance; those without position come last (spec 6 §4.11). */
export function* geoBuckets(
  index: Pick<SearchIndex, 'folder' | 'carry' | 'fields' | 'facets'>,
  order: GeoOrder,
  universe: Uint32Array,
): Generator<GeoBucket, void> {
  const all = universe.length < MANY_DOCUMENTS ? undefined : allPositions(index)
  const positions = all ?? positionsOf(index, universe)
  const { indexes, others } = splitByPosition(universe, positions)
  const isMany = indexes.length >= MANY_DOCUMENTS
  if (all !== undefined && isMany) yield* manyBuckets(all, order, indexes)
  else yield* fewBuckets(positions, order, indexes)
  if (others.length > 0) yield { docIds: others, point: null, distance: null }
}

/** Which of the positions are of these documents, and which documents have none. */
function splitByPosition(universe: Uint32Array, { docIds }: Positions): { indexes: Uint32Array; others: Uint32Array } {
  const indexes = new Uint32Array(universe.length)
  const others = new Uint32Array(universe.length)
  let placedCount = 0
  for (let i = 0, at = 0; i < universe.length; i++) {
    const docId = universe[i]!
    while (at < docIds.length && docIds[at]! < docId) at++
    if (docIds[at] === docId) indexes[placedCount++] = at
    else others[i - placedCount] = docId
  }
  return { indexes: indexes.subarray(0, placedCount), others: others.slice(0, universe.length - placedCount) }
}

/** By whole metres and docId, or the reverse of that. */
function* fewBuckets(
  positions: Positions,
  { origin, direction }: GeoOrder,
  indexes: Uint32Array,
): Generator<GeoBucket, void> {
  const places = Array.from(indexes, (at): Place => {
    const point = positions.pointAt(at)
    return { docId: positions.docIds[at]!, point, distance: distanceMeters(origin, point) }
  })
  places.sort((a, b) => Math.trunc(a.distance) - Math.trunc(b.distance) || a.docId - b.docId)
  if (direction === 'desc') places.reverse()
  for (let from = 0; from < places.length; ) {
    const bucket = bucketFrom(places, from)
    yield bucket
    from += bucket.docIds.length
  }
}

/** By exact distance. */
function* manyBuckets(positions: SpherePositions, order: GeoOrder, indexes: Uint32Array): Generator<GeoBucket, void> {
  const nearest = new NearestPlaces(positions, order, indexes)
  for (let places = nearest.next(BUCKET_METERS); places.length > 0; places = nearest.next(BUCKET_METERS)) {
    const bucket = bucketFrom(places, 0)
    nearest.drop(bucket.docIds.length)
    yield bucket
  }
}

/** The bucket that begins with the place at `from`. */
function bucketFrom(places: readonly Place[], from: number): GeoBucket {
  const { point, distance } = places[from]!
  const limit = Math.min(places.length, from + BUCKET_DOCUMENTS)
  let to = from + 1
  while (to < limit && Math.abs(places[to]!.distance - distance) <= BUCKET_METERS) to++
  return { docIds: Uint32Array.from(places.slice(from, to), ({ docId }) => docId).sort(), point, distance }
}
