/** Which shard of a network a document belongs to. All servers of a network come to the same answer, without asking. */
export { type ShardMap, type ShardVersion, shardMap, shardOf, shardVersion, UnknownShardMap } from './shard-map.js'
