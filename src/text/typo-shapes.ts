/**
 * Levenshtein automata without a word (Schulz & Mihov, Fast String Correction with Levenshtein Automata, 2002).
 *
 * Reading a candidate against a word, one can be at several positions of the word at once: at 3 without a typo, or at 2
 * or 4 with one. Where these positions lie relative to the first of them, the *shape*, does not depend on the word, and
 * there are few shapes. Neither does the next shape, once it is known which of the next characters of the word equal the
 * character read: a bit for each, the *window*. So shapes and their transitions are found once for all words.
 */
/** From 0 on, for each number of typos. */
export type ShapeId = number

/** No position is left. */
export const NO_SHAPE = -1

const UNKNOWN = -2

// A shift is no longer than a window, which has 7 bits with 3 typos: more than anybody asks for.
const SHIFT_BITS = 4

export const shapeOf = (step: number): ShapeId => step >>> SHIFT_BITS
export const shiftOf = (step: number): number => step & ((1 << SHIFT_BITS) - 1)

interface Position {
  /** Characters of the word that have been read. */
  readonly offset: number
  readonly typos: number
  /** The next character but one was read instead of the next, which has to follow now: a swap. */
  readonly isSwapping: boolean
}

/** The shapes for a number of typos. They and their steps are found as they are asked for, and kept in tables. */
export class TypoShapes {
  /** How many bits of the window are looked at. */
  readonly windowSize: number
  readonly start: ShapeId
  readonly #maxTypos: number
  readonly #numbers = new Map<string, ShapeId>()
  readonly #positions: (readonly Position[])[] = []
  /** From so many characters on that are left of a word, all ends have too many typos. */
  readonly #endSize: number
  // By shape and window, by shape and number of characters left, and by shape.
  #steps = new Int32Array(0)
  #ends = new Uint8Array(0)
  #fewest = new Uint8Array(0)

  constructor(maxTypos: number) {
    this.#maxTypos = maxTypos
    // With r characters read and e typos a position is at r - e to r + e, and looks at most `maxTypos` - e further: all
    // that matters lies between r - `maxTypos` and r + `maxTypos`.
    this.windowSize = 2 * maxTypos + 1
    this.#endSize = this.windowSize + 1 + maxTypos + 1
    this.start = this.#numberOf([{ offset: 0, typos: 0, isSwapping: false }])
  }

  /**
   * What follows a shape, with the shape and the way that the first position has moved in one number (`shapeOf`,
   * `shiftOf`), or `NO_SHAPE`. Bit `i` of `window` says that the character read is the one `i` behind the first position.
   */
  step(shape: ShapeId, window: number): number {
    const known = this.#steps[(shape << this.windowSize) | window]!
    return known === UNKNOWN ? this.#findStep(shape, window) : known
  }

  /** Typos when the candidate ends here and `remaining` characters of the word follow the first position. */
  typosAtEnd(shape: ShapeId, remaining: number): number {
    if (remaining < 0 || remaining >= this.#endSize) return this.#maxTypos + 1
    return this.#ends[shape * this.#endSize + remaining]!
  }

  /** Fewest typos of any position: what the distance may still come down to. */
  fewestTypos(shape: ShapeId): number {
    return this.#fewest[shape]!
  }

  #findStep(shape: ShapeId, window: number): number {
    const positions = this.#positions[shape]!
    const reached = withoutNeedless(positions.flatMap((position) => this.#stepOne(position, window)))
    const step = reached.length === 0 ? NO_SHAPE : this.#stepTo(reached)
    this.#steps[(shape << this.windowSize) | window] = step
    return step
  }

  #stepTo(reached: readonly Position[]): number {
    const shift = Math.min(...reached.map(({ offset }) => offset))
    const shape = this.#numberOf(reached.map((position) => ({ ...position, offset: position.offset - shift })))
    return (shape << SHIFT_BITS) | shift
  }

  #stepOne({ offset, typos, isSwapping }: Position, window: number): Position[] {
    const isNext = (ahead: number) => ((window >>> (offset + ahead)) & 1) === 1
    const at = (ahead: number, more: number): Position => ({
      offset: offset + ahead,
      typos: typos + more,
      isSwapping: false,
    })
    if (isSwapping) return isNext(0) ? [at(2, 0)] : []
    const left = this.#maxTypos - typos
    const reached = left > 0 ? [at(0, 1), at(1, 1)] : []
    // `deleted` characters of the word are missing, then it goes on.
    for (let deleted = 0; deleted <= left; deleted++) if (isNext(deleted)) reached.push(at(deleted + 1, deleted))
    if (left > 0 && isNext(1)) reached.push({ offset, typos: typos + 1, isSwapping: true })
    return reached
  }

  #numberOf(positions: readonly Position[]): ShapeId {
    const key = positions
      .map(({ offset, typos, isSwapping }) => `${offset} ${typos} ${isSwapping}`)
      .sort()
      .join()
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const shape = this.#positions.push(positions) - 1
    this.#numbers.set(key, shape)
    this.#growTables()
    const settled = positions.filter(({ isSwapping }) => !isSwapping)
    this.#fewest[shape] = Math.min(...settled.map(({ typos }) => typos), this.#maxTypos + 1)
    for (let left = 0; left < this.#endSize; left++) {
      this.#ends[shape * this.#endSize + left] = this.#fewestAtEnd(settled, left)
    }
    return shape
  }

  #fewestAtEnd(positions: readonly Position[], remaining: number): number {
    let fewest = this.#maxTypos + 1
    for (const { offset, typos } of positions) {
      if (offset <= remaining) fewest = Math.min(fewest, typos + remaining - offset)
    }
    return fewest
  }

  #growTables(): void {
    if (this.#positions.length <= this.#fewest.length) return
    const size = this.#positions.length * 2
    const before = this.#steps
    this.#steps = new Int32Array(size << this.windowSize).fill(UNKNOWN)
    this.#steps.set(before)
    this.#ends = enlarged(this.#ends, size * this.#endSize)
    this.#fewest = enlarged(this.#fewest, size)
  }
}

function enlarged(before: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const after = new Uint8Array(size)
  after.set(before)
  return after
}

/**
 * Drops positions that another makes needless: with fewer typos, and not further away than the difference, it reaches
 * every end at least as cheaply. Of equal ones the first stays.
 */
function withoutNeedless(positions: readonly Position[]): Position[] {
  return positions.filter(
    (position, index) =>
      !positions.some((other, otherIndex) =>
        isEqual(position, other) ? otherIndex < index : makesNeedless(other, position),
      ),
  )
}

function isEqual(a: Position, b: Position): boolean {
  return a.offset === b.offset && a.typos === b.typos && a.isSwapping === b.isSwapping
}

function makesNeedless(better: Position, worse: Position): boolean {
  if (better.isSwapping || worse.isSwapping) return false
  return worse.typos - better.typos >= Math.abs(worse.offset - better.offset)
}
