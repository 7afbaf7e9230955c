import type { RangeLog } from './range-log.js'
import { RANGE_SIZE } from './set-key.js'
import type { TermLists } from './term-lists.js'

/** Lists of terms are numbered below: a place and a list make one number of 48 bits. */
const LIST_LIMIT = 1 << 16

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

  constructor(
    /** Counted from the first of the range, ascending. */
    readonly docs: Uint16Array,
    log: RangeLog,
    { wordTerms: { length: listCount } }: TermLists,
  ) {
    const { count } = log
    this.positions = new Uint32Array(count)
    this.lists = new Uint16Array(count)
    this.numbers = new Uint16Array(count)
    this.ofList = new Uint32Array(count)
    this.positionsOfList = new Uint32Array(count)
    this.docsOfList = new Uint16Array(count)
    this.ofListFrom = new Uint32Array(listCount + 1)
    this.sortByDocument(log)
    this.sortByList()
  }

  private sortByDocument(log: RangeLog): void {
    const { docs, positions, lists, numbers } = this
    const numberOf = new Uint16Array(RANGE_SIZE)
    for (let i = 0; i < docs.length; i++) numberOf[docs[i]!] = i
    const starts = new Uint32Array(docs.length + 1)
    log.each((_list, doc) => {
      starts[numberOf[doc]! + 1]!++
    })
    for (let i = 1; i < starts.length; i++) starts[i] = starts[i]! + starts[i - 1]!
    const tokens = new Float64Array(log.count)
    const next = starts.slice()
    log.each((list, doc, place) => {
      tokens[next[numberOf[doc]!]!++] = place * LIST_LIMIT + list
    })
    for (let i = 0; i < docs.length; i++) {
      tokens.subarray(starts[i]!, starts[i + 1]!).sort()
      numbers.fill(i, starts[i]!, starts[i + 1]!)
    }
    for (let i = 0; i < tokens.length; i++) {
      positions[i] = Math.floor(tokens[i]! / LIST_LIMIT)
      lists[i] = tokens[i]! % LIST_LIMIT
    }
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
