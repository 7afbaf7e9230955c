import type { FieldId } from '../documents/index.js'

const NONE = -1

/** What is known of the fields of one document while its texts are read. */
export class FieldStates {
  /** Fields that had a value. */
  readonly touched: FieldId[] = []
  private last = new Int32Array(64).fill(NONE)
  private counts = new Uint32Array(64)

  clear(): void {
    for (const fieldId of this.touched) {
      this.last[fieldId] = NONE
      this.counts[fieldId] = 0
    }
    this.touched.length = 0
  }

  /** Undefined before the first value. */
  lastPosition(fieldId: FieldId): number | undefined {
    const last = this.last[fieldId] ?? NONE
    return last === NONE ? undefined : last
  }

  setLastPosition(fieldId: FieldId, position: number): void {
    if (fieldId >= this.last.length) this.grow(fieldId + 1)
    if (this.last[fieldId] === NONE) this.touched.push(fieldId)
    this.last[fieldId] = position
  }

  addWords(fieldId: FieldId, count: number): void {
    this.counts[fieldId]! += count
  }

  wordCount(fieldId: FieldId): number {
    return this.counts[fieldId] ?? 0
  }

  private grow(needed: number): void {
    const size = Math.max(needed, this.last.length * 2)
    const last = new Int32Array(size).fill(NONE)
    last.set(this.last)
    const counts = new Uint32Array(size)
    counts.set(this.counts)
    this.last = last
    this.counts = counts
  }
}
