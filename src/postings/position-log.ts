import type { BlockReader } from './block-reader.js'
import type { ChosenDocs } from './chosen-docs.js'
import { distinctSorted, mergeEntries } from './entry-merge.js'
import type { Postings } from './model.js'
import { grown } from './posting-buffer.js'

/** Documents with positions, in any order and a document as often as it likes, until they are put in order. */
export class PositionLog {
  private docIds = new Uint32Array(1024)
  starts = new Uint32Array(1025)
  positions = new Uint32Array(4096)
  private count = 0

  get isEmpty(): boolean {
    return this.count === 0
  }

  get positionCount(): number {
    return this.starts[this.count]!
  }

  clear(): void {
    this.count = 0
  }

  add(docId: number, positions: Uint32Array, from: number, to: number): void {
    const { count } = this
    this.reserve(1, to - from)
    this.docIds[count] = docId
    let next = this.positionCount
    for (let p = from; p < to; p++) this.positions[next++] = positions[p]!
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
    const { count, positionCount } = this
    if (from === to) return
    this.reserve(to - from, block.positionCount)
    for (let k = from; k < to; k++) this.docIds[count + k - from] = docIds[k]!
    block.readSomePositions(numbers.subarray(from, to), this, count, positionCount)
    this.count = count + to - from
  }

  private reserve(documents: number, positions: number): void {
    const [size, end] = [this.count + documents, this.positionCount + positions]
    if (size > this.docIds.length) {
      this.docIds = grown(this.docIds, size)
      this.starts = grown(this.starts, size + 1)
    }
    if (end > this.positions.length) this.positions = grown(this.positions, end)
  }

  /** As they came, which was by docId, each once. */
  inOrder(): Postings {
    const { docIds, starts, positions, count } = this
    return {
      docIds: docIds.slice(0, count),
      starts: starts.slice(0, count + 1),
      positions: positions.slice(0, starts[count]),
    }
  }

  /** By docId, each once, its positions ascending. */
  merge(): Postings {
    const entries = this.docIds.subarray(0, this.count)
    const starts = this.starts.subarray(0, this.count + 1)
    const positions = this.positions.subarray(0, this.positionCount)
    return mergeEntries(entries, distinctSorted(entries), { starts, positions })
  }
}
