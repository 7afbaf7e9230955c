import type { IndexFolder } from '../../folder/index.js'
import { forgetChoice, hasSets } from './frequent-terms.js'
import { forgetStale } from './stale-docs.js'

/** The index keeps no sets any more. */
export function clearSets(folder: IndexFolder): void {
  if (!hasSets(folder)) return
  forgetChoice(folder)
  forgetStale(folder)
  folder.databases.termSets.clear()
}
