import { type CutPatterns, NO_CUT, SINGLE_CUT } from './cut-patterns.js'
import type { AllowedLanguages } from './languages.js'
import { hashUnits, type Segment } from './lemma-cache.js'
import type { Profile } from './profile.js'
import { RunReader } from './run-reader.js'
import { segmentPiece } from './segmenters/choose.js'
import type { TextUnits } from './text-units.js'

const NO_SEGMENTS: readonly number[] = []

/**
 * Hands out the segments of a text one after the other, without gaps (spec 5 §1.1): runs of one script, in them cut
 * patterns and the pieces between, pieces cut further where the script asks for it. After each `next()` that says true
 * the segment is `start` to `end`, in UTF-16 units, with the profile of its run. `WordScan` cuts the same way.
 */
export class SegmentReader implements Segment {
  readonly source: TextUnits
  start = 0
  end = 0
  readonly #patterns: CutPatterns
  readonly #runs: RunReader
  // Where the pattern behind the current piece ends; at or before `end` when there is none.
  #patternEnd = 0
  // Lengths of the segments of the current piece, and how many have been handed out.
  #segments = NO_SEGMENTS
  #segmentCount = 0

  constructor(source: TextUnits, patterns: CutPatterns, allowed: AllowedLanguages) {
    this.source = source
    this.#patterns = patterns
    this.#runs = new RunReader(source, allowed)
  }

  get profile(): Profile {
    return this.#runs.profile
  }

  get hash(): number {
    return hashUnits(this.source.units, this.start, this.end)
  }

  next(): boolean {
    this.start = this.end
    if (this.#segmentCount < this.#segments.length) this.end += this.#segments[this.#segmentCount++]!
    else if (this.#patternEnd > this.end) this.end = this.#patternEnd
    else if (this.end < this.#runs.end || this.#runs.next()) this.#advance()
    return this.end > this.start
  }

  #advance(): void {
    const pieceEnd = this.#findPattern()
    if (pieceEnd === this.start) this.end = this.#patternEnd
    else this.#startPiece(pieceEnd)
  }

  /** Where the next pattern of the run begins, the end of the run when there is none. */
  #findPattern(): number {
    const { units } = this.source
    const { firstUnits } = this.#patterns
    const limit = this.#runs.end
    for (let i = this.start; i < limit; i++) {
      const cut = firstUnits[units[i]!]
      if (cut === NO_CUT) continue
      this.#patternEnd = cut === SINGLE_CUT ? i + 1 : this.#patterns.longestMatch(units, i, limit)
      if (this.#patternEnd > i) return i
    }
    return limit
  }

  #startPiece(end: number): void {
    const { segment } = this.profile
    // Most pieces are one word.
    if (segment === undefined) {
      this.end = end
      return
    }
    this.#segments = segmentPiece(this.source.text.slice(this.start, end), segment)
    this.#segmentCount = 1
    this.end += this.#segments[0]!
  }
}
