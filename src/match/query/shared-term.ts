import type { Phrase } from '../terms/phrase.js'

/**
 * What a whole collection says about a term, told to an index that holds a part of it. Limits on how many words may stand
 * for a term, and the choice among ways to split it, depend on documents that are elsewhere.
 */
export interface SharedTerm {
  /** Some document has the word as typed. */
  readonly isKnown: boolean
  /** So many words of the collection begin with it that they are not told apart. */
  readonly isCachedPrefix: boolean
  /** Words behind this one, in byte order, complete it no more; null where all do. */
  readonly lastCompletion: string | null
  readonly oneTypo: readonly string[]
  readonly twoTypos: readonly string[]
  /** How it is split, if it is; undefined while nobody knows: then as this index would do it. */
  readonly split: Phrase | null | undefined
}
