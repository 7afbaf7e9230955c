import { availableParallelism } from 'node:os'
import type { JobServices, WordResources } from '../../index/index.js'
import { selectByFilter } from '../../match/index.js'
import { WordThread } from '../../postings/index.js'

/** What indexing borrows from the rooms above it. */
export const jobServices: JobServices = { selectByFilter }

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
  return { thread, sets: 'later', maxBytes: Math.min(maxMemoryBytes * WORD_SHARE, MAX_WORD_BYTES) }
}
