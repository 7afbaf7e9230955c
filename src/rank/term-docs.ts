import { type DenseDocSet, type DocSet, SparseDocSet } from '../bitmap/index.js'
import type { Pairs, SearchScratch } from '../match/index.js'
import type { DocIdSource } from '../postings/index.js'

/** Lists with more than this share of all documents, as a divisor, are worth bits. */
const LONG = 32

/** Of docIds of several lists, so many of all documents, as a divisor, are put in order sooner as bits. */
const LONG_TO_SORT = 1024

/** Makes the sets of one search. */
export interface SetMaker {
  /** All docIds are below. */
  readonly docLimit: number
  /** Up to how many documents are listed rather than kept as bits, if not as many as usual. */
  readonly mostListed: number | undefined
  readonly scratch: Pick<SearchScratch, 'pairs' | 'members'>
  /** All documents of the sources. */
  bitsOf(sources: readonly DocIdSource[]): DenseDocSet
}

/**
 * Documents by the bits with which they have a term: as they come, and as sets when those are asked for. Where they are
 * few, no sets are made but of all of them: to clear and to look through the bits of all documents takes longer than to
 * go through the lists again.
 */
export class TermDocs {
  private readonly sources: { readonly docs: DocIdSource; readonly bits: number }[] = []
  private readonly byBits = new Map<number, DenseDocSet>()
  private readonly byWanted = new Map<number, DenseDocSet>()
  /** Documents of all sources. */
  private size = 0

  constructor(private readonly context: SetMaker) {}

  add(docs: DocIdSource, bits: number): void {
    if (docs.count === 0) return
    this.sources.push({ docs, bits })
    this.size += docs.count
  }

  get isEmpty(): boolean {
    return this.sources.length === 0
  }

  private get isFew(): boolean {
    const { docLimit, mostListed = Math.floor(docLimit / LONG) } = this.context
    return this.size <= mostListed
  }

  /** Those that have some of the bits. Shared: it must not be changed. */
  having(wanted: number): DenseDocSet {
    const known = this.byWanted.get(wanted)
    if (known !== undefined) return known
    const made = this.unite(wanted)
    this.byWanted.set(wanted, made)
    return made
  }

  /** Those of some documents that have some of the bits. Shared: it must not be changed. */
  within(docs: DocSet, wanted: number): DocSet {
    if (docs === this.byWanted.get(wanted)) return docs
    if (!this.isFew) return this.compact(docs.within(this.having(wanted)))
    return docs instanceof SparseDocSet ? this.listed(docs, wanted) : this.collected(docs as DenseDocSet, wanted)
  }

  /** Adds to what is said of some documents, which ascend, with which bits they have the term. */
  mark(said: Uint8Array, docIds: Uint32Array): void {
    if (this.isFew) {
      const { pairs } = this.context.scratch
      for (const { docs, bits } of this.sources) markCommon(said, docIds, docs.docIds, bits, pairs)
    } else for (const bits of this.differentBits()) this.setOf(bits).mark(said, docIds, bits)
  }

  private compact(docs: DocSet): DocSet {
    return docs instanceof SparseDocSet ? docs : (docs as DenseDocSet).compact(this.context.mostListed)
  }

  private listed(docs: SparseDocSet, wanted: number): SparseDocSet {
    const { pairs } = this.context.scratch
    const said = new Uint8Array(docs.docIds.length)
    for (const source of this.sources) {
      if (source.bits & wanted) markCommon(said, docs.docIds, source.docs.docIds, 1, pairs)
    }
    return docs.filter(said)
  }

  private collected(among: DenseDocSet, wanted: number): DocSet {
    const members = this.context.scratch.members.atLeast(this.size + 1)
    let count = 0
    for (const { docs, bits } of this.sources) {
      if (bits & wanted) count = among.copyMembers(docs.docIds, members, count)
    }
    const { context } = this
    const found = members.subarray(0, count)
    if (count * LONG_TO_SORT <= context.docLimit) return SparseDocSet.ofAny(found, context.docLimit)
    const bits = context.bitsOf([])
    bits.addAll(found)
    return bits.compact(context.mostListed)
  }

  private setOf(bits: number): DenseDocSet {
    const known = this.byBits.get(bits)
    if (known !== undefined) return known
    const made = this.context.bitsOf(this.sources.filter((source) => source.bits === bits).map(({ docs }) => docs))
    this.byBits.set(bits, made)
    return made
  }

  /** Of many documents the sets are united, which will be asked for: to go through the sources again would take longer. */
  private unite(wanted: number): DenseDocSet {
    const sources = this.sources.filter(({ bits }) => bits & wanted)
    if (this.isFew) return this.context.bitsOf(sources.map(({ docs }) => docs))
    const [first, ...others] = this.differentBits().filter((bits) => bits & wanted)
    if (first === undefined) return this.context.bitsOf([])
    return others.reduce((union, bits) => union.with(this.setOf(bits)), this.setOf(first))
  }

  private differentBits(): number[] {
    return [...new Set(this.sources.map(({ bits }) => bits))]
  }
}

/** Says `bits` of those documents of a list that are in another one; both ascend. */
function markCommon(said: Uint8Array, docIds: Uint32Array, others: Uint32Array, bits: number, pairs: Pairs): void {
  pairs.findCommon(docIds, others)
  const { left, count } = pairs
  for (let k = 0; k < count; k++) said[left[k]!] = said[left[k]!]! | bits
}
