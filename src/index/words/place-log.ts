import { distinctSorted, mergeEntries } from './entry-merge.js'
import type { Postings } from './model.js'
import { grown } from './posting-buffer.js'

/** Documents with places, in any order and a document as often as it likes, until they are put in order. */
export class PlaceLog {
  private docIds = new Uint32Array(1024)
  private starts = new Uint32Array(1025)
  private places = new Uint32Array(4096)
  private count = 0

  get isEmpty(): boolean {
    return this.count === 0
  }

  get placeCount(): number {
    return this.starts[this.count]!
  }

  clear(): void {
    this.count = 0
  }

  add(docId: number, places: Uint32Array, from: number, to: number): void {
    const { count } = this
    const start = this.starts[count]!
    if (count === this.docIds.length) {
      this.docIds = grown(this.docIds, count + 1)
      this.starts = grown(this.starts, count + 2)
    }
    if (start + to - from > this.places.length) this.places = grown(this.places, start + to - from)
    this.docIds[count] = docId
    let next = start
    for (let p = from; p < to; p++) this.places[next++] = places[p]!
    this.starts[count + 1] = next
    this.count = count + 1
  }

  /** By docId, each once, its places ascending. */
  merge(): Postings {
    const entries = this.docIds.subarray(0, this.count)
    const starts = this.starts.subarray(0, this.count + 1)
    const places = this.places.subarray(0, this.placeCount)
    return mergeEntries(entries, distinctSorted(entries), { starts, places })
  }
}
