import { availableParallelism } from 'node:os'
import { FailureError } from '../../errors/index.js'
import { type JobServices, type WordResources, WordThread } from '../../index/index.js'
import { parse } from '../../json/index.js'
import { parseFilter, selectDocuments } from '../../search/index.js'

/** What indexing borrows from the rooms above it. */
export const jobServices: JobServices = {
  selectByFilter(folder, { indexUid, filter }) {
    const value = parse(filter)
    if (!value.ok) throw new Error(`the filter of a task is not JSON: ${value.reason}`)
    const parsed = parseFilter(value.value, { code: 'invalid_document_filter', reading: 'once' })
    if (!parsed.ok) throw new FailureError(parsed.failure)
    if (parsed.value === undefined) return folder.docIds()
    const selected = selectDocuments({ indexUid, folder }, parsed.value)
    if (!selected.ok) throw new FailureError(selected.failure)
    return selected.value
  },
}

/** Beyond this more memory makes nothing faster. */
const MAX_WORD_BYTES = 64 << 20

/** The part of the memory for indexing that words may take before they are written. */
const WORD_SHARE = 1 / 16

/** What indexing may take of the machine. */
export interface IndexingLimits {
  readonly maxMemoryBytes: number
  readonly maxThreads: number
}

/** For the indexing thread, which gets a helper where it may have one and there is a second processor. */
export function wordResources({ maxMemoryBytes, maxThreads }: IndexingLimits): WordResources {
  const thread = Math.min(maxThreads, availableParallelism()) > 1 ? new WordThread() : undefined
  return { thread, maxBytes: Math.min(maxMemoryBytes * WORD_SHARE, MAX_WORD_BYTES) }
}
