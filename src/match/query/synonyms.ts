import { compareBytes } from '../../byte-order/index.js'
import type { Analyzer } from '../../text/index.js'
import type { Phrase } from '../terms/phrase.js'

const MAX_SYNONYMS = 50
const MAX_SYNONYM_WORDS = 100

/** The synonyms of an index, by the words of their keys (spec 5 §4.5). Made once for each version of the settings. */
export class Synonyms {
  /** Values in byte order, by the lemmas of the key joined with a character that no lemma has. */
  private readonly values = new Map<string, readonly string[]>()

  constructor(
    synonyms: ReadonlyMap<string, readonly string[]>,
    private readonly analyzer: Analyzer,
  ) {
    const collected = new Map<string, Set<string>>()
    for (const [key, values] of synonyms) {
      const words = this.wordsOf(key)
      if (words.length === 0) continue
      const known = collected.get(keyOf(words)) ?? new Set()
      for (const value of values) known.add(value)
      collected.set(keyOf(words), known)
    }
    for (const [key, values] of collected) this.values.set(key, [...values].sort(compareBytes))
  }

  get isEmpty(): boolean {
    return this.values.size === 0
  }

  /** For one word: the first fifty values, and as many of them as a hundred words allow. */
  ofWord(word: string, locales: readonly string[] | undefined): Phrase[] {
    const found: Phrase[] = []
    let count = 0
    for (const phrase of this.phrases(this.values.get(word)?.slice(0, MAX_SYNONYMS), locales)) {
      if (count + phrase.length > MAX_SYNONYM_WORDS) continue
      count += phrase.length
      found.push(phrase)
    }
    return found
  }

  /** For a list of words that stand together. */
  ofWords(words: readonly string[], locales: readonly string[] | undefined): Phrase[] {
    return this.phrases(this.values.get(keyOf(words)), locales)
  }

  private phrases(values: readonly string[] | undefined, locales: readonly string[] | undefined): Phrase[] {
    if (values === undefined) return []
    return values.map((value) => this.phraseOf(value, locales)).filter((phrase) => phrase.length > 0)
  }

  /** Stop words around its words are left out: `the bay area` is found, and highlighted, as `bay area`. */
  private phraseOf(text: string, locales: readonly string[] | undefined): Phrase {
    const phrase: (string | null)[] = []
    for (const { kind, lemma } of this.analyzer.tokenize(text, locales)) {
      if (kind === 'word') phrase.push(lemma.trim())
      else if (kind === 'stopWord' && phrase.length > 0) phrase.push(null)
    }
    return phrase.slice(0, phrase.findLastIndex((word) => word !== null) + 1)
  }

  private wordsOf(key: string): string[] {
    return this.analyzer
      .tokenize(key)
      .filter(({ kind }) => kind === 'word')
      .map(({ lemma }) => lemma.trim())
  }
}

const keyOf = (words: readonly string[]): string => words.join('\0')
