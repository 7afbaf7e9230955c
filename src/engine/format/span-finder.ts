import {
  type AllowedLanguages,
  type Analyzer,
  type FoundWord,
  type WantedWords,
  WordBeginnings,
} from '../../text/index.js'
import type { Phrase, TermMatcher } from './term-matcher.js'

/** What is put between tags, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What a normalized word of a text means for a query. */
interface KnownWord {
  readonly length: number
  /** How much of it matches, in characters: `WHOLE`, the beginning that was typed, or 0 when it matches only in phrases. */
  readonly characters: number
  /** Those that begin with it. */
  readonly phrases: readonly Phrase[]
}

const WHOLE = Number.POSITIVE_INFINITY

const NO_PHRASES: readonly Phrase[] = []

/**
 * Where a text matches, and nothing else: that is all that highlighting needs. Most words of a text begin
 * like none of the query; each different one of the others is compared with the query once.
 */
export class SpanFinder implements WantedWords {
  readonly beginnings = new WordBeginnings()
  /** By number. Zero is that of words that are not looked for. */
  private readonly words: KnownWord[] = [{ length: 0, characters: 0, phrases: NO_PHRASES }]
  private readonly numbers = new Map<string, number>()

  constructor(
    private readonly analyzer: Analyzer,
    private readonly matcher: TermMatcher,
  ) {
    for (const words of matcher.wantedWords()) for (const word of words) this.beginnings.add(word)
  }

  /** As `TermMatcher.find` does; undefined where its tokens are needed to tell how much of a word matches. */
  find(text: string, locales: AllowedLanguages): readonly Span[] | undefined {
    const found = this.analyzer.findWords(text, locales, this)
    const spans: Span[] = []
    for (let i = 0; i < found.length; ) {
      const { start, end } = found[i]!
      const phrase = this.phraseAt(found, i)
      const { length, characters } = this.words[found[i]!.number]!
      if (phrase !== undefined) {
        i += phrase.words.length
        spans.push({ start, end: found[i - 1]!.end })
        continue
      }
      i++
      if (characters === 0) continue
      if (characters === WHOLE) spans.push({ start, end })
      else if (length === end - start && isAscii(text, start, end)) spans.push({ start, end: start + characters })
      else return undefined
    }
    return spans
  }

  private phraseAt(found: readonly FoundWord[], first: number): Phrase | undefined {
    const { phrases } = this.words[found[first]!.number]!
    return phrases === NO_PHRASES ? undefined : phrases.find(({ words }) => this.isPhraseAt(words, found, first))
  }

  private isPhraseAt(wanted: readonly string[], found: readonly FoundWord[], first: number): boolean {
    const { position } = found[first]!
    for (let i = 1; i < wanted.length; i++) {
      const word = found[first + i]
      if (word?.position !== position + i || word.number !== this.numbers.get(wanted[i]!)) return false
    }
    return true
  }

  numberOf(lemma: string): number {
    const known = this.numbers.get(lemma)
    if (known !== undefined) return known
    const { isWhole, prefix } = this.matcher.meaningOf(lemma)
    const characters = isWhole ? WHOLE : (prefix?.characters ?? 0)
    if (characters === 0 && !this.matcher.isInPhrase(lemma)) return 0
    const phrases = this.matcher.phrasesFrom(lemma) ?? NO_PHRASES
    const number = this.words.push({ length: lemma.length, characters, phrases }) - 1
    this.numbers.set(lemma, number)
    return number
  }
}

function isAscii(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}
