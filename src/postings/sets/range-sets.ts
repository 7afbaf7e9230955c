import { POSITION_STEPS, stepOf } from '../../text/index.js'
import { DocMarks } from './doc-marks.js'
import type { TermChoice } from './frequent-terms.js'
import { ListPool } from './list-pool.js'
import type { RangeTokens } from './range-tokens.js'
import type { TermLists } from './term-lists.js'

/** Pairs that are further apart are strangers (spec 6 §4.6). */
export const MAX_DISTANCE = 3

/** What one entry is about, and its lists of documents. */
export interface SetPart {
  readonly part: number
  readonly lists: readonly Uint16Array[]
}

const NO_LIST = -1

/** The sets of some documents of one range, term by term. */
export class RangeSets {
  /** For each term the lists of terms that have it. */
  private readonly listsOf: number[][]
  /** By list: its terms. */
  private readonly termsOf: Uint16Array[]
  private readonly rarities: Uint8Array
  private readonly pairRarity: number
  private readonly fields = new Map<number, DocMarks>()
  private readonly steps = POSITION_STEPS.map(() => new DocMarks())
  private readonly pool = new ListPool()
  /** By the other term of a pair: the first of its lists, one for each distance. */
  private readonly pairLists: Int32Array
  private readonly rights: number[] = []

  constructor(
    { terms, pairRarity }: TermChoice,
    private readonly lists: TermLists,
    private readonly tokens: RangeTokens,
  ) {
    this.rarities = Uint8Array.from(terms, ({ rarity }) => rarity)
    this.pairRarity = pairRarity
    this.pairLists = new Int32Array(terms.length).fill(NO_LIST)
    this.listsOf = terms.map(() => [])
    this.termsOf = lists.wordTerms.map((_, list) => Uint16Array.from(lists.termsOf(list)))
    for (const [list, own] of this.termsOf.entries()) for (const term of own) this.listsOf[term]!.push(list)
  }

  /** Documents with a term by field, and by step of the position. */
  placesOf(term: number): { readonly fields: SetPart[]; readonly steps: SetPart[] } {
    for (const list of this.listsOf[term]!) this.markPlaces(list)
    const fields = [...this.fields.entries()].sort(([a], [b]) => a - b)
    return { fields: partsOf(fields), steps: partsOf(this.steps.entries()) }
  }

  private markPlaces(list: number): void {
    const { positionsOfList, docsOfList, ofListFrom } = this.tokens
    const { steps } = this
    let field = -1
    let ofField: DocMarks | undefined
    for (let i = ofListFrom[list]!; i < ofListFrom[list + 1]!; i++) {
      const doc = docsOfList[i]!
      const place = positionsOfList[i]!
      steps[stepOf[place & 0xffff]!]!.add(doc)
      if (place >>> 16 !== field) {
        field = place >>> 16
        ofField = this.fieldMarks(field)
      }
      ofField!.add(doc)
    }
  }

  private fieldMarks(field: number): DocMarks {
    const known = this.fields.get(field)
    if (known !== undefined) return known
    const made = new DocMarks()
    this.fields.set(field, made)
    return made
  }

  /** Terms that follow a word, with the documents by the least distance at which they do. None follow a prefix. */
  pairsOf(term: number): SetPart[] {
    const list = this.listsOf[term]!.find((own) => this.lists.wordTerms[own] === term)
    if (list === undefined) return []
    const { ofList, ofListFrom } = this.tokens
    for (let i = ofListFrom[list]!; i < ofListFrom[list + 1]!; i++) this.addFollowing(ofList[i]!, term)
    const parts = this.rights.sort((a, b) => a - b).map((part) => ({ part, lists: this.takeLists(part) }))
    this.rights.length = 0
    this.pool.clear()
    return parts
  }

  private takeLists(right: number): Uint16Array[] {
    const first = this.pairLists[right]!
    this.pairLists[right] = NO_LIST
    return Array.from({ length: MAX_DISTANCE }, (_, distance) => this.pool.view(first + distance))
  }

  private addFollowing(token: number, left: number): void {
    const { docs, positions, lists, numbers } = this.tokens
    const most = this.pairRarity - this.rarities[left]!
    const number = numbers[token]!
    const place = positions[token]!
    for (let next = token + 1; next < positions.length && numbers[next] === number; next++) {
      const distance = positions[next]! - place
      if (distance > MAX_DISTANCE || positions[next]! >>> 16 !== place >>> 16) return
      if (distance > 0) this.addPairs(docs[number]!, this.termsOf[lists[next]!]!, most, distance)
    }
  }

  private addPairs(doc: number, rights: Uint16Array, most: number, distance: number): void {
    const { rarities, pairLists } = this
    for (let k = 0; k < rights.length; k++) {
      const right = rights[k]!
      if (rarities[right]! > most) continue
      if (pairLists[right] === NO_LIST) this.openLists(right)
      this.addPair(doc, pairLists[right]!, distance)
    }
  }

  private openLists(right: number): void {
    this.pairLists[right] = this.pool.newList()
    for (let more = 1; more < MAX_DISTANCE; more++) this.pool.newList()
    this.rights.push(right)
  }

  /** A document is in the list of its least distance only. */
  private addPair(doc: number, first: number, distance: number): void {
    const { pool } = this
    for (let d = 0; d < distance; d++) if (pool.last(first + d) === doc) return
    for (let d = distance; d < MAX_DISTANCE; d++) if (pool.last(first + d) === doc) pool.pop(first + d)
    pool.push(first + distance - 1, doc)
  }
}

/** Those with documents, which are forgotten. */
function partsOf(marks: Iterable<[part: number, docs: DocMarks]>): SetPart[] {
  const parts: SetPart[] = []
  for (const [part, docs] of marks) if (!docs.isEmpty) parts.push({ part, lists: [docs.take()] })
  return parts
}
