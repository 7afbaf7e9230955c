/**
 * Levenshtein automata without a word (Schulz & Mihov, Fast String Correction with Levenshtein Automata, 2002).
 *
 * Reading a candidate against a word, one can be at several positions of the word at once: at 3 without a typo, or at 2
 * or 4 with one. Where these positions lie relative to the first of them, the *shape*, does not depend on the word, and
 * there are few shapes. Neither does the next shape, once it is known which of the next characters of the word equal the
 * character read: a bit for each, the *window*. So shapes and their transitions are found once for all words.
 */
export interface ShapeStep {
  /** Undefined when no position is left. */
  readonly shape: Shape | undefined
  /** How far the first position has moved. */
  readonly shift: number
}

interface Position {
  /** Characters of the word that have been read. */
  readonly offset: number
  readonly typos: number
  /** The next character but one was read instead of the next, which has to follow now: a swap. */
  readonly isSwapping: boolean
}

export class Shape {
  /** From 0 on, for each number of typos. */
  readonly id: number
  readonly #shapes: TypoShapes
  readonly #positions: readonly Position[]
  readonly #steps: (ShapeStep | undefined)[] = []
  readonly #fewestTypos: number

  constructor(id: number, shapes: TypoShapes, positions: readonly Position[]) {
    this.id = id
    this.#shapes = shapes
    this.#positions = positions
    this.#fewestTypos = Math.min(...positions.filter(({ isSwapping }) => !isSwapping).map(({ typos }) => typos))
  }

  /** The shape after a character: bit `i` of `window` says that it is the one `i` behind the first position. */
  step(window: number): ShapeStep {
    return (this.#steps[window] ??= this.#shapes.stepFrom(this.#positions, window))
  }

  /** Typos when the candidate ends here and `remaining` characters of the word follow the first position. */
  typosAtEnd(remaining: number): number {
    let fewest = Number.POSITIVE_INFINITY
    for (const { offset, typos, isSwapping } of this.#positions) {
      if (!isSwapping && offset <= remaining) fewest = Math.min(fewest, typos + remaining - offset)
    }
    return fewest
  }

  /** Fewest typos of any position: what the distance may still come down to. */
  get fewestTypos(): number {
    return this.#fewestTypos
  }
}

/** The shapes for a number of typos. */
export class TypoShapes {
  readonly start: Shape
  /** How many bits of the window are looked at. */
  readonly windowSize: number
  readonly #maxTypos: number
  readonly #known = new Map<string, Shape>()

  constructor(maxTypos: number) {
    this.#maxTypos = maxTypos
    // With r characters read and e typos a position is at r - e to r + e, and looks at most `maxTypos` - e further: all
    // that matters lies between r - `maxTypos` and r + `maxTypos`.
    this.windowSize = 2 * maxTypos + 1
    this.start = this.#shapeOf([{ offset: 0, typos: 0, isSwapping: false }])
  }

  stepFrom(positions: readonly Position[], window: number): ShapeStep {
    const reached = withoutNeedless(positions.flatMap((position) => this.#stepOne(position, window)))
    if (reached.length === 0) return { shape: undefined, shift: 0 }
    const shift = Math.min(...reached.map(({ offset }) => offset))
    return {
      shape: this.#shapeOf(reached.map((position) => ({ ...position, offset: position.offset - shift }))),
      shift,
    }
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

  #shapeOf(positions: readonly Position[]): Shape {
    const key = positions
      .map(({ offset, typos, isSwapping }) => `${offset} ${typos} ${isSwapping}`)
      .sort()
      .join()
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made = new Shape(this.#known.size, this, positions)
    this.#known.set(key, made)
    return made
  }
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
