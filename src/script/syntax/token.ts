import type { At } from '../problem.js'
import type { Value } from '../value.js'

/** A back-tick string is a `template` up to its first `${`; after each `}` that ends one comes a `continuation`. */
export type TokenKind = 'word' | 'keyword' | 'symbol' | 'literal' | 'template' | 'continuation' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** The word or symbol; the text of a piece of a back-tick string; empty for literals and the end. */
  readonly text: string
  readonly at: At
  /** Only of literals. */
  readonly value: Value
  /** Only of pieces of a back-tick string: its end follows this piece, rather than `${`. */
  readonly isLast: boolean
}

/** Words that name no variable and no script function (spec 3 §6.2). */
export const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'let const if else switch while loop do until for in break continue return throw try catch fn private this true ' +
    'false is_def_var is_def_fn is_shared type_of call curry eval print debug Fn global'
  ).split(' '),
)

/** Keywords that are called like functions. */
export const FUNCTION_KEYWORDS: ReadonlySet<string> = new Set(
  'is_def_var is_def_fn is_shared type_of call curry print debug Fn'.split(' '),
)

export const SYMBOLS: ReadonlySet<string> = new Set(
  (
    '( ) [ ] { } #{ , ; : . .. ..= ?. ?[ ?? = == != ! => < <= << <<= > >= >> >>= ' +
    '+ += - -= * *= ** **= / /= % %= & && &= | || |= ^ ^='
  ).split(' '),
)

export const LONGEST_SYMBOL = 3
