import type { MatchTerms, PhraseEntry, WordEntry } from '../../rank/index.js'
import { originalEnd, type Token } from '../../text/index.js'
import { TextFilter } from './text-filter.js'
import { isWord, type MatchedTerm, type TextMatch } from './text-match.js'
import { type Prefix, WordPrefixes } from './word-prefixes.js'

export interface Phrase {
  readonly words: readonly string[]
  readonly term: MatchedTerm
}

/** A text, its tokens, and which of them are words. */
interface CutText {
  readonly text: string
  readonly tokens: readonly Token[]
  /** Indexes of the tokens that are words. */
  readonly words: readonly number[]
}

/** Finds in texts what a query looks for (spec 5 §6.2, §6.3). Prepared once for a search. */
export class TermMatcher {
  private readonly phrases: ReadonlyMap<string, readonly Phrase[]>
  private readonly wholeWords: ReadonlyMap<string, MatchedTerm>
  private readonly prefixes: WordPrefixes
  private readonly filter: TextFilter
  private readonly lists: readonly (readonly string[])[]
  private readonly phraseWords: ReadonlySet<string>

  constructor({ words, phrases }: MatchTerms) {
    this.lists = words.map((entry) => entry.words)
    const entries = words.toSorted((a, b) => b.ids.length - a.ids.length)
    this.phrases = phrasesByFirstWord(phrases)
    this.wholeWords = termsByWord(entries.filter(({ isPrefix }) => !isPrefix))
    this.prefixes = new WordPrefixes(
      entries.filter(({ isPrefix }) => isPrefix).map((entry) => ({ entry, term: matchedTerm(entry.ids) })),
    )
    this.phraseWords = new Set([...this.phrases.values()].flat().flatMap((phrase) => phrase.words))
    this.filter = new TextFilter([[...this.phrases.keys()], ...this.lists])
  }

  /** False only when nothing in the text matches: see `TextFilter.mayMatch`. */
  mayMatch(text: string): boolean {
    return this.filter.mayMatch(text)
  }

  /** Whether a normalized word is one of those looked for, and if it is none, the one that it begins with. */
  meaningOf(lemma: string): { readonly isWhole: boolean; readonly prefix: Prefix | undefined } {
    const isWhole = this.wholeWords.has(lemma)
    return { isWhole, prefix: isWhole ? undefined : this.prefixes.find(lemma) }
  }

  /** All words that are looked for, whole, as a beginning, or in a phrase. */
  wantedWords(): Iterable<string>[] {
    return [...this.lists, this.phraseWords]
  }

  isInPhrase(lemma: string): boolean {
    return this.phraseWords.has(lemma)
  }

  phrasesFrom(lemma: string): readonly Phrase[] | undefined {
    return this.phrases.get(lemma)
  }

  /** From left to right, at each word the phrases before the words; a match is not looked into again. */
  find(text: string, tokens: readonly Token[]): TextMatch[] {
    const cut = { text, tokens, words: wordIndexes(tokens) }
    const matches: TextMatch[] = []
    for (let position = 0; position < cut.words.length; position++) {
      const match = this.phraseAt(cut, position) ?? this.wordAt(cut, position)
      if (match === undefined) continue
      matches.push(match)
      position = match.lastWord
    }
    return matches
  }

  private phraseAt(cut: CutText, position: number): TextMatch | undefined {
    if (this.phrases.size === 0) return undefined
    const { tokens, words } = cut
    const phrase = this.phrases.get(tokens[words[position]!]!.lemma)?.find((known) => isPhraseAt(known, cut, position))
    if (phrase === undefined) return undefined
    const lastWord = position + phrase.words.length - 1
    const firstToken = words[position]!
    const lastToken = words[lastWord]!
    const { start } = tokens[firstToken]!
    const { end } = tokens[lastToken]!
    return { term: phrase.term, firstToken, lastToken, firstWord: position, lastWord, start, end }
  }

  private wordAt({ text, tokens, words }: CutText, position: number): TextMatch | undefined {
    const index = words[position]!
    const token = tokens[index]!
    const whole = this.wholeWords.get(token.lemma)
    const prefix = whole === undefined ? this.prefixes.find(token.lemma) : undefined
    const term = whole ?? prefix?.term
    if (term === undefined) return undefined
    const end = prefix === undefined ? token.end : prefixEnd(text, token, prefix)
    const { start } = token
    return { term, firstToken: index, lastToken: index, firstWord: position, lastWord: position, start, end }
  }
}

function wordIndexes(tokens: readonly Token[]): number[] {
  const indexes: number[] = []
  for (let i = 0; i < tokens.length; i++) if (isWord(tokens[i]!)) indexes.push(i)
  return indexes
}

/** Whatever separators stand between its words. The first word is known to be there. */
function isPhraseAt({ words: wanted }: Phrase, { tokens, words }: CutText, position: number): boolean {
  if (position + wanted.length > words.length) return false
  for (let i = 1; i < wanted.length; i++) if (tokens[words[position + i]!]!.lemma !== wanted[i]) return false
  return true
}

function prefixEnd(text: string, token: Token, { characters }: Prefix): number {
  const length = token.end - token.start
  const isAscii = token.byteEnd - token.byteStart === length
  if (isAscii && token.lemma.length === length) return token.start + characters
  return originalEnd(text, token, characters)
}

const matchedTerm = (ids: readonly number[]): MatchedTerm => ({ ids, smallestId: Math.min(...ids) })

/** A stop word equals nothing, so a phrase with one is never found (spec 5 §6.3). */
function phrasesByFirstWord(entries: readonly PhraseEntry[]): Map<string, Phrase[]> {
  const phrases = new Map<string, Phrase[]>()
  for (const { words, ids } of entries) {
    const first = words[0]
    if (first === undefined || first === null || !isWithoutStopWord(words)) continue
    const phrase = { words, term: matchedTerm(ids) }
    const known = phrases.get(first)
    if (known === undefined) phrases.set(first, [phrase])
    else known.push(phrase)
  }
  return phrases
}

const isWithoutStopWord = (words: readonly (string | null)[]): words is readonly string[] => !words.includes(null)

function termsByWord(entries: readonly WordEntry[]): Map<string, MatchedTerm> {
  const terms = new Map<string, MatchedTerm>()
  for (const { words, ids } of entries) {
    const term = matchedTerm(ids)
    for (const word of words) if (!terms.has(word)) terms.set(word, term)
  }
  return terms
}
