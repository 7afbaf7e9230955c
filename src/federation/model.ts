import type { ScoreValue } from '../engine/index.js'
import type { Result } from '../errors/index.js'

/** The place of a document among others. */
export interface Scored {
  readonly values: readonly ScoreValue[]
  /** `weightedRankingScore` */
  readonly score: number
  /** Of equals the one of the earlier query comes first. */
  readonly queryPosition: number
  /** Of documents of one index that lie on several servers: which of equals came first. */
  readonly arrival?: number | undefined
}

/** Values as distinct and facets compare them: numbers and normalized strings. */
export type FacetKeys = readonly (number | string)[]

/** A hit that a rule puts at a place of the final list (spec 8 §4.6). */
export interface Pinned {
  readonly position: number
  readonly hit: FederatedHit
}

/** A document that totals and facets count. */
export interface CountedDocument {
  readonly indexUid: string
  readonly queryPosition: number
  /** What the document has in an attribute, shown or not. */
  keysOf(attribute: string): FacetKeys
  /** What the hit shows of it. */
  shownKeysOf(attribute: string): FacetKeys
}

/** A hit of any query, here or on another server. */
export interface FederatedHit extends Scored, CountedDocument {
  /** The place that a rule gives it; undefined for a hit that was found. */
  readonly pinnedPosition: number | undefined
  /** The whole hit as JSON. */
  print(): string
  /** What it shows of its document, as JSON. */
  document(): string
  /** What a language model reads of it. */
  chatText(): Result<string>
}

/** Similarity of meaning had a part in its place. */
export const isSemantic = ({ values }: Scored): boolean => values.some(({ kind }) => kind === 'vector')
