import type { TermLists } from './term-lists.js'
import { listOf, positionOf, type TokenTable } from './token-table.js'

/** What stands in some documents of one range, in its order and by the lists of terms that words stand for. */
export class RangeTokens {
  /** By token: its position, its list, and the number of its document among `docs`. Tokens of a document lie together. */
  readonly positions: Uint32Array
  readonly lists: Uint16Array
  readonly numbers: Uint16Array
  /**
   * Tokens by list, each in their order, with their positions and documents: those of a list from `ofListFrom[list]` up to
   * `ofListFrom[list + 1]`.
   */
  readonly ofList: Uint32Array
  readonly positionsOfList: Uint32Array
  readonly docsOfList: Uint16Array
  readonly ofListFrom: Uint32Array

  /** The first document is number `first` of the table. */
  constructor(
    /** Counted from the first of the range, ascending. */
    readonly docs: Uint16Array,
    { starts, tokens }: TokenTable,
    first: number,
    { wordTerms: { length: listCount } }: TermLists,
  ) {
    const from = starts[first]!
    const count = starts[first + docs.length]! - from
    this.positions = new Uint32Array(count)
    this.lists = new Uint16Array(count)
    this.numbers = new Uint16Array(count)
    this.ofList = new Uint32Array(count)
    this.positionsOfList = new Uint32Array(count)
    this.docsOfList = new Uint16Array(count)
    this.ofListFrom = new Uint32Array(listCount + 1)
    for (let i = 0; i < count; i++) {
      this.positions[i] = positionOf(tokens[from + i]!)
      this.lists[i] = listOf(tokens[from + i]!)
    }
    for (let i = 0; i < docs.length; i++) this.numbers.fill(i, starts[first + i]! - from, starts[first + i + 1]! - from)
    this.sortByList()
  }

  private sortByList(): void {
    const { docs, lists, positions, numbers, ofList, positionsOfList, docsOfList, ofListFrom } = this
    for (let i = 0; i < lists.length; i++) ofListFrom[lists[i]! + 1]!++
    for (let list = 1; list < ofListFrom.length; list++) ofListFrom[list] = ofListFrom[list]! + ofListFrom[list - 1]!
    const next = ofListFrom.slice()
    for (let i = 0; i < lists.length; i++) {
      const at = next[lists[i]!]!++
      ofList[at] = i
      positionsOfList[at] = positions[i]!
      docsOfList[at] = docs[numbers[i]!]!
    }
  }
}
