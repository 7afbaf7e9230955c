import { letterEnd } from '../prefixes/short-prefix.js'

/** Longer prefixes are looked for word by word (spec 5 §4.4). */
export const MAX_PREFIX_BYTES = 4

/** Where the prefixes of a word end that may be frequent: behind each of its first letters. */
export function prefixEnds(word: Uint8Array): number[] {
  const ends: number[] = []
  for (let end = letterEnd(word, 0); end > 0 && end <= MAX_PREFIX_BYTES; end = letterEnd(word, end)) ends.push(end)
  return ends
}
