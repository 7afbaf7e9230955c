import { intlSegmenter } from './intl.js'

const segmentWords = intlSegmenter('th')

/** Shorter words stand in many others by chance. In UTF-16 units, as everything here. */
const MIN_PART = 3

/** Shorter ones are mostly words of two syllables, each of which means something by itself. */
const MIN_COMPOUND = 7

/** No word of the language is that long: what comes in one piece is unknown, and stays so. */
const MAX_COMPOUND = 40

/** As many as a dictionary of the language has, or so: beyond, the memory starts anew. */
const MAX_KNOWN = 1 << 15

/**
 * Thai in its shortest words (spec 5 §1.5). The engine's dictionary also has compounds, `ประเทศไทย` for one: they are cut into
 * the words that they are made of, as long as all of them are words, so that `ไทย` is found in it.
 */
export function segmentThai(piece: string): readonly number[] {
  const lengths: number[] = []
  let start = 0
  for (const length of segmentWords(piece)) {
    lengths.push(...partsOf(piece.slice(start, start + length)))
    start += length
  }
  return lengths
}

const knownParts = new Map<string, readonly number[]>()
const knownWords = new Map<string, boolean>()

function partsOf(word: string): readonly number[] {
  if (word.length < MIN_COMPOUND || word.length > MAX_COMPOUND) return [word.length]
  return remembered(knownParts, word, () => findParts(word))
}

/** Parts are cut as they are where they stand alone: whoever looks for one finds it. */
function findParts(word: string): readonly number[] {
  const parts = isWord(word) ? fewestWords(word) : undefined
  return parts === undefined ? [word.length] : parts.flatMap(partsOf)
}

function remembered<T>(known: Map<string, T>, word: string, find: () => T): T {
  if (known.has(word)) return known.get(word)!
  const found = find()
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(word, found)
  return found
}

/** In the dictionary: twice in a row it is found twice, while letters without a meaning are taken for one long word. */
function isWord(text: string): boolean {
  return remembered(knownWords, text, () => {
    const [first, second] = segmentWords(text + text)
    return first === text.length && second === text.length
  })
}

/**
 * The fewest words, but at least two, that it is made of, and of equals the one that begins with the longest; undefined when it
 * takes letters that are no word.
 */
function fewestWords(word: string): readonly string[] | undefined {
  const best: (readonly string[] | undefined)[] = []
  best[word.length] = []
  for (let start = word.length - MIN_PART; start >= 0; start--) {
    for (let end = start === 0 ? word.length - MIN_PART : word.length; end >= start + MIN_PART; end--) {
      const rest = best[end]
      if (rest === undefined || rest.length + 1 >= (best[start]?.length ?? Number.POSITIVE_INFINITY)) continue
      const part = word.slice(start, end)
      if (isWord(part)) best[start] = [part, ...rest]
    }
  }
  return best[0]
}
