import type { Token } from '../../text/index.js'

/** A part of the query that was found in a text. */
export interface MatchedTerm {
  /** Positions of the query that it stands for. */
  readonly ids: readonly number[]
  readonly smallestId: number
}

/** A match in a text that was cut into tokens: a word, its prefix, or several words in a row. */
export interface TextMatch {
  readonly term: MatchedTerm
  /** Indexes of its tokens. */
  readonly firstToken: number
  readonly lastToken: number
  /** Word positions: the tokens that are no separators, counted from 0 (spec 5 §6.3). */
  readonly firstWord: number
  readonly lastWord: number
  /** Of the matched characters, in UTF-16 units of the text. */
  readonly start: number
  readonly end: number
}

/** A text, its tokens, and what was found in it, in the order of the text. */
export interface FoundText {
  readonly tokens: readonly Token[]
  readonly matches: readonly TextMatch[]
}

export const wordCount = ({ firstWord, lastWord }: TextMatch): number => lastWord - firstWord + 1

/** Whether a token is counted and compared. Stop words are; one whose lemma is empty is not (spec 5 §1.7). */
export const isWord = ({ kind }: Token): boolean => kind === 'word' || kind === 'stopWord'
