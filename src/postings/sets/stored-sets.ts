import { type DenseDocSet, lowerBound } from '../../bitmap/index.js'
import { ByteReader } from '../../bytes/index.js'
import type { IndexFolder } from '../../folder/index.js'
import type { TermSets } from '../model.js'
import { addDocList, skipDocList } from './doc-list.js'
import { readChoice, readChoiceHead, type TermChoice } from './frequent-terms.js'
import { RANGE_SIZE, rangeOf, SET_KIND, type SetKind, setKey } from './set-key.js'
import { readStale } from './stale-docs.js'

const scratch = new Uint16Array(RANGE_SIZE)

/** Which documents have frequent terms where, as of the last `refresh`. */
export class StoredSets implements TermSets {
  private choice: TermChoice | undefined
  private words = new Map<string, number>()
  private prefixes = new Map<string, number>()
  private rangeCount: number | undefined
  private changed: Uint32Array | undefined

  constructor(private readonly folder: IndexFolder) {}

  /** Follows the last commit. */
  refresh(): void {
    this.changed = undefined
    const head = readChoiceHead(this.folder)
    if (head?.version !== this.choice?.version) this.readTerms()
    this.rangeCount = undefined
  }

  private get ranges(): number {
    this.rangeCount ??= rangeOf(this.folder.docIds().max) + 1
    return this.rangeCount
  }

  get isKept(): boolean {
    return this.choice !== undefined
  }

  get stale(): Uint32Array {
    this.changed ??= this.readChanged()
    return this.changed
  }

  staleBelow(limit: number): Uint32Array {
    return this.stale.subarray(0, lowerBound(this.stale, limit))
  }

  wordTerm(word: string): number | undefined {
    return this.words.get(word)
  }

  prefixTerm(prefix: string): number | undefined {
    return this.prefixes.get(prefix)
  }

  hasPairs(left: number, right: number): boolean {
    const { terms, pairRarity } = this.choice!
    return terms[left]!.rarity + terms[right]!.rarity <= pairRarity
  }

  addField(term: number, field: number, docs: DenseDocSet): void {
    this.add(SET_KIND.field, term, field, 0, docs)
  }

  addStep(term: number, step: number, docs: DenseDocSet): void {
    this.add(SET_KIND.position, term, step, 0, docs)
  }

  addPair(left: number, right: number, distance: number, docs: DenseDocSet): void {
    this.add(SET_KIND.pair, left, right, distance - 1, docs)
  }

  private add(kind: SetKind, term: number, part: number, list: number, docs: DenseDocSet): void {
    const { termSets } = this.folder.databases
    for (let range = 0; range < this.ranges; range++) {
      const bytes = termSets.getBorrowed(setKey(range, kind, term, part))
      if (bytes === undefined) continue
      const reader = new ByteReader(bytes)
      for (let before = 0; before < list; before++) skipDocList(reader, scratch)
      addDocList(reader, docs, range * RANGE_SIZE, scratch)
    }
  }

  private readTerms(): void {
    this.choice = readChoice(this.folder)
    this.words = new Map()
    this.prefixes = new Map()
    for (const [number, { text, isPrefix }] of this.choice?.terms.entries() ?? []) {
      if (isPrefix) this.prefixes.set(text, number)
      else this.words.set(text, number)
    }
  }

  private readChanged(): Uint32Array {
    const docIds: number[] = []
    for (let range = 0; range < this.ranges; range++) {
      for (const doc of readStale(this.folder, range)) docIds.push(range * RANGE_SIZE + doc)
    }
    return Uint32Array.from(docIds)
  }
}
