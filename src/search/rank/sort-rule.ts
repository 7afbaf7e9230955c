import { geoBuckets } from '../order/geo-buckets.js'
import { sortBuckets } from '../order/sort-buckets.js'
import type { SearchIndex } from '../search-index.js'
import type { SortKey } from '../sort/model.js'
import type { Bucket, RankedBucket, Rule } from './bucket.js'
import { findCommon, Pairs } from './doc-lists.js'
import type { ScoreDetail } from './model.js'

const pairs = new Pairs()

/** Orders documents by the values of a field or by their distance from a point (spec 6 §4.10, §4.11). */
export function sortRule(index: SearchIndex, key: SortKey): Rule {
  return function* (bucket, graph): Iterator<RankedBucket, undefined> {
    for (const { docIds, detail } of detailedBuckets(index, key, bucket.docIds)) {
      yield { bucket: subBucket(bucket, docIds), detail, graph }
    }
    return undefined
  }
}

function* detailedBuckets(
  index: SearchIndex,
  key: SortKey,
  universe: Uint32Array,
): Iterable<{ readonly docIds: Uint32Array; readonly detail: ScoreDetail }> {
  const { direction } = key
  if (key.kind === 'attribute') {
    const { attribute } = key
    for (const { docIds, value } of sortBuckets(index, { attribute, direction }, universe)) {
      yield { docIds, detail: { rule: 'sort', attribute, direction, value } }
    }
    return
  }
  const origin = { lat: key.lat, lng: key.lng }
  for (const { docIds, point, distance } of geoBuckets(index, { origin, direction }, universe)) {
    yield { docIds, detail: { rule: 'geoSort', origin, direction, point, distance } }
  }
}

function subBucket(bucket: Bucket, docIds: Uint32Array): Bucket {
  if (docIds.length === bucket.size) return bucket
  findCommon(bucket.docIds, docIds, pairs)
  const places = new Uint32Array(pairs.count)
  for (let k = 0; k < pairs.count; k++) places[k] = bucket.places[pairs.left[k]!]!
  return bucket.part(places)
}
