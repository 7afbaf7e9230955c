/** Some values of a column, by ordinal. */
export class ValueMarks {
  private marks = new Uint8Array(1024)
  /** How many were marked. */
  size = 0

  has(ordinal: number): boolean {
    return this.marks[ordinal] === 1
  }

  add(ordinal: number): void {
    if (this.has(ordinal)) return
    if (ordinal >= this.marks.length) {
      const larger = new Uint8Array(2 * ordinal)
      larger.set(this.marks)
      this.marks = larger
    }
    this.marks[ordinal] = 1
    this.size++
  }
}
