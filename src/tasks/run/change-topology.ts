import type { ShardMap } from '../../sharding/index.js'
import { JobCancelled } from '../../threads/index.js'
import type { Task } from '../model/task.js'
import type { CatalogueEntry } from '../store/index-catalogue.js'
import type { BatchJobs } from './batch-jobs.js'
import { type BatchOutcome, effects, succeeded } from './batch-outcome.js'

/** The task goes on later, when other servers have done their part: until then it is enqueued as before. */
class ChangeWaits extends JobCancelled {}

/** One step of a change of the network, or the last of them (spec 8 §3.3). */
export async function changeTopology(jobs: BatchJobs, change: Task): Promise<BatchOutcome> {
  const { topology, catalogue } = jobs.services
  const map = await jobs.begin(() => topology.advance(change, jobs.context.onProgress)).done
  if (map === 'waiting') throw new ChangeWaits()
  await onEveryIndex(jobs, { kind: 'shards', map })
  // From here on it cannot be taken back: what others own is deleted.
  await topology.apply(change)
  const changed = await onEveryIndex(jobs, { kind: 'dropForeign', map })
  const results = { ...topology.progress(change), message: FINISHED }
  return succeeded(results, effects({ commit: () => changed.forEach((entry) => void catalogue.put(entry)) }))
}

const FINISHED = 'finished'

/** In a transaction for each index. What was done before a crash is done again, and finds nothing to do. */
export async function onEveryIndex(
  jobs: BatchJobs,
  { kind, map }: { kind: 'shards' | 'dropForeign'; map: ShardMap },
): Promise<CatalogueEntry[]> {
  const changed: CatalogueEntry[] = []
  for (const { uid, folder } of jobs.services.catalogue.list()) {
    const { stats } = await jobs.begin(() => jobs.startWith(map, { uid, folder }, { kind })).done
    changed.push({ uid, folder, stats })
  }
  return changed
}
