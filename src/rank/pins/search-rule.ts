import type { Timestamp } from '../../time/index.js'

/** A rule that puts documents at fixed places of searches (spec 8 §4.2). Plain data: it travels to threads. */
export interface SearchRule {
  readonly uid: string
  readonly description: string | null
  /** The smaller goes first; null goes last. */
  readonly priority: number | null
  readonly active: boolean
  readonly conditions: readonly RuleCondition[]
  readonly actions: readonly RuleAction[]
}

export type RuleCondition =
  | { readonly scope: 'query'; readonly isEmpty: boolean }
  | { readonly scope: 'query'; readonly contains: string }
  | { readonly scope: 'time'; readonly start: RuleTime | null; readonly end: RuleTime | null }

export interface RuleTime {
  readonly at: Timestamp
  /** As it was sent, as far as the offset goes. */
  readonly text: string
}

/** Pins a document. Without an index it counts for every index, without an id it pins nothing. */
export interface RuleAction {
  readonly indexUid: string | null
  readonly id: string | null
  readonly position: number
}
