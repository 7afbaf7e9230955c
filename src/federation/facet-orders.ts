import { type Failure, failure } from '../errors/index.js'
import type { SearchIndex } from '../match/index.js'
import type { FacetOrder } from '../settings/index.js'
import { facetOrder } from './facet-table.js'

/** Facets that are merged must be ordered alike by all their indexes (spec 8 §1.10). */
export class FacetOrders {
  private readonly known = new Map<string, { readonly uid: string; readonly order: FacetOrder }>()

  /** Entries count as they are written, `*` too. */
  accept({ uid, settings }: SearchIndex, entries: readonly string[]): Failure | undefined {
    for (const entry of entries) {
      const order = facetOrder(settings.faceting, entry)
      const first = this.known.get(entry)
      if (first === undefined) this.known.set(entry, { uid, order })
      else if (first.order !== order) {
        return failure(
          'invalid_multi_search_facet_order',
          `The facet ${JSON.stringify(entry)} cannot be merged: the index \`${first.uid}\` orders its values by ` +
            `\`${first.order}\`, the index \`${uid}\` by \`${order}\`.`,
        )
      }
    }
    return undefined
  }
}
