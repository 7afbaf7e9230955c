import { type CutPatterns, NO_CUT, SINGLE_CUT } from './cut-patterns.js'
import { HASH_START, hashUnit, hashUnits, type LemmaCache, type Segment } from './lemma-cache.js'
import { NEUTRAL, type RunReader } from './run-reader.js'
import { type Segmenter, segmentPiece } from './segmenters/choose.js'
import type { TextUnits } from './text-units.js'
import { kindId } from './token.js'
import { POSITION_LIMIT, PositionCounter } from './word-positions.js'

/** Is given each word to index, as its slot of the cache, in the order of the text, and its position in the field. */
export type SlotSink = (slot: number, position: number) => void

const WORD = kindId('word')
const STOP_WORD = kindId('stopWord')
const SOFT = kindId('softSeparator')
const HARD = kindId('hardSeparator')

export interface WordScanOptions {
  readonly source: TextUnits
  readonly patterns: CutPatterns
  readonly lemmas: LemmaCache
  readonly startPosition: number
  readonly sink: SlotSink
}

/**
 * The words of a text with their positions, for documents: the segments of `SegmentReader` in one pass without an
 * object for any of them. It is also the segment it is looking up.
 */
export class WordScan implements Segment {
  readonly source: TextUnits
  start = 0
  end = 0
  hash = HASH_START
  profile = NEUTRAL
  private lastPosition: number
  private readonly patterns: CutPatterns
  private readonly lemmas: LemmaCache
  private readonly sink: SlotSink
  private readonly counter: PositionCounter
  private isFull = false

  constructor({ source, patterns, lemmas, startPosition, sink }: WordScanOptions) {
    this.source = source
    this.patterns = patterns
    this.lemmas = lemmas
    this.sink = sink
    this.lastPosition = startPosition
    this.counter = new PositionCounter(startPosition)
  }

  /** Returns the position of the last word given to the sink, the start position when there was none. */
  run(runs: RunReader): number {
    while (!this.isFull && runs.next()) {
      this.profile = runs.profile
      this.scanRun(runs.start, runs.end)
    }
    return this.lastPosition
  }

  private scanRun(start: number, limit: number): void {
    const { units } = this.source
    const { firstUnits } = this.patterns
    let pieceStart = start
    let hash = HASH_START
    for (let i = start; i < limit; ) {
      const unit = units[i]!
      const patternEnd = firstUnits[unit] === NO_CUT ? i : this.endOfPattern(i, limit)
      if (patternEnd === i) {
        hash = hashUnit(hash, unit)
        i++
        continue
      }
      if (i > pieceStart) this.takePiece(pieceStart, i, hash)
      // Most patterns are a space, where nothing happens.
      if (patternEnd > i + 1 || !this.lemmas.isAsciiOf(SOFT, unit)) this.takePattern(i, patternEnd)
      if (this.isFull) return
      hash = HASH_START
      pieceStart = i = patternEnd
    }
    if (limit > pieceStart) this.takePiece(pieceStart, limit, hash)
  }

  private endOfPattern(start: number, limit: number): number {
    const { units } = this.source
    const isSingle = this.patterns.firstUnits[units[start]!] === SINGLE_CUT
    return isSingle ? start + 1 : this.patterns.longestMatch(units, start, limit)
  }

  private takePattern(start: number, end: number): void {
    this.take(start, end, hashUnits(this.source.units, start, end))
  }

  private takePiece(start: number, end: number, hash: number): void {
    const { segment } = this.profile
    if (segment === undefined) this.take(start, end, hash)
    else this.takeSegments(start, end, segment)
  }

  private takeSegments(start: number, end: number, segment: Segmenter): void {
    let segmentStart = start
    for (const length of segmentPiece(this.source.text.slice(start, end), segment)) {
      const segmentEnd = segmentStart + length
      this.take(segmentStart, segmentEnd, hashUnits(this.source.units, segmentStart, segmentEnd))
      segmentStart = segmentEnd
    }
  }

  private take(start: number, end: number, hash: number): void {
    this.start = start
    this.end = end
    this.hash = hash
    const slot = this.lemmas.find(this)
    const kind = this.lemmas.kindAt(slot)
    if (kind === HARD) this.counter.hardSeparator()
    else if (kind === WORD || kind === STOP_WORD) this.takeWord(slot)
  }

  private takeWord(slot: number): void {
    const position = this.counter.word()
    if (position >= POSITION_LIMIT) this.isFull = true
    else if (this.lemmas.wordAt(slot) !== '') {
      this.lastPosition = position
      this.sink(slot, position)
    }
    // An empty word only takes a position.
  }
}
