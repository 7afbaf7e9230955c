/** One folder, one transaction: a job changes documents, settings and everything that is derived from them. */
export type {
  DocumentOperation,
  HandedCounts,
  IndexJob,
  IndexWork,
  JobOutcome,
  PreparedJob,
  TaskOutcome,
} from './apply/job.js'
export type { JobServices, WordResources } from './apply/job-work.js'
export { idsOf, type PayloadSource, recordsOf } from './apply/payload-source.js'
export { refreshSets } from './apply/refresh-sets.js'
export { prepareIndexJob, runIndexJob } from './apply/run-job.js'
export { folderDigest } from './digest/local-entries.js'
export { IndexFacets } from './facets/index-facets.js'
export { completeNames, lacksNames } from './fields/complete-names.js'
export { type IndexStats, indexStats } from './index-stats.js'
export { ArrivalList, readArrivals } from './shards/arrival-list.js'
export { StoredArrivals } from './shards/arrivals.js'
export type { ShardCounts } from './shards/shard-tally.js'
export { StoredShards } from './shards/stored-shards.js'
export { upgradeFolder } from './upgrade-folder.js'
