import type { DenseDocSet } from '../bitmap/index.js'

/** Where one word stands: its documents and, for each of them, the positions. Arrays are shared: nobody changes them. */
export interface Postings {
  /** Ascending. */
  readonly docIds: Uint32Array
  /** One longer than `docIds`: the positions of the i-th document are those from `starts[i]` up to `starts[i + 1]`. */
  readonly starts: Uint32Array
  /** Field number times 65,536 plus position, ascending within a document. */
  readonly positions: Uint32Array
}

/** Documents, as a list or as a set: whichever is asked for may have to be made. */
export interface DocIdSource {
  /** Ascending. */
  readonly docIds: Uint32Array
  /** Of documents. */
  readonly count: number
  /** The set has room for them. */
  addTo(docs: DenseDocSet): void
}

/** Postings of a word, or of several as if they were one, whose positions are read when they are asked for. */
export interface WordPostings extends Postings, DocIdSource {
  /**
   * What is said of these documents, ascending, and maybe of others: where they are few, not all positions are read. The
   * documents that it speaks of are some of its own.
   */
  within(docIds: Uint32Array): Postings
  /**
   * Everything in pieces, for whoever looks at each position once: in no order, and with a document in as many pieces as
   * may be. The arrays of a piece are good until the next one, and may be longer than it is.
   */
  eachPiece(visit: (piece: PostingsPiece) => void, which: WhichPositions): void
  /** So long that its positions are read each time they are asked for. */
  readonly isLong: boolean
}

/** All positions, or at least those that come first in their field of a document. */
export type WhichPositions = 'all' | 'firsts'

export interface PostingsPiece extends Postings {
  readonly count: number
}

/** Words that are one or two typos away from a word, each list in byte order. */
export interface NearWords {
  readonly one: readonly string[]
  readonly two: readonly string[]
}

export interface NearSearch {
  readonly word: string
  /** How many typos are allowed. */
  readonly typos: 1 | 2
  /** The word is the prefix of what is looked for. */
  readonly isPrefix: boolean
  /** Words that occur only where typos are not tolerated are passed over, and do not count for the limits. */
  readonly isTolerant: (word: string) => boolean
}

/** The sorted words of an index (byte order). */
export interface Dictionary {
  readonly size: number
  has(word: string): boolean
  /** The words that begin so, in byte order, at most `limit` of them. */
  startingWith(prefix: string, limit: number): string[]
  /** How many words begin so. */
  countStartingWith(prefix: string): number
  /** By the rules, the order and the limits of spec 5 §4.2-4.4. */
  near(search: NearSearch): NearWords
}

/** All words that begin alike, as if they were one word. */
export interface PrefixPostings {
  readonly postings: WordPostings
  /** The prefix itself, where it is a word, is among them. Otherwise they are those that are longer. */
  readonly hasWord: boolean
}

/** Which documents have frequent words and prefixes where. Sets may also have documents that are gone. */
export interface TermSets {
  /** Small indexes have none. */
  readonly isKept: boolean
  /** Documents that the sets do not speak of, ascending, and maybe some that are gone. */
  readonly stale: Uint32Array
  /** Those of them that a set of documents below `limit` has room for. */
  staleBelow(limit: number): Uint32Array
  /** The number of a frequent word. */
  wordTerm(word: string): number | undefined
  prefixTerm(prefix: string): number | undefined
  /** Pairs of terms that hardly ever meet are not kept. */
  hasPairs(left: number, right: number): boolean
  /** Adds documents with a term in a field. */
  addField(term: number, field: number, docs: DenseDocSet): void
  /** The same at a coarse position of any field, by its step. */
  addStep(term: number, step: number, docs: DenseDocSet): void
  /** The same of documents in which the least distance at which `right` follows `left` is this one, from 1 to 3. */
  addPair(left: number, right: number, distance: number, docs: DenseDocSet): void
}

/** The words of one index as of the last `refresh`. What it hands out stays valid until the next one. */
export interface WordIndex {
  readonly dictionary: Dictionary
  /** Undefined for a word that no document has. */
  postings(word: string): WordPostings | undefined
  prefixPostings(prefix: string): PrefixPostings
  /** Indexed words in a field of a document: 0 when there is none, at most 31, which means "more than 30". */
  wordCount(docId: number, fieldId: number): number
  /** Which documents have frequent words where. */
  readonly sets: TermSets
}
