import type { SearchIndex, SortKey } from '../match/index.js'
import type { Bucket, RankedBucket, Rule } from './bucket.js'
import { geoBuckets } from './order/geo-buckets.js'
import { sortBuckets } from './order/sort-buckets.js'
import type { ScoreDetail } from './score-detail.js'

/** Orders documents by the values of a field or by their distance from a point (spec 6 §4.10, §4.11). */
export function sortRule(index: SearchIndex, key: SortKey): Rule {
  return function* (bucket, graph): Iterator<RankedBucket, undefined> {
    for (const { docIds, detail } of detailedBuckets(index, key, bucket)) {
      yield { bucket: bucket.partOf(docIds), detail, graph }
    }
    return undefined
  }
}

function* detailedBuckets(
  index: SearchIndex,
  key: SortKey,
  bucket: Bucket,
): Iterable<{ readonly docIds: Uint32Array; readonly detail: ScoreDetail }> {
  const { direction } = key
  if (key.kind === 'attribute') {
    const { attribute } = key
    for (const { docIds, value } of sortBuckets(index, { attribute, direction }, bucket)) {
      yield { docIds, detail: { rule: 'sort', attribute, direction, value } }
    }
    return
  }
  const origin = { lat: key.lat, lng: key.lng }
  for (const { docIds, point, distance } of geoBuckets(index, { origin, direction }, bucket.docIds)) {
    yield { docIds, detail: { rule: 'geoSort', origin, direction, point, distance } }
  }
}
