import { ByteWriter } from '../bytes/index.js'
import { checkBudget } from '../threads/index.js'

/** The beginning of an answer that was too large to be held, in a file without a name. Whoever has it closes it. */
export interface AnswerFile {
  readonly descriptor: number
  readonly sizeBytes: number
}

/** Where answers go that are too large to be held in memory. */
export interface AnswerOverflow {
  write(bytes: Uint8Array): void
  /** All that was written. */
  finish(): AnswerFile
  /** Nobody wants it. */
  discard(): void
}

/** As much of an answer is held in memory. Most have some kilobytes. */
const MAX_HELD_BYTES = 4 << 20

/** Writes an answer. Between hits it may move what there is so far out of memory. */
export class AnswerWriter extends ByteWriter {
  private overflow: AnswerOverflow | undefined
  private openOverflow: (() => AnswerOverflow) | undefined

  /** Starts anew. Without `openOverflow` all of the answer is held. */
  begin(openOverflow: (() => AnswerOverflow) | undefined): void {
    this.clear()
    this.openOverflow = openOverflow
    this.overflow = undefined
  }

  /** To be called when a hit has been written. */
  endHit(): void {
    checkBudget()
    if (this.length >= MAX_HELD_BYTES && this.openOverflow !== undefined) this.moveOut(this.openOverflow)
  }

  private moveOut(open: () => AnswerOverflow): void {
    this.overflow ??= open()
    this.overflow.write(this.view())
    this.clear()
  }

  /** The whole answer where it is not in memory; undefined where it is. */
  takeFile(): AnswerFile | undefined {
    if (this.overflow === undefined) return undefined
    this.moveOut(() => this.overflow!)
    const file = this.overflow.finish()
    this.overflow = undefined
    return file
  }

  /** Nobody wants what was written. */
  discard(): void {
    this.clear()
    this.overflow?.discard()
    this.overflow = undefined
  }
}
