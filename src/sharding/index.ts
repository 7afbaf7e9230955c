/** Which shard of a network a document belongs to. All servers of a network come to the same answer, without asking. */
export { type ShardMap, shardMap, shardOf } from './shard-map.js'
