import { type IndexFolder, VERSIONS } from '../../folder/index.js'
import { isOfSets } from '../../postings/index.js'
import type { LeavesOut } from '../../store/index.js'

/**
 * What two folders with the same batches need not have in common, since it depends on when a server had time for it:
 *
 * - `termSets`, and in `main` the terms that they are about and the documents they do not speak of: `refreshSets` renews
 *   them when there is nothing else to do, as far as it gets. Answers are the same with old sets and with new ones.
 * - `version` in `main`: it also counts those renewals. The version of the content, which is the other part of it, is in
 *   what batches write.
 */
export const leaveLocalOut: LeavesOut = (database) => {
  if (database === 'termSets') return 'everything'
  return database === 'main' ? isLocal : undefined
}

const isLocal = (key: Uint8Array): boolean => VERSIONS.equals(key) || isOfSets(key)

/**
 * What all of an index comes to, but for what is local to a server: the same for two folders to which the same batches
 * were applied. Reads every entry.
 */
export function folderDigest(folder: IndexFolder): string {
  folder.environment.refresh()
  return folder.environment.sumOfEntries(leaveLocalOut).toString()
}
