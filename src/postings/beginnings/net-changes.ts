import type { Postings } from '../model.js'
import { PlaceLog } from '../place-log.js'
import { subtractPlaces, unitePlaces } from '../place-sets.js'
import type { WordSteps } from '../word-changes.js'

const NONE = new Uint32Array(0)

/** What several words lose and gain in the end. */
export class NetChanges {
  readonly losses = new PlaceLog()
  readonly gains = new PlaceLog()

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
        log.add(docId, changes.chunkOf(step), changes.placesFrom(step), changes.placesTo(step))
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
      const told = changes.chunkOf(step).subarray(changes.placesFrom(step), changes.placesTo(step))
      if (changes.isLoss(step)) {
        lost = unitePlaces(lost, subtractPlaces(told, gained))
        gained = subtractPlaces(gained, told)
      } else {
        gained = unitePlaces(gained, subtractPlaces(told, lost))
        lost = subtractPlaces(lost, told)
      }
    }
    if (lost.length > 0) this.losses.add(docId, lost, 0, lost.length)
    if (gained.length > 0) this.gains.add(docId, gained, 0, gained.length)
  }
}

function addPostings(log: PlaceLog, { docIds, starts, places }: Postings): void {
  for (let i = 0; i < docIds.length; i++) log.add(docIds[i]!, places, starts[i]!, starts[i + 1]!)
}
