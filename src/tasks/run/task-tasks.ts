import { Bitmap } from '../../bitmap/index.js'
import type { Task } from '../model/task.js'
import type { Plan } from '../schedule/plan.js'
import type { TaskStore } from '../store/task-store.js'
import type { RunServices } from './batch-jobs.js'
import { type BatchOutcome, type Ending, outcomeOf, succeeded } from './batch-outcome.js'

export async function cancelTasks(
  { store, serverJobs, topology }: RunServices,
  { tasks }: Plan,
): Promise<BatchOutcome> {
  const chosen = frozenTasks(tasks[0]!)
  const upgrades = unfinishedUpgrades(store, chosen)
  const newest = upgrades.isEmpty ? undefined : store.get(upgrades.max)!.content
  if (newest?.type === 'upgradeDatabase') await serverJobs.undoUpgrade(newest)
  const uids = chosen.and(store.withStatus('enqueued')).or(upgrades)
  const canceled = [...uids.toArray()].map((uid) => store.get(uid)!).filter((task) => topology.canBeCanceled(task))
  const permits = newest === undefined ? 'everything' : 'nothing'
  return succeeded({ canceledTasks: canceled.length }, { canceled, permits })
}

/** Whoever cancels one cancels all, failed ones too (spec 2 §8.3). */
function unfinishedUpgrades(store: TaskStore, chosen: Bitmap): Bitmap {
  const upgrades = store.withType('upgradeDatabase')
  const unfinished = upgrades.and(store.withStatus('enqueued').or(store.withStatus('failed')))
  return chosen.intersects(unfinished) ? unfinished : Bitmap.empty()
}

export function deleteTasks({ store }: RunServices, { tasks }: Plan): BatchOutcome {
  const finished = Bitmap.orMany([
    store.withStatus('succeeded'),
    store.withStatus('failed'),
    store.withStatus('canceled'),
  ])
  const gone = Bitmap.empty()
  const endings = tasks.map((task): Ending => {
    const mine = frozenTasks(task).and(finished).andNot(gone)
    gone.orWith(mine)
    return { ok: true, results: { deletedTasks: mine.size } }
  })
  return outcomeOf(endings, { deleted: [...gone.toArray()].map((uid) => store.get(uid)!) })
}

/** The uids that a cancelation or deletion chose when it was registered. */
function frozenTasks({ content }: Task): Bitmap {
  if (content.type !== 'taskCancelation' && content.type !== 'taskDeletion') return Bitmap.empty()
  return Bitmap.deserialize(Buffer.from(content.tasks, 'base64'))
}
