import type { BlockReader } from './block-reader.js'
import type { ChosenDocs } from './chosen-docs.js'
import { distinctSorted, mergeEntries } from './entry-merge.js'
import type { Postings } from './model.js'
import { grown } from './posting-buffer.js'

/** Documents with places, in any order and a document as often as it likes, until they are put in order. */
export class PlaceLog {
  private docIds = new Uint32Array(1024)
  starts = new Uint32Array(1025)
  places = new Uint32Array(4096)
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
    this.reserve(1, to - from)
    this.docIds[count] = docId
    let next = this.placeCount
    for (let p = from; p < to; p++) this.places[next++] = places[p]!
    this.starts[count + 1] = next
    this.count = count + 1
  }

  /** What a block says of some documents, which ascend. `found` is memory for those that it has. */
  addSome(block: BlockReader, members: Uint32Array, found: ChosenDocs): void {
    found.reserve(block.count)
    this.addNumbered(block, found, 0, block.readSomeDocIds(members, found.docIds, found.numbers))
  }

  /** The same of documents `from` up to `to` of a list, which come with their numbers in the block. */
  addNumbered(block: BlockReader, { docIds, numbers }: ChosenDocs, from: number, to: number): void {
    const { count, placeCount } = this
    if (from === to) return
    this.reserve(to - from, block.placeCount)
    for (let k = from; k < to; k++) this.docIds[count + k - from] = docIds[k]!
    block.readSomePlaces(numbers.subarray(from, to), this, count, placeCount)
    this.count = count + to - from
  }

  private reserve(documents: number, places: number): void {
    const [size, end] = [this.count + documents, this.placeCount + places]
    if (size > this.docIds.length) {
      this.docIds = grown(this.docIds, size)
      this.starts = grown(this.starts, size + 1)
    }
    if (end > this.places.length) this.places = grown(this.places, end)
  }

  /** As they came, which was by docId, each once. */
  inOrder(): Postings {
    const { docIds, starts, places, count } = this
    return {
      docIds: docIds.slice(0, count),
      starts: starts.slice(0, count + 1),
      places: places.slice(0, starts[count]),
    }
  }

  /** By docId, each once, its places ascending. */
  merge(): Postings {
    const entries = this.docIds.subarray(0, this.count)
    const starts = this.starts.subarray(0, this.count + 1)
    const places = this.places.subarray(0, this.placeCount)
    return mergeEntries(entries, distinctSorted(entries), { starts, places })
  }
}
