import type { WordIndex } from '../../index/index.js'
import type { DerivationSource } from '../query/derivations.js'
import type { QueryTerm } from '../query/query-term.js'
import type { SearchIndex } from '../search-index.js'
import type { FieldScope } from './field-scope.js'
import type { PhraseSearch } from './phrase-docs.js'
import { TermMatches } from './term-matches.js'

/** Thrown by rules in the middle of a bucket when the time of a search is over; sorting goes on without them. */
export class TimeIsUp extends Error {}

/** What all rules of one search share. */
export class RankContext implements PhraseSearch {
  readonly words: WordIndex
  readonly scope: FieldScope
  readonly isByAttribute: boolean
  /** All docIds are below. */
  readonly docLimit: number
  private readonly matches = new Map<QueryTerm, TermMatches>()

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

  /** To be asked now and then by whoever looks at many documents. */
  checkTime(): void {
    if (performance.now() > this.deadline) throw new TimeIsUp()
  }

  matchesOf(term: QueryTerm): TermMatches {
    const known = this.matches.get(term)
    if (known !== undefined) return known
    const made = new TermMatches(this, term)
    this.matches.set(term, made)
    return made
  }
}
