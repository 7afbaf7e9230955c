import { NO_SHAPE, type ShapeId, shapeOf, shiftOf, TypoShapes } from './typo-shapes.js'

/**
 * Reads candidates code point by code point and knows at each how many typos they have from a word, without looking
 * back: made for walking a sorted list of words, where a state is kept for each common beginning.
 */
export interface TypoAutomaton {
  readonly start: number
  /** The state after one more code point. States are integers; a step is a look-up in tables that all words share. */
  step(state: number, codePoint: number): number
  /** Whether this state or any that follows it accepts. When not, all longer candidates can be skipped. */
  canMatch(state: number): boolean
  /** Typos of the candidate read so far; `maxTypos` + 1 when there are more. */
  distance(state: number): number
}

/**
 * An automaton for the distance of spec 5 §4.2. With `isPrefix` a candidate counts by the first beginning that more
 * characters cannot bring nearer: see `prefixTypoDistance`.
 * `maxTypos` is 0, 1 or 2 in practice; the tables grow steeply with it.
 */
export function buildTypoAutomaton(word: string, maxTypos: number, isPrefix: boolean): TypoAutomaton {
  return new WordAutomaton(word, maxTypos, isPrefix)
}

const shapesByTypos: TypoShapes[] = []

/** Equals no code point. */
const NO_CHARACTER = -1

/**
 * A state is a shape at a place of the word, as one number: nothing has to be found or kept for a word. States without a
 * future, dead ones and beginnings that are as near as they can be, are negative: their distance is `-1 - state`.
 */
class WordAutomaton implements TypoAutomaton {
  readonly start: number
  private readonly length: number
  /** The code points of the word, and behind them as many that are none as a window is long. */
  private readonly word: readonly number[]
  private readonly shapes: TypoShapes
  private readonly dead: number
  /** Of a state, where the place stands. */
  private readonly placeBits: number

  constructor(
    word: string,
    private readonly maxTypos: number,
    private readonly isPrefix: boolean,
  ) {
    this.shapes = shapesByTypos[maxTypos] ??= new TypoShapes(maxTypos)
    const characters = codePointsOf(word)
    this.length = characters.length
    for (let i = 0; i < this.shapes.windowSize; i++) characters.push(NO_CHARACTER)
    this.word = characters
    this.dead = settledAt(maxTypos + 1)
    this.placeBits = 32 - Math.clz32(characters.length)
    this.start = this.settle(this.shapes.start, 0)
  }

  step(state: number, codePoint: number): number {
    if (state < 0) return state
    const { shapes, placeBits } = this
    const place = state & ((1 << placeBits) - 1)
    const step = shapes.step(state >>> placeBits, this.windowAt(place, codePoint))
    return step === NO_SHAPE ? this.dead : this.settle(shapeOf(step), place + shiftOf(step))
  }

  canMatch(state: number): boolean {
    return state !== this.dead
  }

  distance(state: number): number {
    if (state < 0) return -1 - state
    const { shapes, placeBits, length } = this
    return shapes.typosAtEnd(state >>> placeBits, length - (state & ((1 << placeBits) - 1)))
  }

  private windowAt(place: number, codePoint: number): number {
    const { word } = this
    const { windowSize } = this.shapes
    let window = 0
    for (let i = 0; i < windowSize; i++) if (word[place + i] === codePoint) window |= 1 << i
    return window
  }

  private settle(shape: ShapeId, place: number): number {
    const { shapes, length, maxTypos } = this
    // All positions are behind the end.
    if (place > length) return this.dead
    if (this.isPrefix) {
      const typos = shapes.typosAtEnd(shape, length - place)
      if (typos <= maxTypos && shapes.fewestTypos(shape) >= typos) return settledAt(typos)
    }
    return (shape << this.placeBits) | place
  }
}

const settledAt = (distance: number): number => -1 - distance

function codePointsOf(text: string): number[] {
  const found: number[] = []
  for (let i = 0; i < text.length; ) {
    const codePoint = text.codePointAt(i)!
    found.push(codePoint)
    i += codePoint > 0xffff ? 2 : 1
  }
  return found
}
