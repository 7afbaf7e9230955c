import { type IndexFolder, readSettings } from '../../folder/index.js'

/** What decides what a large index keeps of its frequent words and prefixes. */
export function frequentNeeds(folder: IndexFolder): {
  readonly documentCount: number
  readonly isPrefixSearched: () => boolean
} {
  return {
    documentCount: folder.meta()?.documentCount ?? 0,
    isPrefixSearched: () => readSettings(folder).prefixSearch === 'indexingTime',
  }
}
