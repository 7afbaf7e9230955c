import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Lattice } from './lattice.js'
import { readLatticeDictionary } from './lattice-dictionary.js'

let lattice: Lattice | undefined

/** Korean with particles and endings split off (spec 5 §1.5). Reads its dictionary on first use. */
export function segmentKorean(piece: string): readonly number[] {
  lattice ??= new Lattice(readLatticeDictionary(dictionaryFolder()))
  return lattice.segment(piece)
}

function dictionaryFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('kuromoji-ko')), '..', 'dict')
}
