import { type AllowedLanguages, languageOfRun } from './languages.js'
import { type Profile, profileOf } from './profile.js'
import { findRun, type Run, scriptId } from './scripts.js'
import type { TextUnits } from './text-units.js'

const OTHER = scriptId('other')
/** What is known before the first run. */
export const NEUTRAL: Profile = profileOf(OTHER, undefined)

/** Hands out the runs of a text (spec 5 §1.2): after each `next()` that says true one is `start` to `end`. */
export class RunReader {
  start = 0
  end = 0
  profile: Profile = NEUTRAL
  private readonly source: TextUnits
  private readonly allowed: AllowedLanguages
  private readonly run: Run = { end: 0, script: OTHER }

  constructor(source: TextUnits, allowed: AllowedLanguages) {
    this.source = source
    this.allowed = allowed
  }

  next(): boolean {
    this.start = this.end
    if (this.start === this.source.length) return false
    findRun(this.source, this.start, this.run)
    const { end, script } = this.run
    this.end = end
    this.profile = profileOf(
      script,
      languageOfRun({ text: this.source.text, start: this.start, end, script }, this.allowed),
    )
    return true
  }
}
