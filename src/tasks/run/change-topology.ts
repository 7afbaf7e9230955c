import { JobCancelled } from '../../threads/index.js'
import type { Task } from '../model/task.js'
import type { CatalogueEntry } from '../store/index-catalogue.js'
import type { BatchJobs } from './batch-jobs.js'
import { type BatchOutcome, effects, succeeded } from './batch-outcome.js'
import type { TopologyStep } from './topology.js'

/** The task goes on later, when other servers have done their part: until then it is enqueued as before. */
class ChangeWaits extends JobCancelled {}

/** The steps of a change of the network that can be taken now, up to the last of them (spec 8 §3.3). */
export async function changeTopology(jobs: BatchJobs, change: Task): Promise<BatchOutcome> {
  const { topology, catalogue } = jobs.services
  for (;;) {
    const step = await jobs.begin(() => topology.advance(change, jobs.context.onProgress)).done
    if (step === 'waiting') throw new ChangeWaits()
    const changed = await onEveryIndex(jobs, step)
    await topology.done(change, step)
    if (step.kind === 'shards') continue
    const results = { ...topology.progress(change), message: FINISHED }
    return succeeded(results, effects({ commit: () => changed.forEach((entry) => void catalogue.put(entry)) }))
  }
}

const FINISHED = 'finished'

/** In a transaction for each index. What was done before a crash is done again, and finds nothing to do. */
export async function onEveryIndex(jobs: BatchJobs, { kind, map }: TopologyStep): Promise<CatalogueEntry[]> {
  const changed: CatalogueEntry[] = []
  for (const { uid, folder } of jobs.services.catalogue.list()) {
    const { stats } = await jobs.begin(() => jobs.startWith(map, { uid, folder }, { kind })).done
    changed.push({ uid, folder, stats })
  }
  return changed
}
