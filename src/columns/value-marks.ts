/** Some values of a column, by ordinal. */
export class ValueMarks {
  /** By ordinal: one for those that are marked. To be read only, and asked for again when there is more room. */
  marks = new Uint8Array(1024)
  /** How many were marked. */
  size = 0

  has(ordinal: number): boolean {
    return this.marks[ordinal] === 1
  }

  add(ordinal: number): void {
    if (this.has(ordinal)) return
    this.reserve(ordinal + 1)
    this.marks[ordinal] = 1
    this.size++
  }

  /** Makes room for ordinals below `count`. */
  reserve(count: number): void {
    if (count <= this.marks.length) return
    const larger = new Uint8Array(2 * count)
    larger.set(this.marks)
    this.marks = larger
  }
}
