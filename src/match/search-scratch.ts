import { SpareBits } from '../bitmap/index.js'
import { ValueTally } from '../columns/index.js'
import { ReadingMemory } from '../postings/index.js'
import { Pairs } from './doc-lists.js'

/** Room for numbers that grows as it has to. */
class NumberBuffer {
  private numbers = new Uint32Array(1024)

  /** At least so many of them; what was there is lost. */
  atLeast(count: number): Uint32Array {
    if (this.numbers.length < count) this.numbers = new Uint32Array(count * 2)
    return this.numbers
  }
}

/**
 * Memory that searches use again and again. Nothing in it outlives the step that put it there, and steps follow each other:
 * whoever opens several indexes on one thread makes one for all of them.
 */
export class SearchScratch {
  readonly pairs = new Pairs()
  /** Found members of many lists, one list behind the other. */
  readonly members = new NumberBuffer()
  /** Documents of a piece of postings, by their numbers. */
  readonly hits = new NumberBuffer()
  /** How often values are met. */
  readonly tally = new ValueTally()
  /** For sets that live no longer than a search. */
  readonly spareBits = new SpareBits()
  /** Where postings are read. */
  readonly reading = new ReadingMemory()
}
