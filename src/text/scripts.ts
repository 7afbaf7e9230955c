import { readRanges } from './code-points.js'
import type { TextUnits } from './text-units.js'

/** Scripts that text is cut by, `other` for characters of none (spec 5 §1.2). */
export type Script = (typeof scriptNames)[number]

/** A script as its index in `scriptNames`. */
export type ScriptId = number & { readonly __unit: 'scriptId' }

// The order is that of the spec's table: where ranges overlap the first script wins. `other` and `armenian` come before
// it because neither starts a new run; Armenian only counts when the script of a finished run is decided (§1.3).
const RANGES = [
  ['other', ''],
  ['armenian', '530-58F FB13-FB17'],
  ['latin', '41-5A 61-7A 80-2AF 1D00-1DBF 1E00-1EFF 2100-214F 2C60-2C7F A720-A7FF AB30-AB6F'],
  ['cyrillic', '400-484 487-52F 2DE0-2DFF A640-A69D A69F'],
  ['arabic', '600-6FF 750-7FF 8A0-8FF FB50-FDFF FE70-FEFF 10E60-10E7F 1EE00-1EEFF'],
  ['devanagari', '900-97F A8E0-A8FF 1CD0-1CFF'],
  ['hebrew', '590-5FF'],
  ['ethiopic', '1200-139F 2D80-2DDF AB00-AB2F'],
  ['georgian', '10A0-10FF'],
  ['bengali', '980-9FF'],
  ['hangul', 'AC00-D7AF 1100-11FF 3130-318F 3200-32FF A960-A97F D7B0-D7FF FF00-FFEF'],
  [
    'cj',
    '3040-30FF 2E80-2E99 2E9B-2EF3 2F00-2FD5 3005 3007 3021-3029 3038-303B 3400-4DB5 4E00-9FCC F900-FA6D FA70-FAD9',
  ],
  ['greek', '370-3FF'],
  ['kannada', 'C80-CFF'],
  ['tamil', 'B80-BFF'],
  ['thai', 'E00-E7F'],
  ['gujarati', 'A80-AFF'],
  ['gurmukhi', 'A00-A7F'],
  ['telugu', 'C00-C7F'],
  ['malayalam', 'D00-D7F'],
  ['oriya', 'B00-B7F'],
  ['myanmar', '1000-109F'],
  ['sinhala', 'D80-DFF'],
  ['khmer', '1780-17FF 19E0-19FF'],
] as const

export const scriptNames = RANGES.map(([name]) => name)

const OTHER = scriptId('other')
const ARMENIAN = scriptId('armenian')
const ARABIC = scriptId('arabic')

// A high surrogate stands in the table as this mark: the whole code point has to be looked at.
const HIGH_SURROGATE = 31

const scriptOfUnit = buildTable()

export function scriptId(name: Script): ScriptId {
  return scriptNames.indexOf(name) as ScriptId
}

function buildTable(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (let id = RANGES.length - 1; id > OTHER; id--) {
    for (const { first, last } of readRanges(RANGES[id]![1])) table.fill(id, first, last + 1)
  }
  return table.fill(HIGH_SURROGATE, 0xd800, 0xdc00)
}

/** A stretch of text of one script, up to `end`. Reused from run to run. */
export interface Run {
  end: number
  script: ScriptId
}

/**
 * Writes the run that starts at `start` into `run`. A character of another script than the last scripted one ends it;
 * characters of no script belong to the run they stand in, leading ones to the first.
 */
export function findRun({ units, length }: TextUnits, start: number, run: Run): void {
  let script: number = OTHER
  // A bit for each script that does not end the run: one branch for a unit, and the same one almost always.
  let passing = 1 << OTHER
  let armenians = 0
  let i = start
  for (; i < length; i++) {
    let found = scriptOfUnit[units[i]!]!
    if (((passing >>> found) & 1) === 1) continue
    if (found === HIGH_SURROGATE) found = scriptOfAstral(units[i]!, i + 1 < length ? units[i + 1]! : 0)
    if (found === ARMENIAN) armenians++
    else if (((passing >>> found) & 1) === 0) {
      if (script !== OTHER) break
      script = found
      passing |= 1 << found
    }
  }
  run.end = i
  const isArmenian = armenians > 0 && armenians > countScript(units.subarray(start, i), script)
  run.script = (isArmenian ? ARMENIAN : script) as ScriptId
}

function countScript(units: Uint16Array, script: number): number {
  if (script === OTHER) return 0
  let count = 0
  for (const unit of units) if (scriptOfUnit[unit] === script) count++
  return count
}

function scriptOfAstral(high: number, low: number): number {
  if (low < 0xdc00 || low > 0xdfff) return OTHER
  const codePoint = (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000
  const isArabic = (codePoint >= 0x10e60 && codePoint <= 0x10e7f) || (codePoint >= 0x1ee00 && codePoint <= 0x1eeff)
  return isArabic ? ARABIC : OTHER
}
