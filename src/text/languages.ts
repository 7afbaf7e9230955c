import { CodePointSet } from './code-points.js'
import { type ScriptId, scriptId } from './scripts.js'

/** A language by its three-letter code (spec 5 §1.10). */
export type Language = string

/** The languages that a text may be in. Undefined: nothing is known; an empty list is something else (spec 5 §1.3). */
export type AllowedLanguages = readonly Language[] | undefined

const LATIN = scriptId('latin')
const CJ = scriptId('cj')
const ARABIC = scriptId('arabic')

const LATIN_LANGUAGES = new Set(
  (
    'spa eng por ind fra deu jav vie ita tur pol ron hrv nld uzb hun aze ces zul swe aka sna afr fin slk tgl tuk dan ' +
    'nob cat lit slv epo lav est lat'
  ).split(' '),
)
const ARABIC_LANGUAGES = new Set(['ara', 'urd', 'pes'])

// A Chinese text may quote a kana or two; a Japanese one is never this poor in them.
const JAPANESE_KANA_SHARE = 0.05

const URDU_LETTERS = /[ٹڈڑںےہھ]/
const PERSIAN_LETTERS = /[پچژگکیۀ۰-۹]/
const A_WITH_RING = /[åÅ]/
const UMLAUTS = /[äöÄÖ]/
const GERMAN_LETTERS = /[äöüÄÖÜß]/

const kana = new CodePointSet('3040-30FF')
const han = new CodePointSet(
  '2E80-2E99 2E9B-2EF3 2F00-2FD5 3005 3007 3021-3029 3038-303B 3400-4DB5 4E00-9FCC F900-FA6D FA70-FAD9',
)

/** A run, as far as its language is concerned. */
export interface RunText {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly script: ScriptId
}

/** The language of a run: known only where it changes the outcome (spec 5 §1.3). */
export function languageOfRun(run: RunText, allowed: AllowedLanguages): Language | undefined {
  if (allowed?.length === 1) return allowed[0]
  if (run.script === CJ) return japaneseOrChinese(run, allowed)
  if (run.script === ARABIC) return arabicLanguage(run, allowed)
  if (run.script === LATIN && allowed !== undefined) return latinLanguage(run, allowed)
  return undefined
}

function japaneseOrChinese(run: RunText, allowed: AllowedLanguages): Language {
  if (allowed !== undefined && !allowed.includes('cmn') && !allowed.includes('zho')) return 'jpn'
  let kanaCount = 0
  let hanCount = 0
  for (let i = run.start; i < run.end; i++) {
    const unit = run.text.charCodeAt(i)
    if (kana.has(unit)) kanaCount++
    else if (han.has(unit)) hanCount++
  }
  return kanaCount > JAPANESE_KANA_SHARE * (kanaCount + hanCount) ? 'jpn' : 'cmn'
}

function arabicLanguage(run: RunText, allowed: AllowedLanguages): Language | undefined {
  const candidates =
    allowed === undefined ? [...ARABIC_LANGUAGES] : allowed.filter((code) => ARABIC_LANGUAGES.has(code))
  if (candidates.length < 2) return candidates[0]
  const text = run.text.slice(run.start, run.end)
  if (candidates.includes('urd') && URDU_LETTERS.test(text)) return 'urd'
  if (candidates.includes('pes') && PERSIAN_LETTERS.test(text)) return 'pes'
  return candidates.includes('ara') ? 'ara' : candidates[0]
}

function latinLanguage(run: RunText, allowed: readonly Language[]): Language | undefined {
  const candidates = allowed.filter((code) => LATIN_LANGUAGES.has(code))
  if (candidates.length < 2) return candidates[0]
  const text = run.text.slice(run.start, run.end)
  const isGermanAllowed = candidates.includes('deu')
  if (candidates.includes('swe') && (A_WITH_RING.test(text) || (!isGermanAllowed && UMLAUTS.test(text)))) return 'swe'
  return isGermanAllowed && GERMAN_LETTERS.test(text) ? 'deu' : undefined
}
