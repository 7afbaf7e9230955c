import type { Postings } from '../model.js'
import { PositionLog } from '../position-log.js'
import { subtractPositions, unitePositions } from '../position-sets.js'
import type { WordSteps } from '../word-changes.js'

const NONE = new Uint32Array(0)

/** What several words lose and gain in the end. */
export class NetChanges {
  readonly losses = new PositionLog()
  readonly gains = new PositionLog()

  get isEmpty(): boolean {
    return this.losses.isEmpty && this.gains.isEmpty
  }

  clear(): void {
    this.losses.clear()
    this.gains.clear()
  }

  /** Of one word. */
  add({ changes, order, first, end }: WordSteps): void {
    let next = first
    while (next < end) {
      const from = next++
      const step = order[from]!
      const docId = changes.docIdOf(step)
      while (next < end && changes.docIdOf(order[next]!) === docId) next++
      if (next > from + 1) this.addNet(docId, { changes, order, first: from, end: next })
      else {
        const log = changes.isLoss(step) ? this.losses : this.gains
        log.add(docId, changes.chunkOf(step), changes.positionsFrom(step), changes.positionsTo(step))
      }
    }
  }

  addAll(losses: Postings, gains: Postings): void {
    addPostings(this.losses, losses)
    addPostings(this.gains, gains)
  }

  /** What is lost and gained again, or gained and lost again, is neither. */
  private addNet(docId: number, { changes, order, first, end }: WordSteps): void {
    let lost: Uint32Array = NONE
    let gained: Uint32Array = NONE
    for (let i = first; i < end; i++) {
      const step = order[i]!
      const told = changes.chunkOf(step).subarray(changes.positionsFrom(step), changes.positionsTo(step))
      if (changes.isLoss(step)) {
        lost = unitePositions(lost, subtractPositions(told, gained))
        gained = subtractPositions(gained, told)
      } else {
        gained = unitePositions(gained, subtractPositions(told, lost))
        lost = subtractPositions(lost, told)
      }
    }
    if (lost.length > 0) this.losses.add(docId, lost, 0, lost.length)
    if (gained.length > 0) this.gains.add(docId, gained, 0, gained.length)
  }
}

function addPostings(log: PositionLog, { docIds, starts, positions }: Postings): void {
  for (let i = 0; i < docIds.length; i++) log.add(docIds[i]!, positions, starts[i]!, starts[i + 1]!)
}
