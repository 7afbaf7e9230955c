import { type Shape, TypoShapes } from './typo-shapes.js'

/**
 * Reads candidates code point by code point and knows at each how many typos they have from a word, without looking
 * back: made for walking a sorted list of words, where a state is kept for each common beginning.
 */
export interface TypoAutomaton {
  readonly start: number
  /** The state after one more code point. States are small integers; each step is a table look-up once seen. */
  step(state: number, codePoint: number): number
  /** Whether this state or any that follows it accepts. When not, all longer candidates can be skipped. */
  canMatch(state: number): boolean
  /** Typos of the candidate read so far; `maxTypos` + 1 when there are more. */
  distance(state: number): number
}

/**
 * An automaton for the distance of spec 5 §4.2. With `isPrefix` a candidate counts by the first beginning that more
 * characters cannot bring nearer: see `prefixTypoDistance`.
 * `maxTypos` is 0, 1 or 2 in practice; the cost of building grows steeply with it.
 */
export function buildTypoAutomaton(word: string, maxTypos: number, isPrefix: boolean): TypoAutomaton {
  return new WordAutomaton(word, maxTypos, isPrefix)
}

const shapesByTypos: TypoShapes[] = []

const UNKNOWN = -1
const ASCII_SIZE = 0x80

/** A shape at a place of the word. */
interface State {
  /** Undefined when nothing that follows changes the distance any more. */
  readonly shape: Shape | undefined
  readonly base: number
  /** The distance, once it is settled. */
  readonly settled: number
}

class WordAutomaton implements TypoAutomaton {
  readonly start: number
  private readonly word: readonly number[]
  private readonly maxTypos: number
  private readonly isPrefix: boolean
  private readonly shapes: TypoShapes
  private readonly letters: Letters
  private readonly states: State[] = []
  private readonly distances: number[] = []
  private readonly ids = new Map<number, number>()
  // By state and letter.
  private transitions = new Int32Array(0)

  constructor(word: string, maxTypos: number, isPrefix: boolean) {
    this.word = Array.from(word, (character) => character.codePointAt(0)!)
    this.maxTypos = maxTypos
    this.isPrefix = isPrefix
    this.shapes = shapesByTypos[maxTypos] ??= new TypoShapes(maxTypos)
    this.letters = new Letters(this.word)
    this.start = this.idOf(this.settle({ shape: this.shapes.start, base: 0, settled: maxTypos + 1 }))
  }

  step(state: number, codePoint: number): number {
    const letter = this.letters.numberOf(codePoint)
    const transition = state * this.letters.count + letter
    const known = this.transitions[transition]!
    if (known !== UNKNOWN) return known
    // Numbering a new state may move the transitions to larger memory.
    const next = this.idOf(this.findNext(this.states[state]!, codePoint))
    this.transitions[transition] = next
    return next
  }

  canMatch(state: number): boolean {
    return this.states[state]!.shape !== undefined || this.distances[state]! <= this.maxTypos
  }

  distance(state: number): number {
    return this.distances[state]!
  }

  private findNext(state: State, codePoint: number): State {
    if (state.shape === undefined) return state
    const { shape, shift } = state.shape.step(this.windowAt(state.base, codePoint))
    return this.settle({ shape, base: state.base + shift, settled: this.maxTypos + 1 })
  }

  private windowAt(base: number, codePoint: number): number {
    let window = 0
    for (let i = 0; i < this.shapes.windowSize; i++) if (this.word[base + i] === codePoint) window |= 1 << i
    return window
  }

  /** Gives states without a future one form: dead ones, and beginnings that are as near as they can be. */
  private settle(state: State): State {
    if (state.shape === undefined) return { shape: undefined, base: 0, settled: this.maxTypos + 1 }
    const typos = this.typosAtEnd(state)
    const isSettled = this.isPrefix && typos <= this.maxTypos && state.shape.fewestTypos >= typos
    return isSettled ? { shape: undefined, base: 0, settled: typos } : state
  }

  private typosAtEnd({ shape, base }: State): number {
    if (shape === undefined) return this.maxTypos + 1
    return Math.min(shape.typosAtEnd(this.word.length - base), this.maxTypos + 1)
  }

  private idOf(state: State): number {
    const shapeKey = state.shape === undefined ? 0 : state.shape.id + 1
    const key = (shapeKey * (this.word.length + this.maxTypos + 1) + state.base) * (this.maxTypos + 2) + state.settled
    const known = this.ids.get(key)
    if (known !== undefined) return known
    const id = this.states.push(state) - 1
    this.distances.push(state.shape === undefined ? state.settled : this.typosAtEnd(state))
    this.ids.set(key, id)
    this.growTransitions()
    return id
  }

  private growTransitions(): void {
    const needed = this.states.length * this.letters.count
    if (needed <= this.transitions.length) return
    const grown = new Int32Array(needed * 2).fill(UNKNOWN)
    grown.set(this.transitions)
    this.transitions = grown
  }
}

/** Numbers the different characters of a word from 1; 0 stands for all others. */
class Letters {
  readonly count: number
  private readonly ascii: Uint16Array = new Uint16Array(ASCII_SIZE)
  private readonly others = new Map<number, number>()

  constructor(word: readonly number[]) {
    const different = [...new Set(word)]
    this.count = different.length + 1
    different.forEach((codePoint, index) => {
      if (codePoint < ASCII_SIZE) this.ascii[codePoint] = index + 1
      else this.others.set(codePoint, index + 1)
    })
  }

  numberOf(codePoint: number): number {
    return codePoint < ASCII_SIZE ? this.ascii[codePoint]! : (this.others.get(codePoint) ?? 0)
  }
}
