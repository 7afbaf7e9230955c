import { type IndexFolder, readSettings } from '../../folder/index.js'
import type { PrefixNeeds } from '../../postings/index.js'

/** What decides what a large index keeps of its frequent words and prefixes. */
export function frequentNeeds(
  folder: IndexFolder,
  documentCount: number,
  isCancelled: () => boolean,
): Pick<PrefixNeeds, 'documentCount' | 'isPrefixSearched' | 'isCancelled'> {
  const isPrefixSearched = () => readSettings(folder).prefixSearch === 'indexingTime'
  return { documentCount, isPrefixSearched, isCancelled }
}
