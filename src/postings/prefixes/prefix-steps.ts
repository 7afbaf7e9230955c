import type { Postings } from '../model.js'
import type { StepSource, WordSteps } from '../word-changes.js'

/** What a prefix loses and then gains, as steps: those of losses come first, then those of gains. */
export class PrefixSteps implements StepSource {
  constructor(
    private readonly losses: Postings,
    private readonly gains: Postings,
  ) {}

  /** By docId, and of a document its loss first: a position that passes from one word to another stays. */
  steps(): WordSteps {
    const [lost, gained] = [this.losses.docIds, this.gains.docIds]
    const order = new Uint32Array(lost.length + gained.length)
    let [i, j] = [0, 0]
    for (let at = 0; at < order.length; at++) {
      const isLossNext = i < lost.length && (j === gained.length || lost[i]! <= gained[j]!)
      order[at] = isLossNext ? i++ : lost.length + j++
    }
    return { changes: this, order, first: 0, end: order.length }
  }

  docIdOf(step: number): number {
    return this.side(step).docIds[this.at(step)]!
  }

  isLoss(step: number): boolean {
    return step < this.losses.docIds.length
  }

  chunkOf(step: number): Uint32Array {
    return this.side(step).positions
  }

  positionsFrom(step: number): number {
    return this.side(step).starts[this.at(step)]!
  }

  positionsTo(step: number): number {
    return this.side(step).starts[this.at(step) + 1]!
  }

  private side(step: number): Postings {
    return this.isLoss(step) ? this.losses : this.gains
  }

  private at(step: number): number {
    return this.isLoss(step) ? step : step - this.losses.docIds.length
  }
}
