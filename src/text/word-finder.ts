import { type CutPatterns, NO_CUT, SINGLE_CUT } from './cut-patterns.js'
import { hashUnits, type LemmaCache, type Segment } from './lemma-cache.js'
import { NEUTRAL, type RunReader } from './run-reader.js'
import { type Segmenter, segmentPiece } from './segmenters/choose.js'
import type { TextUnits } from './text-units.js'
import { kindId } from './token.js'
import type { WordBeginnings } from './word-beginnings.js'

/** What is looked for in texts. */
export interface WantedWords {
  /** Of all lemmas whose number is above 0. */
  readonly beginnings: WordBeginnings
  /** Zero for a lemma that is not looked for. */
  numberOf(lemma: string): number
}

/** A word of a text that is looked for. */
export interface FoundWord {
  readonly number: number
  /** Words before it in the text. */
  readonly position: number
  /** In UTF-16 units. */
  readonly start: number
  readonly end: number
}

export interface WordFinderOptions {
  readonly source: TextUnits
  readonly patterns: CutPatterns
  readonly lemmas: LemmaCache
  readonly wanted: WantedWords
}

const WORD = kindId('word')
const STOP_WORD = kindId('stopWord')
const SOFT = kindId('softSeparator')
const HARD = kindId('hardSeparator')

// All units of ASCII are below.
const ASCII_LIMIT = 0x80

/**
 * Finds some words of a text among its segments, which are those of `SegmentReader`. Most are passed over by their first
 * letters. It is also the segment it is looking up.
 */
export class WordFinder implements Segment {
  readonly source: TextUnits
  start = 0
  end = 0
  profile = NEUTRAL
  private position = 0
  private readonly patterns: CutPatterns
  private readonly lemmas: LemmaCache
  private readonly wanted: WantedWords
  private readonly found: FoundWord[] = []

  constructor({ source, patterns, lemmas, wanted }: WordFinderOptions) {
    this.source = source
    this.patterns = patterns
    this.lemmas = lemmas
    this.wanted = wanted
  }

  get hash(): number {
    return hashUnits(this.source.units, this.start, this.end)
  }

  /** From left to right. */
  run(runs: RunReader): FoundWord[] {
    while (runs.next()) {
      this.profile = runs.profile
      this.scanRun(runs.start, runs.end)
    }
    return this.found
  }

  private scanRun(start: number, limit: number): void {
    const { units } = this.source
    const { firstUnits } = this.patterns
    let pieceStart = start
    let bits = 0
    for (let i = start; i < limit; ) {
      const unit = units[i]!
      const patternEnd = firstUnits[unit] === NO_CUT ? i : this.endOfPattern(i, limit)
      if (patternEnd === i) {
        bits |= unit
        i++
        continue
      }
      if (i > pieceStart) this.takePiece(pieceStart, i, bits)
      if (patternEnd > i + 1 || !this.isSeparator(unit)) this.take(i, patternEnd)
      bits = 0
      pieceStart = i = patternEnd
    }
    if (limit > pieceStart) this.takePiece(pieceStart, limit, bits)
  }

  private endOfPattern(start: number, limit: number): number {
    const { units } = this.source
    const isSingle = this.patterns.firstUnits[units[start]!] === SINGLE_CUT
    return isSingle ? start + 1 : this.patterns.longestMatch(units, start, limit)
  }

  private isSeparator(unit: number): boolean {
    return this.lemmas.isAsciiOf(SOFT, unit) || this.lemmas.isAsciiOf(HARD, unit)
  }

  /** `bits` are those of all its units. */
  private takePiece(start: number, end: number, bits: number): void {
    const { segment } = this.profile
    if (segment !== undefined) this.takeSegments(start, end, segment)
    else if (bits < ASCII_LIMIT && this.wanted.beginnings.isOther(this.source.units, start, end)) this.position++
    else this.take(start, end)
  }

  private takeSegments(start: number, end: number, segment: Segmenter): void {
    let segmentStart = start
    for (const length of segmentPiece(this.source.text.slice(start, end), segment)) {
      this.take(segmentStart, segmentStart + length)
      segmentStart += length
    }
  }

  private take(start: number, end: number): void {
    this.start = start
    this.end = end
    const slot = this.lemmas.find(this)
    const kind = this.lemmas.kindAt(slot)
    if (kind !== WORD && kind !== STOP_WORD) return
    const number = this.wanted.numberOf(this.lemmas.textAt(slot))
    if (number > 0) this.found.push({ number, position: this.position, start, end })
    this.position++
  }
}
