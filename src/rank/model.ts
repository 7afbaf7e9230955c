import type { Bitmap } from '../bitmap/index.js'
import type { LateFilter, SortKey } from '../match/index.js'
import type { Rule } from './bucket.js'
import type { PartFindings, PartSearch } from './collection/knowledge.js'
import type { ScoreDetail } from './score-detail.js'

/** What is to be ranked, checked and with its filter already made a set. */
export interface RankRequest {
  /** Null and blank text rank all documents. */
  readonly q: string | null
  /** Null when not given: then the settings decide. */
  readonly locales: readonly string[] | null
  readonly matchingStrategy: 'last' | 'all' | 'frequency'
  /** Field names as given, null for no restriction. */
  readonly attributesToSearchOn: readonly string[] | null
  readonly sort: readonly SortKey[]
  /** The attribute of which each value comes once, null for none. */
  readonly distinct: string | null
  /** Empty strings are one of its values: so it is where a request asks for it, but not by the settings (spec 6 §8). */
  readonly isEmptyDistinct?: boolean
  /** The documents the filter lets through, null for all. */
  readonly filter: Bitmap | null
  /** The same, to be found out; given instead of `filter`. */
  readonly lateFilter?: LateFilter | undefined
  /** What tells the filter from others; undefined when what it lets through does not depend on this index alone. */
  readonly filterKey?: string | undefined
  /** How many documents are wanted, from the first on. */
  readonly depth: number
  /** Totals must be exact: ranking does not stop early where that would change them (spec 6 §2.5). */
  readonly isExhaustive: boolean
  readonly threshold: number | null
  /** Nobody will look at the details of documents: those that need not be known for the order are left out. */
  readonly isOrderEnough?: boolean
  /** Nobody will ask which documents the candidates are: that they are counted is enough. */
  readonly isCountEnough?: boolean
  /** On the clock of `performance.now()`: after it, what is left is emitted unranked. */
  readonly deadline: number
  /** How many documents of a large bucket are looked at before the others, if not as many as usual. */
  readonly firstSlice?: number
  /** Up to how many documents are looked at one by one rather than split by stored sets, if not as many as usual. */
  readonly fewByDocument?: number
  /** Up to how many documents of a set are listed rather than kept as bits, if not as many as usual. */
  readonly mostListed?: number
  /** The size of the largest bucket of which positions are kept for all its parts, if not as large as usual. */
  readonly largestOrigin?: number
  /** Documents are ordered by what they mean: this rule takes the place of all that look at words (spec 7 §2.3). */
  readonly vectorRule?: Rule
  /** The index holds a part of a collection only. */
  readonly part?: PartSearch | undefined
}

/** Steps of ranking that are timed for those who ask. */
export type RankStep = 'tokenize query' | 'evaluate query'

export interface RankTimer {
  measure<T>(step: RankStep, work: () => T): T
}

export interface RankedDocument {
  readonly docId: number
  readonly details: readonly ScoreDetail[]
}

/** Words that a term of the query may stand for, as the highlighter looks for them (spec 5 §6.2). */
export interface WordEntry {
  readonly words: readonly string[]
  readonly isPrefix: boolean
  /** Characters of the word as typed. */
  readonly length: number
  /** Positions of the query that it stands for. */
  readonly ids: readonly number[]
}

export interface PhraseEntry {
  /** Null stands for a stop word, which nothing equals. */
  readonly words: readonly (string | null)[]
  readonly ids: readonly number[]
}

/** What the query looks for in a text, in the order of spec 5 §6.2. */
export interface MatchTerms {
  readonly words: readonly WordEntry[]
  readonly phrases: readonly PhraseEntry[]
}

export interface Ranking {
  /** At most `depth`. */
  readonly documents: readonly RankedDocument[]
  /** How many documents totals count (spec 6 §2.5). */
  readonly candidateCount: number
  /** The documents that totals and facets count. Not to be asked for where their count was said to be enough. */
  readonly candidates: () => Bitmap
  /** Undefined when there is nothing to look for. */
  readonly terms: MatchTerms | undefined
  readonly isDegraded: boolean
  /** Names it among the rankings of one version of the index; undefined when nobody else will be given it. */
  readonly key?: string
  /** Of an index that holds a part of a collection, where words were looked for. */
  readonly findings?: PartFindings | undefined
  /** And where each value of an attribute comes once: documents that were taken beyond `depth`, of the last bucket. */
  readonly tied?: readonly RankedDocument[] | undefined
}
