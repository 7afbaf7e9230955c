/**
 * Typos between two words (spec 5 §4.2): insertions, deletions, substitutions and swaps of neighbours, each 1, where a
 * swapped pair is not edited again (optimal string alignment). Counted in code points.
 *
 *         c a              rows: the candidate, columns: the word; each cell is the distance of two prefixes.
 *       0 1 2              `ca` to `abc` is 3, the cell at the end: `ca`, `ac` and then inserting inside the
 *     a 1 1 1              swapped pair is not allowed
 *     b 2 2 2
 *     c 3 2 3
 *
 * Returns `max` + 1 as soon as it is clear that there are more than `max`.
 */
export function typoDistance(word: string, candidate: string, max: number): number {
  const columns = toCodePoints(word)
  const rows = toCodePoints(candidate)
  if (Math.abs(rows.length - columns.length) > max) return max + 1
  let distance = columns.length
  const isWithin = eachRow({ columns, rows, max }, (last) => {
    distance = last
  })
  return isWithin ? Math.min(distance, max + 1) : max + 1
}

/**
 * Typos between `word` and a beginning of `candidate`: the first one from which no beginning of the word is nearer than
 * the whole word, so that reading on cannot help; without such a one, all of `candidate`. For `marriage` the beginning
 * `marrie` of `married` does not count, since `marri` is nearer and more could follow; `martiale` of `martialed` does.
 * `max` + 1 beyond `max`.
 */
export function prefixTypoDistance(word: string, candidate: string, max: number): number {
  const columns = toCodePoints(word)
  const rows = toCodePoints(candidate)
  let [distance, isSettled] = [columns.length, columns.length === 0]
  const isWithin = eachRow({ columns, rows, max }, (last, smallest) => {
    if (isSettled) return
    distance = last
    isSettled = last <= max && smallest >= last
  })
  return isWithin || isSettled ? Math.min(distance, max + 1) : max + 1
}

function toCodePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!)
}

interface Matrix {
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  readonly max: number
}

/** Hands out the last and the smallest cell of each row; stops with false when no later row can come down to `max` again. */
function eachRow({ columns, rows, max }: Matrix, visit: (last: number, smallest: number) => void): boolean {
  let twoAbove: number[] = []
  let above = Array.from({ length: columns.length + 1 }, (_, column) => column)
  let smallestAbove = 0
  for (let row = 1; row <= rows.length; row++) {
    const current = nextRow({ columns, rows, row, above, twoAbove })
    const smallest = current.reduce((a, b) => Math.min(a, b))
    visit(current[columns.length]!, smallest)
    // A swap reaches over one row, so two hopeless ones have to follow each other.
    if (smallest > max && smallestAbove > max) return false
    twoAbove = above
    above = current
    smallestAbove = smallest
  }
  return true
}

interface RowState {
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  readonly row: number
  readonly above: readonly number[]
  readonly twoAbove: readonly number[]
}

function nextRow({ columns, rows, row, above, twoAbove }: RowState): number[] {
  const current = [row]
  for (let column = 1; column <= columns.length; column++) {
    const isSame = rows[row - 1] === columns[column - 1]
    let cell = Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + (isSame ? 0 : 1))
    const isSwap =
      row > 1 && column > 1 && rows[row - 1] === columns[column - 2] && rows[row - 2] === columns[column - 1]
    if (isSwap) cell = Math.min(cell, twoAbove[column - 2]! + 1)
    current.push(cell)
  }
  return current
}
