import { trimWhiteSpace } from './code-points.js'
import { CutPatterns, NO_CUT } from './cut-patterns.js'
import type { AllowedLanguages } from './languages.js'
import { type KindId, type Lemma, LemmaCache, type WordNumbering } from './lemma-cache.js'
import { decompose, normalizeStopWord } from './normalize.js'
import type { Profile } from './profile.js'
import { RunReader } from './run-reader.js'
import { SegmentReader } from './segment-reader.js'
import { defaultSeparators, hardSeparators } from './separators.js'
import { TextUnits } from './text-units.js'
import { kindId, readTokens, type Token } from './token.js'
import { type FoundWord, type WantedWords, WordFinder } from './word-finder.js'
import { MAX_WORD_BYTES, POSITION_LIMIT } from './word-positions.js'
import { type SlotSink, WordScan } from './word-scan.js'

/** The settings that change how text is cut (spec 5 §1.4, §1.8). What is left out is an empty list. */
export interface AnalyzerOptions {
  readonly stopWords?: readonly string[]
  readonly separatorTokens?: readonly string[]
  readonly nonSeparatorTokens?: readonly string[]
  readonly dictionary?: readonly string[]
}

/** A value of a field, as text. */
export interface ValueText {
  readonly text: string
  /** Three-letter codes of the languages it may be in; undefined when no rule says so. */
  readonly locales: AllowedLanguages
  /** Of its first word: see `nextStart`. */
  readonly startPosition: number
}

/** Is given each word to index, in the order of the text, and its position in the field. */
export type WordSink = (word: string, position: number) => void

/** The same, with the numbers of the words. */
export type NumberSink = (wordNumber: number, position: number) => void

const WORD = kindId('word')
const STOP_WORD = kindId('stopWord')
const SOFT = kindId('softSeparator')
const HARD = kindId('hardSeparator')
const EMPTY = kindId('empty')

// Most indexes have no other ones: they share the tables.
const defaultPatterns = new CutPatterns(defaultSeparators)

const PRINTABLE_ASCII = /^[ -~]*$/

// No word of such a length is indexed or looked for: not worth the memory of taking it apart.
const MAX_FOLDED_UNITS = 1 << 16

// UTF-8 takes at most three bytes for a UTF-16 unit.
const MAX_BYTES_PER_UNIT = 3

/**
 * Text in, words out: one configuration for all texts of an index (spec 5 §1). Remembers words it has seen, so keep it
 * as long as its settings live. Not to be shared between threads.
 */
export class Analyzer {
  private readonly patterns: CutPatterns
  private readonly separators: ReadonlySet<string>
  private readonly stopWords: ReadonlySet<string>
  private readonly lemmas: LemmaCache

  constructor({ stopWords = [], separatorTokens = [], nonSeparatorTokens = [], dictionary = [] }: AnalyzerOptions) {
    this.separators = chooseSeparators(separatorTokens, nonSeparatorTokens)
    const isDefault = this.separators === defaultSeparators && dictionary.length === 0
    this.patterns = isDefault ? defaultPatterns : new CutPatterns([...this.separators, ...dictionary])
    this.stopWords = new Set(stopWords.map(normalizeStopWord))
    this.lemmas = new LemmaCache((raw, profile) => this.resolve(raw, profile))
  }

  /**
   * Gives each word to index of a value to `sink` and returns the position of the last one, or `startPosition` when
   * there was none: what `nextStart` takes for the field's next value.
   */
  positionWords(value: ValueText, sink: WordSink): number {
    const { lemmas } = this
    return this.scan(value, (slot, position) => sink(lemmas.wordAt(slot), position))
  }

  /** As `positionWords`, for words with numbers: most are known without looking for the word. */
  positionNumbers(value: ValueText, numbering: WordNumbering, sink: NumberSink): number {
    const { lemmas } = this
    return this.scan(value, (slot, position) => sink(lemmas.numberAt(slot, numbering), position))
  }

  private scan({ text, locales, startPosition }: ValueText, sink: SlotSink): number {
    if (startPosition >= POSITION_LIMIT) return startPosition
    const source = new TextUnits(text)
    const { patterns, lemmas } = this
    const scan = new WordScan({ source, patterns, lemmas, startPosition, sink })
    const last = scan.run(new RunReader(source, locales))
    source.release()
    return last
  }

  /**
   * The tokens of a text, at most `limit`, for queries and highlighting: they tile it, and their words are those of
   * `positionWords`.
   */
  tokenize(text: string, locales?: AllowedLanguages, limit = Number.POSITIVE_INFINITY): Token[] {
    const source = new TextUnits(text)
    const tokens = readTokens(new SegmentReader(source, this.patterns, locales), this.lemmas, limit)
    source.release()
    return tokens
  }

  /** Those words and stop words among the tokens of a text that are looked for, from left to right. */
  findWords(text: string, locales: AllowedLanguages, wanted: WantedWords): FoundWord[] {
    const source = new TextUnits(text)
    const { patterns, lemmas } = this
    const found = new WordFinder({ source, patterns, lemmas, wanted }).run(new RunReader(source, locales))
    source.release()
    return found
  }

  /** The lemmas of all tokens, separators too, behind one another: an entry of `disableOnWords` (spec 5 §4.1). */
  lemmaOf(text: string): string {
    return this.tokenize(text)
      .map(({ lemma }) => lemma)
      .join('')
  }

  private resolve(raw: string, profile: Profile): Lemma {
    // Letters of ASCII are Latin, and nothing but their case changes.
    if (PRINTABLE_ASCII.test(raw)) return this.toLemma(raw, raw.toLowerCase())
    if (raw.length > MAX_FOLDED_UNITS) return this.toLemma(raw, raw)
    const parts = decompose(raw, profile.language)
    const classified = parts.join('')
    profile.fold(parts)
    return this.toLemma(classified, parts.join(''))
  }

  /** `classified` is the text before lower-casing, which decides the kind (spec 5 §1.6, step 4). */
  private toLemma(classified: string, text: string): Lemma {
    const kind = text === '' ? EMPTY : this.classify(classified)
    return { kind, text, word: kind === WORD ? indexedWord(text) : '' }
  }

  private classify(text: string): KindId {
    if (this.stopWords.size > 0 && this.stopWords.has(text)) return STOP_WORD
    // Most words begin with a letter, as no separator does: not worth a look.
    if (this.patterns.firstUnits[text.charCodeAt(0)] === NO_CUT || !this.separators.has(text)) return WORD
    return hardSeparators.has(text) ? HARD : SOFT
  }
}

/** An analyzer with the given settings; without any, the defaults. */
export function createAnalyzer(options: AnalyzerOptions = {}): Analyzer {
  return new Analyzer(options)
}

/** Removal wins over addition. */
function chooseSeparators(added: readonly string[], removed: readonly string[]): ReadonlySet<string> {
  if (added.length === 0 && removed.length === 0) return defaultSeparators
  const separators = new Set([...defaultSeparators, ...added])
  for (const separator of removed) separators.delete(separator)
  return separators
}

function indexedWord(lemma: string): string {
  const word = trimWhiteSpace(lemma)
  if (word.length * MAX_BYTES_PER_UNIT <= MAX_WORD_BYTES) return word
  return Buffer.byteLength(word) <= MAX_WORD_BYTES ? word : ''
}
