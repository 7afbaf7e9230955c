import type { Token } from '../../text/index.js'
import { bestInterval } from './best-interval.js'
import { type FoundText, isWord, type TextMatch } from './text-match.js'

/** The part of a text that is shown, in UTF-16 units. */
export interface Window {
  readonly start: number
  readonly end: number
}

/**
 * What is left of a text cropped to `size` words (spec 5 §6.5). `size` is above 0. Without matches only its start is
 * looked at: the tokens may then end after more than `size` words.
 */
export function cropWindow(text: string, { tokens, matches }: FoundText, size: number): Window {
  const growth = new Growth(tokens, text.length)
  if (matches.length === 0) return growth.from({ left: -1, right: 0 }, size)
  const interval = bestInterval(matches, size)
  const first = matches[interval.first]!
  const last = matches[interval.last]!
  const words = last.lastWord - first.firstWord + 1
  if (words > size) return { start: 0, end: shortenedEnd(tokens, last, words - size) }
  return growth.from({ left: first.firstToken - 1, right: last.lastToken + 1 }, size - words)
}

/**
 * Where the window of a phrase longer than itself ends: words are taken away from its end, the first one perhaps being a
 * word that touches it.
 */
function shortenedEnd(tokens: readonly Token[], { lastToken }: TextMatch, surplusWords: number): number {
  let index = Math.min(lastToken + 1, tokens.length - 1)
  for (let surplus = surplusWords; surplus > 0; index--) if (isWord(tokens[index]!)) surplus--
  return tokens[index]!.start
}

/** The tokens next to the window, which are not in it. */
interface Edges {
  readonly left: number
  readonly right: number
}

type Neighbour = 'word' | 'soft' | 'hard' | 'none'

/** A window that takes in tokens on both sides, until enough words are in it. */
class Growth {
  private left = -1
  private right = 0
  private missingWords = 0

  constructor(
    private readonly tokens: readonly Token[],
    private readonly textEnd: number,
  ) {}

  from({ left, right }: Edges, missingWords: number): Window {
    this.left = left
    this.right = right
    this.missingWords = missingWords
    while (this.missingWords > 0 && this.grow());
    return this.cut()
  }

  /** One step of the table in spec 5 §6.5; false when there is nothing left to take. */
  private grow(): boolean {
    const left = this.kindAt(this.left)
    const right = this.kindAt(this.right)
    if (left === 'none' && right === 'none') return false
    if (right === 'none') this.takeLeft(left)
    else if (left === 'none') this.takeRight(right)
    else if (left === 'word') {
      this.takeLeft(left)
      if (right === 'word' && this.missingWords > 0) this.takeRight(right)
    } else if (right === 'word') this.takeRight(right)
    else this.takeSeparators(left, right)
    return true
  }

  /** A hard separator waits until there is one on the other side too. */
  private takeSeparators(left: Neighbour, right: Neighbour): void {
    if (left === right) {
      this.takeLeft(left)
      if (this.missingWords > 1) this.takeRight(right)
    } else if (left === 'soft') this.takeLeft(left)
    else this.takeRight(right)
  }

  private takeLeft(kind: Neighbour): void {
    if (kind === 'word') this.missingWords--
    this.left--
  }

  private takeRight(kind: Neighbour): void {
    if (kind === 'word') this.missingWords--
    this.right++
  }

  private kindAt(index: number): Neighbour {
    const token = this.tokens[index]
    if (token === undefined) return 'none'
    if (isWord(token)) return 'word'
    return token.kind === 'hardSeparator' ? 'hard' : 'soft'
  }

  private cut(): Window {
    return { start: this.tokens[this.left]?.end ?? 0, end: this.tokens[this.right]?.start ?? this.textEnd }
  }
}
