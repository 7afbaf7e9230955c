import type { IndexFolder } from '../../folder/index.js'
import { isRefreshDue } from '../../postings/index.js'
import { frequentNeeds } from './frequent-needs.js'

/** Whether sets of frequent words have to be made or renewed: see `refreshSets`. */
export function areSetsDue(folder: IndexFolder): boolean {
  const { documentCount = 0 } = folder.meta() ?? {}
  return isRefreshDue(
    folder,
    frequentNeeds(folder, documentCount, () => false),
  )
}
