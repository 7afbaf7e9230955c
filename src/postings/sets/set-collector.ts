import { POSITION_STEPS, stepOf } from '../../text/index.js'
import type { TermChoice } from './frequent-terms.js'
import { ListPool } from './list-pool.js'
import { NumberTable } from './number-table.js'
import { NO_TERM, type TermLists } from './term-lists.js'
import { listOf, positionOf, type TokenTable } from './token-table.js'

/** Pairs that are further apart are strangers (spec 6 §4.6). */
export const MAX_DISTANCE = 3

const STEPS = POSITION_STEPS.length

const NONE = 0xffff_ffff

/**
 * Collects of documents, told in the order of their numbers, which have which term in which field, at which coarse
 * position, and which two terms near to each other: at the least distance in each document.
 */
export class SetCollector {
  readonly pool = new ListPool()
  /** Keys are a term times 65,536 plus a field, or plus another term; numbers count lists, or three lists each. */
  readonly fields = new NumberTable()
  readonly pairs = new NumberTable()
  private readonly fieldLists: number[] = []
  /** The first of the lists of a pair: the others follow. */
  private readonly pairLists: number[] = []
  private readonly positionLists: Uint32Array
  private readonly rarities: Uint8Array
  private readonly pairRarity: number
  private starts = new Uint32Array(0)
  private terms = new Uint16Array(0)
  private wordTerms = new Uint16Array(0)
  /** Those of the document at hand. */
  private positions = new Uint32Array(1024)
  private lists = new Uint32Array(1024)

  constructor({ terms, pairRarity }: TermChoice) {
    this.pairRarity = pairRarity
    this.rarities = Uint8Array.from(terms, ({ rarity }) => rarity)
    this.positionLists = new Uint32Array(terms.length * STEPS).fill(NONE)
  }

  /** The first document is number `first` of the table. */
  addAll(docs: Uint16Array, { starts, tokens }: TokenTable, first: number, lists: TermLists): void {
    this.starts = Uint32Array.from(lists.starts)
    this.terms = Uint16Array.from(lists.terms)
    this.wordTerms = Uint16Array.from(lists.wordTerms)
    for (let i = 0; i < docs.length; i++) this.add(docs[i]!, tokens, starts[first + i]!, starts[first + i + 1]!)
  }

  fieldDocs(number: number): Uint16Array {
    return this.pool.view(this.fieldLists[number]!)
  }

  /** Undefined when there are none. */
  stepDocs(term: number, step: number): Uint16Array | undefined {
    const list = this.positionLists[term * STEPS + step]!
    return list === NONE ? undefined : this.pool.view(list)
  }

  /** At a distance from 1 on. */
  pairDocs(number: number, distance: number): Uint16Array {
    return this.pool.view(this.pairLists[number]! + distance - 1)
  }

  private add(doc: number, tokens: Float64Array, from: number, to: number): void {
    const count = to - from
    if (count > this.positions.length) {
      this.positions = new Uint32Array(count * 2)
      this.lists = new Uint32Array(count * 2)
    }
    for (let i = 0; i < count; i++) {
      this.positions[i] = positionOf(tokens[from + i]!)
      this.lists[i] = listOf(tokens[from + i]!)
    }
    for (let i = 0; i < count; i++) {
      this.addAlone(doc, this.lists[i]!, this.positions[i]!)
      const left = this.wordTerms[this.lists[i]!]!
      if (left !== NO_TERM) this.addFollowing(doc, left, i, count)
    }
  }

  private addAlone(doc: number, list: number, place: number): void {
    const { pool, starts, terms, positionLists } = this
    const step = stepOf[place & 0xffff]!
    const field = place >>> 16
    for (let k = starts[list]!; k < starts[list + 1]!; k++) {
      const term = terms[k]!
      const ofField = this.fieldList(term, field)
      if (pool.last(ofField) !== doc) pool.push(ofField, doc)
      const at = term * STEPS + step
      if (positionLists[at] === NONE) positionLists[at] = pool.newList()
      if (pool.last(positionLists[at]!) !== doc) pool.push(positionLists[at]!, doc)
    }
  }

  private fieldList(term: number, field: number): number {
    const { fields, fieldLists } = this
    const number = fields.numberOf(((term << 16) | field) >>> 0)
    if (number === fieldLists.length) fieldLists.push(this.pool.newList())
    return fieldLists[number]!
  }

  private addFollowing(doc: number, left: number, at: number, count: number): void {
    const { positions, lists, starts, terms, rarities } = this
    const most = this.pairRarity - rarities[left]!
    const place = positions[at]!
    for (let next = at + 1; next < count; next++) {
      const distance = positions[next]! - place
      if (distance > MAX_DISTANCE || positions[next]! >>> 16 !== place >>> 16) return
      if (distance === 0) continue
      const list = lists[next]!
      for (let k = starts[list]!; k < starts[list + 1]!; k++) {
        const right = terms[k]!
        if (rarities[right]! <= most) this.addPair(doc, left, right, distance)
      }
    }
  }

  /** A document is in the list of its least distance only. */
  private addPair(doc: number, left: number, right: number, distance: number): void {
    const { pairs, pairLists, pool } = this
    const number = pairs.numberOf(((left << 16) | right) >>> 0)
    if (number === pairLists.length) {
      pairLists.push(pool.newList())
      for (let more = 1; more < MAX_DISTANCE; more++) pool.newList()
    }
    const first = pairLists[number]!
    for (let d = 0; d < distance; d++) if (pool.last(first + d) === doc) return
    for (let d = distance; d < MAX_DISTANCE; d++) if (pool.last(first + d) === doc) pool.pop(first + d)
    pool.push(first + distance - 1, doc)
  }
}
