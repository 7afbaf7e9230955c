import { compareBytes } from './byte-order.js'

// Four units of 8 bits each, then the number of the word: 32 + 21 bits are exact in a double.
const KEY_UNITS = 4
const MAX_WORDS = 2 ** 21
const HIGHEST = 0xff

/**
 * The numbers of the words (their places in the list) in the byte order of the words; no word stands twice.
 *
 * Comparing strings is slow, sorting numbers is not: words are sorted by a number made of their first four units, and
 * only those that begin alike are compared.
 */
export function byteOrderOf(words: readonly string[]): Uint32Array {
  const order = new Uint32Array(words.length)
  if (words.length > MAX_WORDS) {
    for (let i = 0; i < order.length; i++) order[i] = i
    return order.sort((a, b) => compareBytes(words[a]!, words[b]!))
  }
  const keys = new Float64Array(words.length)
  for (let i = 0; i < keys.length; i++) keys[i] = beginningOf(words[i]!) * MAX_WORDS + i
  keys.sort()
  for (let i = 0; i < order.length; i++) order[i] = keys[i]! % MAX_WORDS
  sortRuns(words, keys, order)
  return order
}

/** Never larger for a word that is lower: all units from 255 on count the same, and what follows them nothing. */
function beginningOf(word: string): number {
  let key = 0
  let isExact = true
  for (let i = 0; i < KEY_UNITS; i++) {
    const unit = i < word.length ? word.charCodeAt(i) : 0
    key = key * 256 + (isExact ? Math.min(unit, HIGHEST) : 0)
    if (unit >= HIGHEST) isExact = false
  }
  return key
}

/** Sorts words with the same beginning among themselves. */
function sortRuns(words: readonly string[], keys: Float64Array, order: Uint32Array): void {
  let first = 0
  for (let i = 1; i <= order.length; i++) {
    const isSame = i < order.length && Math.floor(keys[i]! / MAX_WORDS) === Math.floor(keys[first]! / MAX_WORDS)
    if (isSame) continue
    if (i - first > 1) order.subarray(first, i).sort((a, b) => compareBytes(words[a]!, words[b]!))
    first = i
  }
}
