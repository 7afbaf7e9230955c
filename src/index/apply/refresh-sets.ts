import type { IndexFolder } from '../../folder/index.js'
import { followSets, isSettlingDue } from '../../postings/index.js'
import { frequentNeeds } from './frequent-needs.js'

/** Some 65,000 documents: a second or two, in which other batches wait unless they stop it. */
const RANGES_AT_A_TIME = 4

/**
 * Renews what an index keeps of its frequent words, in a transaction of its own, or a part of it. Answers whether more is
 * left to do. Throws `JobCancelled` when it was stopped: the index is as before then.
 */
export function settleFolder(folder: IndexFolder, isCancelled: () => boolean): boolean {
  const { documentCount = 0 } = folder.meta() ?? {}
  const needs = { ...frequentNeeds(folder, documentCount, isCancelled), maxRanges: RANGES_AT_A_TIME }
  if (!isSettlingDue(folder, needs)) return false
  folder.write(() => followSets(folder, needs))
  folder.environment.forgetFreePages()
  return isSettlingDue(folder, needs)
}
