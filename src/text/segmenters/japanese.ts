import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Lattice } from './lattice.js'
import { readLatticeDictionary } from './lattice-dictionary.js'

// The customary penalties on long words of a search engine's Japanese analysis, in costs of the dictionary per character
// beyond the limit: compounds written in Han characters fall apart into words of two.
const HAN_LIMIT = 2
const HAN_PENALTY = 3000
const OTHER_LIMIT = 7
const OTHER_PENALTY = 1700

let lattice: Lattice | undefined

/** Short units of Japanese: particles and endings apart, compounds cut (spec 5 §1.5). Reads its dictionary on first use. */
export function segmentJapanese(piece: string): readonly number[] {
  lattice ??= new Lattice(readLatticeDictionary(dictionaryFolder()), penalizeLength)
  return lattice.segment(piece)
}

function dictionaryFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@patdx/kuromoji')), '..', 'dict')
}

function penalizeLength(text: string, start: number, end: number): number {
  const length = end - start
  if (length <= HAN_LIMIT) return 0
  if (isHanOnly(text, start, end)) return (length - HAN_LIMIT) * HAN_PENALTY
  return length > OTHER_LIMIT ? (length - OTHER_LIMIT) * OTHER_PENALTY : 0
}

function isHanOnly(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x3400 || unit > 0x9fff) return false
  }
  return true
}
