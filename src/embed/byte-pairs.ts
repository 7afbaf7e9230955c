import { KeyHeap } from '../heap/index.js'

/**
 * Byte pair encoding as OpenAI's models do it: a text is cut into pieces, and the two neighbours in a piece whose union
 * is the token of the lowest rank (the leftmost of equals) become one, until no union is a token.
 *
 *     ranks: a 0, b 1, c 2, ab 3, abc 4      pieces of "abcab": [a b c a b] -> [ab c a b] -> [ab c ab] -> [abc ab]
 *
 * A heap of unions keeps a piece of n bytes at n log n: a piece can be as long as the text.
 */
export class Tokenizer {
  private readonly longest: number
  /** Starts of unions that are proposed. Empty between two pieces. */
  private readonly heap = new KeyHeap()

  /** `ranks`: the bytes of each token as Latin-1 characters, and its number. Single bytes are tokens. */
  constructor(private readonly ranks: ReadonlyMap<string, number>) {
    this.longest = Math.max(1, ...lengthsOf(ranks))
  }

  /** The tokens of a text, `limit` of them at most. */
  firstTokens(text: string, limit: number): number[] {
    const tokens: number[] = []
    // Whatever the tokens are, no more of the text can be in them.
    const head = text.slice(0, limit * this.longest)
    for (const [piece] of head.matchAll(PIECE)) {
      for (let start = 0; start < piece.length; start += LONG_PIECE) {
        if (tokens.length >= limit) return tokens.slice(0, limit)
        const bytes = Buffer.from(piece.slice(start, start + LONG_PIECE), 'utf8').toString('latin1')
        for (const token of this.encode(bytes)) tokens.push(token)
      }
    }
    return tokens.slice(0, limit)
  }

  /** The tokens of one piece, given as Latin-1 characters. */
  private encode(bytes: string): number[] {
    const whole = this.ranks.get(bytes)
    if (whole !== undefined) return [whole]
    const ends = this.merge(bytes)
    const tokens: number[] = []
    for (let start = 0; start < bytes.length; start = ends[start]!) tokens.push(this.rank(bytes, start, ends[start]!)!)
    return tokens
  }

  /** Where the part that starts at a byte ends; only starts of parts count. */
  private merge(bytes: string): Uint32Array {
    const { length } = bytes
    const ends = Uint32Array.from({ length }, (_, i) => i + 1)
    const befores = Int32Array.from({ length: length + 1 }, (_, i) => i - 1)
    const wanted = new Int32Array(length).fill(-1)
    const { heap } = this
    const propose = (start: number) => {
      const middle = ends[start]!
      const rank = middle < length ? this.rank(bytes, start, ends[middle]!) : undefined
      wanted[start] = rank ?? -1
      if (rank !== undefined) heap.push(start, rank * START_LIMIT + start)
    }
    for (let start = 0; start < length; start++) propose(start)
    while (heap.size > 0) {
      const start = heap.first
      const rank = Math.floor(heap.firstKey / START_LIMIT)
      heap.removeFirst()
      // Proposals are not taken back when a neighbour changes; they are passed over here.
      if (wanted[start] !== rank) continue
      const middle = ends[start]!
      wanted[middle] = -1
      ends[start] = ends[middle]!
      befores[ends[start]!] = start
      propose(start)
      if (befores[start]! >= 0) propose(befores[start]!)
    }
    return ends
  }

  private rank(bytes: string, start: number, end: number): number | undefined {
    return end - start > this.longest ? undefined : this.ranks.get(bytes.slice(start, end))
  }
}

/** The pieces of `cl100k_base`. No part of it goes back over what it has read more than once. */
const PIECE =
  /'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu

/**
 * Characters of a piece that are looked at together. A word this long is hostile: at its cuts the tokens may differ
 * from those of the model's own tokenizer, and in turn the work stops when there are enough of them.
 */
const LONG_PIECE = 1 << 15

/** Rank and start share one key: starts stay below this, and ranks leave room in 53 bits. */
const START_LIMIT = 2 ** 32

function lengthsOf(ranks: ReadonlyMap<string, number>): number[] {
  const lengths = new Set<number>()
  for (const token of ranks.keys()) lengths.add(token.length)
  return [...lengths]
}
