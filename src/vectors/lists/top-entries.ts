import { KeyHeap } from '../../heap/index.js'

/** Keeps the documents with the highest scores of many that are offered. */
export class TopEntries {
  /** The lowest of them is the first. */
  private readonly heap: KeyHeap

  constructor(private readonly capacity: number) {
    this.heap = new KeyHeap(capacity)
  }

  /** Answers whether it is one of the highest so far. */
  offer(docId: number, score: number): boolean {
    const { heap } = this
    if (heap.size < this.capacity) heap.push(docId, score)
    else if (score > heap.firstKey) heap.replaceFirst(docId, score)
    else return false
    return true
  }

  /** Each once, in no order. */
  docIds(): number[] {
    return [...new Set(this.heap.allIds)]
  }
}
