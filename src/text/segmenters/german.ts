import { germanParts } from './german-parts.js'

/** What may stand between two parts; it goes with the first. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e', 'ns']

/** What the last part may end in. */
const ENDINGS: ReadonlySet<string> = new Set(['', 'e', 'en', 'er', 'ern', 'n', 's', 'es'])

/** Two parts of three letters. */
const MIN_COMPOUND = 6

/** Longer words are written by nobody, and cutting takes time. In UTF-16 units, as everything here. */
const MAX_COMPOUND = 80

/** Words come again and again; beyond so many the memory starts anew. */
const MAX_KNOWN = 1 << 16

let parts: ReadonlySet<string> | undefined
let longestPart = 0
const knownCuts = new Map<string, readonly number[]>()

/**
 * German compounds in their parts (spec 5 §1.5): `Donaudampfschifffahrt` is `donau`, `dampf`, `schiff`, `fahrt`. A word is cut
 * only where all of it is made of known parts, so that other words stay as they are.
 */
export function segmentGerman(piece: string): readonly number[] {
  if (piece.length < MIN_COMPOUND || piece.length > MAX_COMPOUND) return [piece.length]
  const known = knownCuts.get(piece)
  if (known !== undefined) return known
  if (knownCuts.size >= MAX_KNOWN) knownCuts.clear()
  const found = cut(piece)
  knownCuts.set(piece, found)
  return found
}

function cut(piece: string): readonly number[] {
  const word = piece.toLowerCase()
  const found = word.length === piece.length ? fewestParts(word) : undefined
  return found ?? [piece.length]
}

/** The lengths of the fewest parts, of equals the one that begins with the longest; undefined when it is not made of parts. */
function fewestParts(word: string): readonly number[] | undefined {
  const best: (readonly number[] | undefined)[] = []
  best[word.length] = []
  for (let start = word.length - 1; start >= 0; start--) {
    for (const length of lengthsAt(word, start)) {
      const rest = best[start + length]
      if (rest !== undefined && rest.length + 1 < (best[start]?.length ?? Number.POSITIVE_INFINITY))
        best[start] = [length, ...rest]
    }
  }
  return best[0]
}

/** How long the parts are that a word may have at a place, with what links them to the next: the longest first. */
function lengthsAt(word: string, start: number): number[] {
  const known = knownParts()
  const lengths = new Set<number>()
  for (let end = Math.min(word.length, start + longestPart); end > start; end--) {
    if (!known.has(word.slice(start, end))) continue
    for (const link of LINKS) if (word.startsWith(link, end)) lengths.add(end - start + link.length)
    if (ENDINGS.has(word.slice(end))) lengths.add(word.length - start)
  }
  return [...lengths].sort((a, b) => b - a)
}

function knownParts(): ReadonlySet<string> {
  parts ??= new Set(germanParts)
  longestPart ||= germanParts.reduce((longest, { length }) => Math.max(longest, length), 0)
  return parts
}
