/** Rows in descending order of their values, each found when it is asked for: a heap with the largest on top. */
export class LargestFirst {
  private readonly rows: Uint32Array
  private size: number

  /** The rows from `first` on. `values` has one for each row. */
  constructor(
    private readonly values: Float64Array,
    first: number,
  ) {
    this.size = Math.max(0, values.length - first)
    this.rows = new Uint32Array(this.size)
    for (let i = 0; i < this.size; i++) this.rows[i] = first + i
    for (let at = (this.size >>> 1) - 1; at >= 0; at--) this.sink(at, this.rows[at]!)
  }

  /** -1 when there is none left. */
  next(): number {
    if (this.size === 0) return -1
    const largest = this.rows[0]!
    this.size--
    this.sink(0, this.rows[this.size]!)
    return largest
  }

  /** Finds the place of a row from `from` on downwards; the larger of its children move up. */
  private sink(from: number, row: number): void {
    const { rows, values, size } = this
    const value = values[row]!
    let at = from
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && values[rows[child + 1]!]! > values[rows[child]!]!) child++
      if (value >= values[rows[child]!]!) break
      rows[at] = rows[child]!
      at = child
    }
    rows[at] = row
  }
}
