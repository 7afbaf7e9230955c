import { grown } from '../posting-buffer.js'
import type { StepSource, WordSteps } from '../word-changes.js'

/** The steps of one word at a time, in columns that grow: the i-th has number i. */
export class ReceivedSteps implements StepSource {
  private docIds = new Uint32Array(256)
  private losses = new Uint8Array(256)
  private starts = new Uint32Array(257)
  private positions = new Uint32Array(512)
  private order = new Uint32Array(0)
  private count = 0

  clear(): void {
    this.count = 0
  }

  /** Behind all others. Its positions are pushed next. */
  begin(docId: number, isLoss: boolean): void {
    const { count } = this
    if (count === this.docIds.length) this.grow()
    this.docIds[count] = docId
    this.losses[count] = isLoss ? 1 : 0
    this.starts[count + 1] = this.starts[count]!
    this.count = count + 1
  }

  push(position: number): void {
    const at = this.starts[this.count]!
    if (at === this.positions.length) this.positions = grown(this.positions, at + 1)
    this.positions[at] = position
    this.starts[this.count] = at + 1
  }

  /** Good until `clear`. */
  get steps(): WordSteps {
    if (this.order.length < this.count) this.order = Uint32Array.from({ length: this.docIds.length }, (_, i) => i)
    return { changes: this, order: this.order, first: 0, end: this.count }
  }

  docIdOf(step: number): number {
    return this.docIds[step]!
  }

  isLoss(step: number): boolean {
    return this.losses[step] === 1
  }

  chunkOf(): Uint32Array {
    return this.positions
  }

  positionsFrom(step: number): number {
    return this.starts[step]!
  }

  positionsTo(step: number): number {
    return this.starts[step + 1]!
  }

  private grow(): void {
    const size = this.docIds.length * 2
    const losses = new Uint8Array(size)
    losses.set(this.losses)
    this.losses = losses
    this.docIds = grown(this.docIds, size)
    this.starts = grown(this.starts, size + 1)
  }
}
