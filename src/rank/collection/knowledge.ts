import type { Bitmap } from '../../bitmap/index.js'
import type { Phrase, SharedTerm, SplitCount } from '../../match/index.js'

/**
 * What ranking has to know of a collection whose documents lie in several indexes, so that each of them ranks its own as
 * one index with all documents would. Plain data: it travels between servers.
 */
export interface CollectionKnowledge {
  /** That the query may be in, by the fields that any of the indexes has; null for any. */
  readonly languages: readonly string[] | null
  /** Null as long as the query was read in other languages. */
  readonly terms: readonly KnownTerm[] | null
  /** Of the words of the query, how many documents have each; null where the order of words does not go by that. */
  readonly frequencies: readonly number[] | null
  readonly paths: PathsOfBuckets
}

/** A search of an index that holds a part of a collection: what it finds out about the query is told. */
export interface PartSearch {
  /** Null as long as nobody has told anything. */
  readonly knowledge: CollectionKnowledge | null
  /** The documents that are the part, where the index has others too, for which another index answers; null for all. */
  documents(): Bitmap | null
  /** Where each value of an attribute comes once, as soon as something is known of the other parts. */
  readonly distinct?: PartDistinct | undefined
}

export interface PartDistinct {
  /** Documents of other parts have these values. */
  readonly taken: readonly (number | string)[]
  /** As many documents as are asked for are taken, and none beyond: what is left over is counted. */
  readonly isSettled: boolean
}

export interface KnownTerm extends SharedTerm {
  /** As of `termKey`. */
  readonly key: string
  /** All ways to split it shall be counted: those who have it do not agree which is the best. */
  readonly isSplitCounted: boolean
}

/** By the costs of a bucket, the ways through the query that its documents take: see `PathExchange`. */
export type PathsOfBuckets = ReadonlyMap<string, readonly string[]>

export const NO_PATHS: PathsOfBuckets = new Map()

/** What one of the indexes found out about a query. Plain data as well. */
export interface PartFindings {
  /** That the query may be in, by the fields of this index; null for any. */
  readonly languages: readonly string[] | null
  /** In the order of the terms, n-grams among them; none where all was known before. */
  readonly terms: readonly TermFindings[]
  readonly frequencies: readonly number[] | null
  readonly paths: PathsOfBuckets
  /** Some document that was found is the query, or begins with it. */
  readonly hasExactAttributes: boolean
}

/** What the words of one index say about a term. */
export interface TermFindings {
  /** As of `termKey`: it begins with the typos that are allowed. */
  readonly key: string
  readonly isKnown: boolean
  readonly isCachedPrefix: boolean
  /** Words that begin with it; none where the prefix is cached. */
  readonly completions: readonly string[]
  /** Those of them that count for the cache, itself among them; null where all do. */
  readonly tolerant: readonly string[] | null
  readonly oneTypo: readonly string[]
  readonly twoTypos: readonly string[]
  /** Words may be near that are not listed here, since they stand only where typos are not tolerated. */
  readonly mayHaveMore: boolean
  /** The best way to split it. */
  readonly split: Phrase | null
  /** All ways; null unless somebody wants to know. */
  readonly splits: readonly SplitCount[] | null
}
