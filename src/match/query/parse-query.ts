import type { Token } from '../../text/index.js'
import type { Phrase } from '../terms/phrase.js'

/** One unit of a query: a word, or a quoted phrase (spec 5 §3). */
export type Term =
  | { readonly kind: 'word'; readonly word: string; readonly position: number; readonly isPrefix: boolean }
  | { readonly kind: 'phrase'; readonly words: Phrase; readonly first: number; readonly last: number }

export interface ParsedQuery {
  readonly terms: readonly Term[]
  readonly negativeWords: readonly string[]
  readonly negativePhrases: readonly Phrase[]
}

/** Tokens of a query that are read, separators included. */
export const MAX_QUERY_TOKENS = 1000
const MAX_TERMS = 10

/** Added to the position by a hard separator, so that the next word is eight away. */
const HARD_GAP = 7
const POSITION_MASK = 0xffff

/** Reads the tokens of a query from left to right (spec 5 §3.3). */
export function parseQuery(tokens: readonly Token[], isPrefixSearch: boolean): ParsedQuery {
  return new QueryReader(tokens, isPrefixSearch).read()
}

interface OpenPhrase {
  readonly words: (string | null)[]
  readonly isNegative: boolean
  hasWord: boolean
  /** Positions of the first real word and of the last entry. */
  first: number
  last: number
}

class QueryReader {
  private readonly terms: Term[] = []
  private readonly negativeWords: string[] = []
  private readonly negativePhrases: Phrase[] = []
  // So that the first word gets 0.
  private position = POSITION_MASK
  private phrase: OpenPhrase | undefined
  private isNextNegative = false
  private isAfterSpace = true

  constructor(
    private readonly tokens: readonly Token[],
    private readonly isPrefixSearch: boolean,
  ) {}

  read(): ParsedQuery {
    for (const [i, token] of this.tokens.entries()) {
      if (token.lemma === '') continue
      if (this.terms.length >= MAX_TERMS) {
        this.phrase = undefined
        break
      }
      if (token.kind === 'word' || token.kind === 'stopWord') this.word(token, i === this.tokens.length - 1)
      else this.separator(token)
      this.isAfterSpace = /\s$/u.test(token.lemma)
    }
    this.closePhrase()
    const { terms, negativeWords, negativePhrases } = this
    return { terms, negativeWords, negativePhrases }
  }

  private word(token: Token, isLast: boolean): void {
    this.position = (this.position + 1) & POSITION_MASK
    const word = token.lemma.trim()
    if (this.phrase !== undefined) this.addToPhrase(this.phrase, token.kind === 'stopWord' ? null : word)
    else if (this.isNextNegative) {
      this.negativeWords.push(word)
      this.isNextNegative = false
    } else if (isLast || token.kind === 'word') {
      const isPrefix = isLast && this.isPrefixSearch
      this.terms.push({ kind: 'word', word, position: this.position, isPrefix })
    }
  }

  private addToPhrase(phrase: OpenPhrase, word: string | null): void {
    if (word !== null && !phrase.hasWord) phrase.first = this.position
    if (word !== null) phrase.hasWord = true
    phrase.last = this.position
    phrase.words.push(word)
  }

  private separator(token: Token): void {
    if (token.kind === 'hardSeparator') {
      this.position = (this.position + HARD_GAP) & POSITION_MASK
      if (this.phrase !== undefined) this.splitPhrase(this.phrase)
    }
    let quotes = countQuotes(token.lemma)
    if (quotes > 0) {
      if (this.phrase !== undefined) {
        this.closePhrase()
        quotes--
      }
      if (quotes % 2 === 1) this.openPhrase(this.isNextNegative)
    }
    this.isNextNegative = this.phrase === undefined && token.lemma === '-' && this.isAfterSpace
  }

  private splitPhrase({ isNegative }: OpenPhrase): void {
    this.closePhrase()
    this.openPhrase(isNegative)
  }

  private openPhrase(isNegative: boolean): void {
    this.phrase = { words: [], isNegative, hasWord: false, first: 0, last: 0 }
  }

  private closePhrase(): void {
    const { phrase } = this
    this.phrase = undefined
    if (!phrase?.hasWord) return
    if (phrase.isNegative) this.negativePhrases.push(phrase.words)
    else this.terms.push({ kind: 'phrase', words: phrase.words, first: phrase.first, last: phrase.last })
  }
}

function countQuotes(text: string): number {
  let count = 0
  for (let i = text.indexOf('"'); i !== -1; i = text.indexOf('"', i + 1)) count++
  return count
}
