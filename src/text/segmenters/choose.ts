import type { Language } from '../languages.js'
import { isNumeric } from '../numeric.js'
import type { Script } from '../scripts.js'
import { splitArabicArticle } from './arabic.js'
import { segmentChinese } from './chinese.js'
import { segmentAroundEmoji } from './emoji.js'
import { segmentGerman } from './german.js'
import { intlSegmenter } from './intl.js'
import { segmentJapanese } from './japanese.js'
import { segmentKorean } from './korean.js'
import { segmentThai } from './thai.js'

/** Cuts a piece of text without separators into segments: their lengths in UTF-16 units, which add up to the piece. */
export type Segmenter = (piece: string) => readonly number[]

const segmentKhmer = intlSegmenter('km')

/** The segmenter of a run, or undefined where a piece is one word (spec 5 §1.5). */
export function chooseSegmenter(script: Script, language: Language | undefined): Segmenter | undefined {
  switch (script) {
    case 'latin':
      return language === 'deu' ? segmentGerman : undefined
    case 'cj':
      return chooseCjSegmenter(language)
    case 'hangul':
      return segmentKorean
    case 'thai':
      return segmentThai
    case 'khmer':
      return segmentKhmer
    case 'arabic':
      return language === 'ara' || language === 'pes' ? splitArabicArticle : undefined
    default:
      return undefined
  }
}

// Text of this script in another single allowed language is not cut at all (spec 5 §1.5).
function chooseCjSegmenter(language: Language | undefined): Segmenter | undefined {
  if (language === 'jpn') return segmentJapanese
  return language === 'cmn' || language === 'zho' ? segmentChinese : undefined
}

/** The segments of a piece: a piece of numbers and punctuation stays whole in every script (spec 5 §1.1). */
export function segmentPiece(piece: string, segment: Segmenter): readonly number[] {
  return isNumeric(piece) ? [piece.length] : segmentAroundEmoji(piece, segment)
}
