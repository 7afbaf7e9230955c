import type { IndexFolder } from '../../folder/index.js'

/**
 * Where any word with one short prefix stands: the database `prefixes` has, for prefixes of one or two letters,
 * blocks of postings as `../posting-block.ts` makes them, under keys as `../posting-key.ts` makes them, with the prefix
 * in place of the word. They say what could be read from the postings of all words that begin so, and save reading them:
 * in a million documents these are tens of thousands of words with ten million documents.
 *
 * Small indexes have none. An entry of `main` tells whether an index has them; from then on every change of a word
 * changes its prefixes too.
 */
// The name is older than our word for it.
const MARK = Buffer.from('beginnings')
const VERSION = 1

/** A page of LMDB, filled by one value: prefixes are read from end to end, and few are changed at a time. */
export const PREFIX_PAIR_BYTES = 4060

export function hasPrefixPostings({ databases: { main } }: IndexFolder): boolean {
  return main.getBorrowed(MARK)?.[0] === VERSION
}

export function markPrefixes({ databases: { main } }: IndexFolder): void {
  main.put(MARK, Buffer.of(VERSION))
}

export function clearPrefixes({ databases: { main, prefixes } }: IndexFolder): void {
  prefixes.clear()
  main.delete(MARK)
}

/**
 * Where the letter ends that begins at `from`; 0 when there is none that counts. Letters of three bytes and more belong
 * to scripts with so many of them that few words share one.
 */
export function letterEnd(word: Uint8Array, from: number): number {
  const byte = word[from]
  if (byte === undefined || byte >= 0xe0) return 0
  return byte < 0x80 ? from + 1 : from + 2
}

/** One or two letters that count. */
export function isShortPrefix(text: Uint8Array): boolean {
  const first = letterEnd(text, 0)
  return first > 0 && (first === text.length || letterEnd(text, first) === text.length)
}
