import { foldChineseVariant } from './chinese-variants.js'
import { foldKana } from './kana.js'
import type { Language } from './languages.js'
import { nonspacingMarks } from './nonspacing-marks.js'
import type { Script } from './scripts.js'

/**
 * The parts of a segment: for each original character what it has become so far, possibly nothing. Keeping them apart
 * lets a match of normalized characters be drawn on the original text (spec 5 §6.3).
 */
export type Parts = string[]

const CONTROLS = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/g
const LONE_SURROGATE = /[\ud800-\udfff]/
const REPLACEMENT = '\ufffd'

/** Steps 1 to 3 of spec 5 §1.6: what decides whether a segment is a word, a stop word or a separator. */
export function decompose(raw: string, language: Language | undefined): Parts {
  const parts = Array.from(raw, decomposeCharacter)
  if (language === 'swe') recomposeSwedish(parts)
  for (let i = 0; i < parts.length; i++) parts[i] = dropControls(parts[i]!)
  return parts
}

function decomposeCharacter(character: string): string {
  if (character.charCodeAt(0) < 0x80) return character
  // Half a pair cannot be stored as UTF-8; it becomes what an encoder would write.
  if (character.length === 1 && LONE_SURROGATE.test(character)) return REPLACEMENT
  return character.normalize('NFKD')
}

function dropControls(text: string): string {
  return text.replace(CONTROLS, '')
}

const SWEDISH_LETTERS = new Map([
  ['A\u030a', 'Å'],
  ['a\u030a', 'å'],
  ['A\u0308', 'Ä'],
  ['a\u0308', 'ä'],
  ['O\u0308', 'Ö'],
  ['o\u0308', 'ö'],
])

/** Puts å ä ö together again, also when letter and mark were written as two characters. */
function recomposeSwedish(parts: Parts): void {
  let letterPart = -1
  for (let i = 0; i < parts.length; i++) {
    let composed = ''
    for (const character of parts[i]!) {
      const isOwn = composed !== ''
      const before = isOwn ? composed : letterPart >= 0 ? parts[letterPart]! : ''
      const letter = SWEDISH_LETTERS.get(before.slice(-1) + character)
      if (letter === undefined) composed += character
      else if (isOwn) composed = before.slice(0, -1) + letter
      else parts[letterPart] = before.slice(0, -1) + letter
    }
    parts[i] = composed
    if (composed !== '') letterPart = i
  }
}

/** Steps 5 to 15 of spec 5 §1.6, in place. */
export type Folding = (parts: Parts) => void

/** The folding of a run's script and language. */
export function chooseFolding(script: Script, language: Language | undefined): Folding {
  switch (script) {
    case 'latin':
      return perCharacter(foldLatin)
    case 'greek':
      return foldGreek
    case 'cyrillic':
    case 'georgian':
    case 'armenian':
      return perCharacter(lowerCase)
    case 'arabic':
      return perCharacter(language === 'pes' ? (character) => foldArabic(foldPersian(character)) : foldArabic)
    case 'hebrew':
    case 'thai':
      return perCharacter(dropMark)
    case 'cj':
      return chooseCjFolding(language)
    default:
      return keepAll
  }
}

function chooseCjFolding(language: Language | undefined): Folding {
  if (language === 'jpn') return foldKana
  return language === 'cmn' || language === 'zho' ? perCharacter(foldChineseVariant) : keepAll
}

function keepAll(): void {}

function perCharacter(change: (character: string) => string): Folding {
  return (parts) => mapCharacters(parts, change)
}

function mapCharacters(parts: Parts, change: (character: string) => string): void {
  for (let i = 0; i < parts.length; i++) {
    let changed = ''
    for (const character of parts[i]!) changed += change(character)
    parts[i] = changed
  }
}

// Character by character: on a whole word `toLowerCase` would apply the rule of the final sigma.
function lowerCase(character: string): string {
  return character.toLowerCase()
}

function dropMark(character: string): string {
  return nonspacingMarks.has(character.codePointAt(0)!) ? '' : character
}

const LATIN_FOLDING = new Map([
  ['’', "'"],
  ['‘', "'"],
  ['‛', "'"],
  ['œ', 'oe'],
  ['æ', 'ae'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ı', 'i'],
])

function foldLatin(character: string): string {
  let folded = ''
  // A capital may become two characters: İ is i and a dot above.
  for (const lower of character.toLowerCase()) folded += LATIN_FOLDING.get(lower) ?? dropMark(lower)
  return folded
}

function foldGreek(parts: Parts): void {
  mapCharacters(parts, lowerCase)
  const last = parts.findLastIndex((part) => part !== '')
  if (last >= 0) parts[last] = parts[last]!.replace(/ς$/, 'σ')
  mapCharacters(parts, dropMark)
}

const ARABIC_FOLDING = new Map([
  ['ـ', ''],
  ['آ', 'ا'],
  ['أ', 'ا'],
  ['إ', 'ا'],
  ['ٱ', 'ا'],
  ['ى', 'ي'],
  ['ة', 'ه'],
])

function foldArabic(character: string): string {
  return ARABIC_FOLDING.get(character) ?? dropMark(character)
}

const ZERO_WIDTH_NON_JOINER = '\u200c'

const PERSIAN_FOLDING = new Map([
  ['ي', 'ی'],
  ['ى', 'ی'],
  ['ۀ', 'ی'],
  ['ك', 'ک'],
  ['،', ','],
  ['؟', '?'],
  ['\ufdfc', 'RIAL'],
  [ZERO_WIDTH_NON_JOINER, ''],
  ...[...'۰۱۲۳۴۵۶۷۸۹'].map((digit, value) => [digit, String(value)] as const),
])

function foldPersian(character: string): string {
  return PERSIAN_FOLDING.get(character) ?? character
}

/**
 * A stop word as it is stored and compared (spec 5 §1.8): decomposed, å ä ö put together again, without controls, and
 * with the Persian spelling whatever its script. Doing it twice changes nothing.
 */
export function normalizeStopWord(word: string): string {
  const parts = Array.from(word, decomposeCharacter)
  recomposeSwedish(parts)
  mapCharacters(parts, (character) => foldPersian(dropControls(character)))
  return parts.join('')
}
