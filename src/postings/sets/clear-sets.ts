import type { IndexFolder } from '../../folder/index.js'
import { forgetChoice, hasSets } from './frequent-terms.js'
import { forgetUnsettled } from './unsettled.js'

/** The index keeps no sets any more. */
export function clearSets(folder: IndexFolder): void {
  if (!hasSets(folder)) return
  forgetChoice(folder)
  forgetUnsettled(folder)
  folder.databases.termSets.clear()
}
