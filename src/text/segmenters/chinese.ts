import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Jieba } from '@node-rs/jieba'
import { unitsAt } from '../code-points.js'
import { HanCutter, isHan } from './han-cutter.js'
import { WordList } from './word-list.js'

let chinese: Chinese | undefined

/**
 * The most probable word path over a frequency dictionary, words of more than two characters cut again (spec 5 §1.5).
 * The dictionary is read on first use.
 */
export function segmentChinese(piece: string): readonly number[] {
  chinese ??= new Chinese(readDictionary())
  return chinese.segment(piece)
}

const require = createRequire(import.meta.url)
const ASCII_WORD = /^[0-9A-Za-z]+$/

/** To make the tables of the library takes as long as cutting so many characters without them, several times over. */
const FEW_UNITS = 4096

class Chinese {
  private readonly words: WordList
  private readonly cutter: HanCutter
  private unitsLeft = FEW_UNITS
  private jieba: Jieba | undefined

  constructor(private readonly dictionary: Buffer) {
    this.words = new WordList(dictionary)
    this.cutter = new HanCutter(this.words)
  }

  segment(piece: string): readonly number[] {
    const lengths: number[] = []
    for (const word of this.cut(piece)) this.cutAgain(word, lengths)
    return lengths
  }

  /** Many texts of other languages have a few words of Chinese. */
  private cut(piece: string): readonly string[] {
    if (piece.length <= this.unitsLeft && isHan(piece)) {
      this.unitsLeft -= piece.length
      return this.cutter.cut(piece)
    }
    this.jieba ??= loadJieba().withDict(this.dictionary)
    return this.jieba.cut(piece, false)
  }

  /** Greedily: two characters if they are a word, else three if they are, else one. */
  private cutAgain(word: string, lengths: number[]): void {
    if (word.length <= 2 || ASCII_WORD.test(word)) {
      lengths.push(word.length)
      return
    }
    for (let start = 0; start < word.length; ) {
      const length = this.isWord(word, start, 2) ? 2 : this.isWord(word, start, 3) ? 3 : unitsAt(word, start)
      lengths.push(length)
      start += length
    }
  }

  private isWord(text: string, start: number, length: number): boolean {
    return start + length <= text.length && this.words.has(text.slice(start, start + length))
  }
}

function loadJieba(): typeof Jieba {
  return (require('@node-rs/jieba') as typeof import('@node-rs/jieba')).Jieba
}

export function readDictionary(): Buffer {
  return readFileSync(join(dirname(require.resolve('@node-rs/jieba')), 'dict.txt'))
}
