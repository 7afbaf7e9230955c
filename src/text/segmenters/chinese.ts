import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Jieba } from '@node-rs/jieba'
import { unitsAt } from '../code-points.js'

let chinese: Chinese | undefined

/**
 * The most probable word path over a frequency dictionary, words of more than two characters cut again (spec 5 §1.5).
 * The dictionary is read on first use, which takes a moment.
 */
export function segmentChinese(piece: string): readonly number[] {
  chinese ??= new Chinese()
  return chinese.segment(piece)
}

const require = createRequire(import.meta.url)
const ASCII_WORD = /^[0-9A-Za-z]+$/

class Chinese {
  private readonly jieba: Jieba
  /** Texts of a few characters mostly do without: it takes half as long again as the rest. */
  private words: ShortWords | undefined

  constructor() {
    const { Jieba } = require('@node-rs/jieba') as typeof import('@node-rs/jieba')
    this.jieba = Jieba.withDict(readDictionary())
  }

  segment(piece: string): readonly number[] {
    const lengths: number[] = []
    for (const word of this.jieba.cut(piece, false)) this.cutAgain(word, lengths)
    return lengths
  }

  /** Greedily: two characters if they are a word, else three if they are, else one. */
  private cutAgain(word: string, lengths: number[]): void {
    if (word.length <= 2 || ASCII_WORD.test(word)) {
      lengths.push(word.length)
      return
    }
    this.words ??= new ShortWords(readDictionary().toString('utf8'))
    for (let start = 0; start < word.length; ) {
      const length = this.words.has(word, start, 2) ? 2 : this.words.has(word, start, 3) ? 3 : unitsAt(word, start)
      lengths.push(length)
      start += length
    }
  }
}

function readDictionary(): Buffer {
  return readFileSync(join(dirname(require.resolve('@node-rs/jieba')), 'dict.txt'))
}

/**
 * The words of two and three UTF-16 units of a dictionary, as sorted numbers: 16 bits a unit, so that both lengths fit
 * the 53 bits of a double and never meet (no word starts with U+0000). A tenth of the memory of a set of strings.
 */
class ShortWords {
  readonly #keys: Float64Array

  /** `dictionary` has a word at the beginning of each line, followed by a space. */
  constructor(dictionary: string) {
    const keys: number[] = []
    for (let start = 0, next = 0; start < dictionary.length; start = next) {
      const length = dictionary.indexOf(' ', start) - start
      if (length === 2 || length === 3) keys.push(keyOf(dictionary, start, length))
      next = dictionary.indexOf('\n', start) + 1 || dictionary.length
    }
    this.#keys = Float64Array.from(keys).sort()
  }

  has(text: string, start: number, length: 2 | 3): boolean {
    return start + length <= text.length && includesSorted(this.#keys, keyOf(text, start, length))
  }
}

function keyOf(text: string, start: number, length: number): number {
  let key = 0
  for (let i = start; i < start + length; i++) key = key * 0x10000 + text.charCodeAt(i)
  return key
}

function includesSorted(keys: Float64Array, wanted: number): boolean {
  let lo = 0
  let hi = keys.length
  while (lo < hi) {
    const middle = (lo + hi) >>> 1
    if (keys[middle]! < wanted) lo = middle + 1
    else hi = middle
  }
  return keys[lo] === wanted
}
