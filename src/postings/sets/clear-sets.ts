import type { IndexFolder } from '../../folder/index.js'
import { forgetChoice, hasSets, isChoiceKey } from './frequent-terms.js'
import { forgetStale, isStaleKey } from './stale-docs.js'

/** The index keeps no sets any more. */
export function clearSets(folder: IndexFolder): void {
  if (!hasSets(folder)) return
  forgetChoice(folder)
  forgetStale(folder)
  folder.databases.termSets.clear()
}

/** Whether an entry of `main` belongs to the sets. */
export function isOfSets(key: Uint8Array): boolean {
  return isChoiceKey(key) || isStaleKey(key)
}
