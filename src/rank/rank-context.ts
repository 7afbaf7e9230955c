import { BitsArena, DenseDocSet } from '../bitmap/index.js'
import type {
  DerivationSource,
  FieldScope,
  GraphNode,
  PhraseSearch,
  QueryTerm,
  SearchIndex,
  SearchScratch,
} from '../match/index.js'
import type { DocIdSource, Postings, WordIndex, WordPostings } from '../postings/index.js'
import { checkBudget } from '../threads/index.js'
import type { Bucket } from './bucket.js'
import type { RankRequest } from './model.js'
import { OriginPositions, type PositionSource } from './origin-positions.js'
import { TermMatches } from './term-matches.js'

/** Thrown by rules in the middle of a bucket when the time of a search is over; sorting goes on without them. */
export class TimeIsUp extends Error {}

/** A bucket that is smaller than this share of the documents of a word, as a divisor. */
const SMALL = 4

/** An origin that is read as a whole, though it is no slice: the rules will look at most of it. */
const FEW_DOCS = 4096

const LARGEST_ORIGIN = 1 << 14

/** What all rules of one search share. */
export class RankContext implements PhraseSearch {
  readonly words: WordIndex
  readonly scope: FieldScope
  readonly isByAttribute: boolean
  /** All docIds are below. */
  readonly docLimit: number
  readonly scratch: SearchScratch
  /** By the words of a term what each field costs: see `attribute-rule.ts`. */
  readonly fieldCosts: Uint16Array[] = []
  /** Of the sets that live no longer than the search. */
  readonly arena: BitsArena
  private readonly matches = new Map<QueryTerm, TermMatches>()
  private readonly stepDocs = new Map<number, DenseDocSet>()
  private positions: {
    readonly origin: Bucket | undefined
    readonly of: Map<QueryTerm, Map<string, OriginPositions>>
  } = {
    origin: undefined,
    of: new Map(),
  }
  private slice: { readonly origin: Bucket | undefined; readonly read: Map<WordPostings, Postings> } = {
    origin: undefined,
    read: new Map(),
  }

  constructor(
    readonly index: SearchIndex,
    readonly source: DerivationSource,
    private readonly limits: Pick<RankRequest, 'deadline' | 'largestOrigin' | 'mostListed' | 'fewByDocument'>,
  ) {
    this.words = source.words
    this.scope = source.scope
    this.isByAttribute = source.isByAttribute
    this.docLimit = index.docIds.max + 1
    this.scratch = index.scratch
    this.arena = new BitsArena(index.scratch.spareBits)
  }

  /** Up to how many documents are listed rather than kept as bits, if not as many as usual. */
  get mostListed(): number | undefined {
    return this.limits.mostListed
  }

  /** Up to how many documents are looked at one by one though sets are stored, if not as many as usual. */
  get fewByDocument(): number | undefined {
    return this.limits.fewByDocument
  }

  /** An empty set that lives no longer than the search. */
  newBits(): DenseDocSet {
    return new DenseDocSet(this.docLimit, this.arena)
  }

  /** The same of all docIds of some sources. */
  bitsOf(sources: readonly DocIdSource[]): DenseDocSet {
    return DenseDocSet.ofSources(sources, this.docLimit, this.arena)
  }

  /** Documents that have a frequent word at a coarse position, and those of which stored sets do not tell. */
  docsAtStep(term: number, step: number): DenseDocSet {
    const key = term * 0x100 + step
    const known = this.stepDocs.get(key)
    if (known !== undefined) return known
    const docs = this.newBits()
    this.words.sets.addStep(term, step, docs)
    docs.addAll(this.words.sets.staleBelow(this.docLimit))
    this.stepDocs.set(key, docs)
    return docs
  }

  /** To be asked now and then by whoever looks at many documents. */
  checkTime(): void {
    checkBudget()
    if (performance.now() > this.limits.deadline) throw new TimeIsUp()
  }

  /**
   * What a word says about the documents of a bucket, and maybe about others. The rules look at the parts of a slice, or
   * of another small origin, one after the other: what is read for the whole is enough for all of them.
   */
  positionsIn(postings: WordPostings, { origin, docIds }: Bucket): Postings {
    const isWhole = origin.isSlice || origin.size <= FEW_DOCS
    if (!isWhole || !this.isLongBeside(origin, postings)) return postings.within(docIds)
    if (this.slice.origin !== origin) this.slice = { origin, read: new Map() }
    const known = this.slice.read.get(postings)
    if (known !== undefined) return known
    const read = postings.within(origin.docIds)
    this.slice.read.set(postings, read)
    return read
  }

  /** Not all positions of a word will be read. */
  private isLongBeside({ size }: Bucket, { isLong, count }: WordPostings): boolean {
    return isLong || size * SMALL <= count
  }

  /** Positions in the origin of a bucket are kept: of larger origins small parts are looked at, of slices all at once. */
  keepsPositionsOf({ origin }: Bucket): boolean {
    return !origin.isSlice && origin.size <= (this.limits.largestOrigin ?? LARGEST_ORIGIN)
  }

  /** The positions of what is left of a node, made of its `sources` unless the origin was the last one asked for. */
  originPositions(origin: Bucket, node: GraphNode, standing: string, sources: () => PositionSource[]): OriginPositions {
    if (this.positions.origin !== origin) this.positions = { origin, of: new Map() }
    const ofTerm = this.positions.of.get(node.term) ?? new Map<string, OriginPositions>()
    this.positions.of.set(node.term, ofTerm)
    const key = `${standing} ${node.isExactOnly ? 'exact' : node.levels}`
    const known = ofTerm.get(key)
    if (known !== undefined) return known
    const read = (postings: WordPostings, docIds: Uint32Array, bucket: Bucket): Postings => {
      this.checkTime()
      return this.isLongBeside(origin, postings) ? this.positionsIn(postings, bucket) : postings.within(docIds)
    }
    const made = new OriginPositions(origin, sources(), { read, pairs: this.scratch.pairs })
    ofTerm.set(key, made)
    return made
  }

  matchesOf(term: QueryTerm): TermMatches {
    const known = this.matches.get(term)
    if (known !== undefined) return known
    const made = new TermMatches(this, term)
    this.matches.set(term, made)
    return made
  }
}
