/** Keeps the documents with the highest scores of many that are offered: a heap with the lowest of them on top. */
export class TopEntries {
  private readonly scores: Float64Array
  private readonly ids: Uint32Array
  private size = 0

  constructor(private readonly capacity: number) {
    this.scores = new Float64Array(capacity)
    this.ids = new Uint32Array(capacity)
  }

  /** Answers whether it is one of the highest so far. */
  offer(docId: number, score: number): boolean {
    if (this.size < this.capacity) this.rise(this.size++, docId, score)
    else if (score > this.scores[0]!) this.sink(docId, score)
    else return false
    return true
  }

  /** Each once, in no order. */
  docIds(): number[] {
    return [...new Set(this.ids.subarray(0, this.size))]
  }

  private rise(from: number, docId: number, score: number): void {
    const { scores, ids } = this
    let at = from
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (scores[parent]! <= score) break
      scores[at] = scores[parent]!
      ids[at] = ids[parent]!
      at = parent
    }
    scores[at] = score
    ids[at] = docId
  }

  /** In place of the lowest. */
  private sink(docId: number, score: number): void {
    const { scores, ids, size } = this
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && scores[child + 1]! < scores[child]!) child++
      if (scores[child]! >= score) break
      scores[at] = scores[child]!
      ids[at] = ids[child]!
      at = child
    }
    scores[at] = score
    ids[at] = docId
  }
}
