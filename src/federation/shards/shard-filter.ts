import type { JsonValue } from '../../json/index.js'
import { mergeFilters, printFilter, type Reading, SHARD } from '../../match/index.js'

/** The filter of a query, narrowed down to the documents of some shards (spec 8 §3.7). Null and none are all documents. */
export function withShards(filter: JsonValue, shards: readonly string[] | null, reading: Reading): JsonValue {
  if (shards === null || shards.length === 0) return filter
  const attribute = { name: SHARD, columns: { start: 1, end: SHARD.length + 1 } }
  return mergeFilters(filter, printFilter({ kind: 'in', attribute, values: shards }, reading)) ?? null
}
