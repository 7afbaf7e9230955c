import type { TypoTolerance } from '../../settings/index.js'
import { MAX_WORD_BYTES } from '../../text/index.js'
import type { Phrase } from '../terms/phrase.js'
import type { Term } from './parse-query.js'

/** What a node of the query graph stands for: a word, a quoted phrase, or two or three words glued together. */
export interface QueryTerm {
  /** Ids of the terms of the query that it covers. */
  readonly firstId: number
  readonly lastId: number
  /** Positions of the query that it covers. */
  readonly firstPosition: number
  readonly lastPosition: number
  /** How many terms are glued: 1 for a word or a phrase. */
  readonly size: number
  /** The quoted phrase, null for words. */
  readonly phrase: Phrase | null
  /** The words that are glued; one for a single word, none for a phrase. */
  readonly parts: readonly string[]
  readonly word: string
  readonly isPrefix: boolean
  /** How many typos its derivations may have. */
  readonly typos: 0 | 1 | 2
}

const MAX_GLUED = 3

/** Terms and n-grams in graph order: at each term the single one, then the n-grams that end there (spec 5 §4.8). */
export function termsWithNgrams(terms: readonly Term[], tolerance: TypoTolerance): QueryTerm[] {
  const nodes: QueryTerm[] = []
  for (const [i, term] of terms.entries()) {
    nodes.push(term.kind === 'phrase' ? phraseTerm(term, i) : wordTerm([term], i, tolerance))
    for (let size = 2; size <= MAX_GLUED; size++) {
      const words = gluable(terms, i, size)
      if (words !== undefined) nodes.push(wordTerm(words, i, tolerance))
    }
  }
  return nodes
}

type Word = Extract<Term, { kind: 'word' }>

/** The `size` words that end at `last`, when they may be glued. */
function gluable(terms: readonly Term[], last: number, size: number): Word[] | undefined {
  if (last - size + 1 < 0) return undefined
  const words: Word[] = []
  let bytes = 0
  for (let i = last - size + 1; i <= last; i++) {
    const term = terms[i]!
    if (term.kind !== 'word') return undefined
    const before = words.at(-1)
    if (before !== undefined && before.position + 1 !== term.position) return undefined
    bytes += Buffer.byteLength(term.word)
    words.push(term)
  }
  return bytes <= MAX_WORD_BYTES ? words : undefined
}

function phraseTerm(term: Extract<Term, { kind: 'phrase' }>, id: number): QueryTerm {
  const { words: phrase, first, last } = term
  return {
    firstId: id,
    lastId: id,
    firstPosition: first,
    lastPosition: last,
    size: 1,
    phrase,
    parts: [],
    word: '',
    isPrefix: false,
    typos: 0,
  }
}

function wordTerm(words: readonly Word[], lastId: number, tolerance: TypoTolerance): QueryTerm {
  const word = words.map((term) => term.word).join('')
  const size = words.length
  return {
    firstId: lastId - size + 1,
    lastId,
    firstPosition: words[0]!.position,
    lastPosition: words.at(-1)!.position,
    size,
    phrase: null,
    parts: words.map((term) => term.word),
    word,
    isPrefix: words.at(-1)!.isPrefix && Buffer.byteLength(word) <= MAX_WORD_BYTES,
    typos: Math.max(0, allowedTypos(word, tolerance) - (size - 1)) as 0 | 1 | 2,
  }
}

/** Spec 5 §4.1. */
export function allowedTypos(word: string, tolerance: TypoTolerance): 0 | 1 | 2 {
  const { enabled, oneTypo, twoTypos, disableOnWords } = tolerance
  const length = countCharacters(word)
  if (!enabled || length < oneTypo || disableOnWords.includes(word)) return 0
  return length < twoTypos ? 1 : 2
}

export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
