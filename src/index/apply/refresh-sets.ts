import type { IndexFolder } from '../../folder/index.js'
import { followSets } from '../../postings/index.js'
import { type IndexStats, indexStats } from '../index-stats.js'
import { frequentNeeds } from '../sets/frequent-needs.js'
import { areSetsDue } from '../sets/sets-due.js'
import { writeInSlices } from './write-in-slices.js'

/** Some 65,000 documents: a few seconds, in which other batches wait unless they stop it. */
const RANGES_AT_A_TIME = 4

/**
 * Renews what an index keeps of its frequent words, in a transaction of its own, or a part of it. Answers what is known of
 * the index then, such as whether more is left to do. Throws `JobCancelled` when it was stopped: the index is as before.
 */
export function refreshSets(folder: IndexFolder, isCancelled: () => boolean): IndexStats {
  if (areSetsDue(folder)) {
    const { documentCount = 0 } = folder.meta() ?? {}
    const needs = { ...frequentNeeds(folder, documentCount, isCancelled), maxRanges: RANGES_AT_A_TIME }
    writeInSlices(folder, () => followSets(folder, needs))
    folder.environment.forgetFreePages()
  }
  return indexStats(folder)
}
