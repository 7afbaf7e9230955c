import { FIRST_OWN_CELL } from '../../threads/index.js'
import type { CountChunk } from '../word-counts.js'

/** How the word thread has to work. Settings are encoded; without those before, they are the same as after. */
export interface WordWork {
  readonly before: Uint8Array | undefined
  readonly after: Uint8Array
  /** What was collected is handed over when it takes about this much memory. */
  readonly maxBytes: number
  /** Of a block of postings with its key. */
  readonly maxPairBytes: number
}

/** From the indexing thread to the word thread. `names` are fields that were registered since the last message. */
export type WordRequest =
  | { readonly kind: 'begin'; readonly work: WordWork; readonly names: readonly string[] }
  | { readonly kind: 'changes'; readonly names: readonly string[]; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }

/** From the word thread to the indexing thread: runs of counts and words in byte order, until `done`. */
export type WordReply =
  | { readonly kind: 'counts'; readonly chunks: readonly CountChunk[] }
  | { readonly kind: 'part'; readonly bytes: Uint8Array }
  | { readonly kind: 'endOfRun' }
  /** `names` are all fields, with those that were found in documents. */
  | { readonly kind: 'done'; readonly names: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string }

// Numbers in shared memory. They say how much of what was sent has been taken, and are equal to what was sent, modulo 2^32,
// when nothing is under way.
export const TAKEN_CHANGE_BYTES = FIRST_OWN_CELL
export const TAKEN_PARTS = FIRST_OWN_CELL + 1
export const OWN_CELLS = 2

/** Parts that may wait for the indexing thread. */
export const MAX_WAITING_PARTS = 2
