import { DistinctFilter } from './distinct-filter.js'
import type { CountedDocument } from './model.js'

/** Which documents are like one that came before. */
export class Duplicates {
  private readonly filters = new Map<string, DistinctFilter>()

  constructor(
    /** The attribute of which each value comes once among all hits; null for none. */
    private readonly distinct: string | null,
    /** Otherwise, by index, the one of which each value comes once among the hits of one query. */
    private readonly byIndex: ReadonlyMap<string, string>,
  ) {}

  get arePossible(): boolean {
    return this.distinct !== null || this.byIndex.size > 0
  }

  /** False for one that is like a document that was taken before. */
  take(document: CountedDocument): boolean {
    const { indexUid, queryPosition } = document
    const attribute = this.distinct ?? this.byIndex.get(indexUid)
    if (attribute === undefined) return true
    return this.filterFor(this.distinct === null ? `${queryPosition} ${indexUid}` : '').take(document.keysOf(attribute))
  }

  private filterFor(scope: string): DistinctFilter {
    const filter = this.filters.get(scope) ?? new DistinctFilter()
    this.filters.set(scope, filter)
    return filter
  }
}
