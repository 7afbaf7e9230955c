import { BitsArena, DocBits } from '../../bitmap/index.js'
import type { Postings, WordIndex, WordPostings } from '../../index/index.js'
import type { DerivationSource } from '../query/derivations.js'
import type { QueryTerm } from '../query/query-term.js'
import type { SearchIndex } from '../search-index.js'
import type { Bucket } from './bucket.js'
import type { FieldScope } from './field-scope.js'
import type { PhraseSearch } from './phrase-docs.js'
import { TermMatches } from './term-matches.js'

/** Thrown by rules in the middle of a bucket when the time of a search is over; sorting goes on without them. */
export class TimeIsUp extends Error {}

/** A bucket that is smaller than this share of the documents of a word, as a divisor. */
const SMALL = 4

/** An origin that is read as a whole, though it is no slice: the rules will look at most of it. */
const FEW_DOCS = 4096

/** What all rules of one search share. */
export class RankContext implements PhraseSearch {
  readonly words: WordIndex
  readonly scope: FieldScope
  readonly isByAttribute: boolean
  /** All docIds are below. */
  readonly docLimit: number
  /** Of the sets that live no longer than the search. */
  readonly arena = new BitsArena()
  private readonly matches = new Map<QueryTerm, TermMatches>()
  private slice: { readonly origin: Bucket | undefined; readonly read: Map<WordPostings, Postings> } = {
    origin: undefined,
    read: new Map(),
  }

  constructor(
    readonly index: SearchIndex,
    readonly source: DerivationSource,
    /** On the clock of `performance.now()`. */
    private readonly deadline: number,
  ) {
    this.words = source.words
    this.scope = source.scope
    this.isByAttribute = source.isByAttribute
    this.docLimit = index.docIds.max + 1
  }

  /** An empty set that lives no longer than the search. */
  newBits(): DocBits {
    return new DocBits(this.docLimit, this.arena)
  }

  /** To be asked now and then by whoever looks at many documents. */
  checkTime(): void {
    if (performance.now() > this.deadline) throw new TimeIsUp()
  }

  /**
   * What a word says about the documents of a bucket, and maybe about others. The rules look at the parts of a slice, or
   * of another small origin, one after the other: what is read for the whole is enough for all of them.
   */
  placesIn(postings: WordPostings, { origin, docIds }: Bucket): Postings {
    const isWhole = origin.isSlice || origin.size <= FEW_DOCS
    const isSmall = postings.isLong || origin.size * SMALL <= postings.count
    if (!isWhole || !isSmall) return postings.within(docIds)
    if (this.slice.origin !== origin) this.slice = { origin, read: new Map() }
    const known = this.slice.read.get(postings)
    if (known !== undefined) return known
    const read = postings.within(origin.docIds)
    this.slice.read.set(postings, read)
    return read
  }

  matchesOf(term: QueryTerm): TermMatches {
    const known = this.matches.get(term)
    if (known !== undefined) return known
    const made = new TermMatches(this, term)
    this.matches.set(term, made)
    return made
  }
}
