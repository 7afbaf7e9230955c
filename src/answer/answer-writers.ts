import { AnswerWriter } from './answer-writer.js'

/** Most answers fit. */
const USUAL_BYTES = 64 * 1024

/** Writers of answers, of which one is used again and again. */
export class AnswerWriters {
  private spare: AnswerWriter | undefined

  /** Whoever comes while it is lent gets another. */
  lend(): AnswerWriter {
    const writer = this.spare ?? new AnswerWriter(USUAL_BYTES)
    this.spare = undefined
    return writer
  }

  giveBack(writer: AnswerWriter): void {
    this.spare = writer
  }
}
