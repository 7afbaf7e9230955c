import { copyTo } from '../copy-to.js'

/** Steps of facts one after the other: those of fact n are the ones from `bounds[n]` up to `bounds[n + 1]`. */
export interface SortedSteps {
  readonly bounds: Uint32Array
  readonly docIds: Uint32Array
  /** For each step 1 if it is a loss; undefined when none is. */
  readonly losses: Uint8Array | undefined
}

/**
 * Which documents gain or lose which facts, by the numbers of the facts, in the order in which it is told. Columns of
 * numbers: most facts are those of one document, and a list for each would take many times the memory.
 */
export class FactSteps {
  private facts = new Uint32Array(256)
  private docIds = new Uint32Array(256)
  private losses: Uint8Array | undefined
  private count = 0

  gain(fact: number, docId: number): void {
    if (this.count === this.facts.length) this.grow()
    this.facts[this.count] = fact
    this.docIds[this.count++] = docId
  }

  lose(fact: number, docId: number): void {
    this.gain(fact, docId)
    this.losses ??= new Uint8Array(this.facts.length)
    this.losses[this.count - 1] = 1
  }

  /** Sorted by counting, so that the steps of a fact stay in their order. */
  byFact(factCount: number): SortedSteps {
    const { facts, count } = this
    const next = new Uint32Array(factCount + 2)
    for (let i = 0; i < count; i++) next[facts[i]! + 2]!++
    for (let fact = 2; fact < next.length; fact++) next[fact]! += next[fact - 1]!
    const docIds = new Uint32Array(count)
    const losses = this.losses && new Uint8Array(count)
    for (let i = 0; i < count; i++) {
      const at = next[facts[i]! + 1]!++
      docIds[at] = this.docIds[i]!
      if (losses !== undefined) losses[at] = this.losses![i]!
    }
    return { bounds: next, docIds, losses }
  }

  private grow(): void {
    const size = this.facts.length * 2
    this.facts = copyTo(new Uint32Array(size), this.facts)
    this.docIds = copyTo(new Uint32Array(size), this.docIds)
    if (this.losses !== undefined) this.losses = copyTo(new Uint8Array(size), this.losses)
  }
}
