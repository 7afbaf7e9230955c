import type { Task } from '../model/task.js'
import { Divergence } from './batch-decision.js'
import type { BatchJobs } from './batch-jobs.js'
import { type BatchOutcome, outcomeOf } from './batch-outcome.js'
import { onEveryIndex } from './change-topology.js'
import type { ShardShares } from './shard-shares.js'

const FINISHED = 'finished'

/** Servers with one log divide documents among them in another way: the part of one server, up to the decision. */
export async function changeShares(jobs: BatchJobs, change: Task): Promise<BatchOutcome> {
  const { onProgress, batchKey } = jobs.context
  const shares = sharesOf(jobs)
  const before = shares.mapBefore(change)
  // Of an attempt that came to nothing, or of another server. What was deleted elsewhere would come back with them.
  if (before !== undefined) await onEveryIndex(jobs, { kind: 'dropForeign', map: before })
  // Now, since it takes a while, and all servers are to change over at about the same time.
  await onEveryIndex(jobs, { kind: 'shards', map: shares.mapDuring(change) })
  const moved = await jobs.begin(() => shares.exchange(change, batchKey, onProgress)).done
  const movedDocuments = Object.values(moved).reduce((sum, count) => sum + count, 0)
  return outcomeOf([{ ok: true, results: { movedDocuments, message: FINISHED }, shares: moved }], {
    complete: () => goBy(jobs, change),
  })
}

/** The same on a server that was not asked, or was stopped before the decision. */
export function followShares(jobs: BatchJobs, change: Task): BatchOutcome {
  if (!sharesOf(jobs).hasReceived(change, jobs.context.batchKey)) {
    throw new Divergence('it was away when documents of its shards were handed over')
  }
  return outcomeOf([], { complete: () => goBy(jobs, change) })
}

/** In a transaction for each index. What was done before a crash is done again, and finds nothing to do. */
async function goBy(jobs: BatchJobs, change: Task) {
  const { catalogue } = jobs.services
  const shares = sharesOf(jobs)
  const map = shares.mapAfter(change)
  const changed = await onEveryIndex(jobs, { kind: 'shards', map })
  return {
    commit: () => {
      for (const entry of changed) catalogue.put(entry)
      shares.end(change, jobs.context.batchKey, true)
    },
    obsoleteFolders: [],
    committed: () => shares.ended(),
  }
}

function sharesOf({ services }: BatchJobs): ShardShares {
  if (services.shares === undefined) throw new Error('the servers of this cluster have the same documents')
  return services.shares
}
