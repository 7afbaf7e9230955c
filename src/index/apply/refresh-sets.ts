import type { IndexFolder } from '../../folder/index.js'
import { chooseIfOutgrown, refreshSteps } from '../../postings/index.js'
import { type IndexStats, indexStats } from '../index-stats.js'
import { frequentNeeds } from '../sets/frequent-needs.js'
import { areSetsDue } from '../sets/sets-due.js'
import { maintainInSlices } from './in-slices.js'

/**
 * Renews what an index keeps of its frequent words, or a part of it, in some transactions. Answers what is known of the index
 * then, such as whether more is left to do. Throws `JobCancelled` when it was stopped: what was written by then stays.
 */
export function refreshSets(folder: IndexFolder, isCancelled: () => boolean): IndexStats {
  if (areSetsDue(folder)) {
    const { documentCount = 0 } = folder.meta() ?? {}
    const needs = frequentNeeds(folder, documentCount, isCancelled)
    maintainInSlices(folder, () => chooseIfOutgrown(folder, needs))
    for (const step of refreshSteps(folder, needs)) {
      maintainInSlices(folder, step)
      folder.environment.forgetFreePages()
    }
  }
  return indexStats(folder)
}
