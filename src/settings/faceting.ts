import { sortedByName } from '../byte-order/index.js'
import { ok } from '../errors/index.js'
import type { JsonObject, JsonValue } from '../json/index.js'
import { oneOf, refined, type Shape, uint } from '../shape/index.js'
import { type Changes, changed, changes, printAsIs, printChanges, printMap, sortedMapOf } from './change.js'
import { defaultSettings, type Faceting, type FacetOrder, facetOrders, type Pagination } from './model.js'

type FacetingMembers = Pick<Faceting, 'maxValuesPerFacet' | 'sortFacetValuesBy'>
export type FacetingPatch = Changes<FacetingMembers>

export const faceting: Shape<FacetingPatch> = changes<FacetingMembers>('invalid_settings_faceting', {
  maxValuesPerFacet: uint,
  sortFacetValuesBy: sortedMapOf<FacetOrder>(oneOf(facetOrders)),
})

/** The map is replaced as a whole; without an entry for `*` the default one is added (spec 4 §3.13). */
export function applyFaceting(current: Faceting, patch: FacetingPatch): Faceting {
  const initial = defaultSettings.faceting
  const orders = changed(current.sortFacetValuesBy, initial.sortFacetValuesBy, patch.sortFacetValuesBy)
  return {
    maxValuesPerFacet: changed(current.maxValuesPerFacet, initial.maxValuesPerFacet, patch.maxValuesPerFacet),
    sortFacetValuesBy: orders.has('*') ? orders : sortedByName([['*', 'alpha'] as const, ...orders]),
  }
}

export function printFacetingPatch(patch: FacetingPatch): JsonObject {
  return printChanges<FacetingMembers>(patch, {
    maxValuesPerFacet: printAsIs,
    sortFacetValuesBy: (orders) => printMap(orders, printAsIs),
  })
}

export function printFaceting({ maxValuesPerFacet, sortFacetValuesBy }: Faceting): JsonObject {
  return new Map<string, JsonValue>([
    ['maxValuesPerFacet', maxValuesPerFacet],
    ['sortFacetValuesBy', printMap(sortFacetValuesBy, printAsIs)],
  ])
}

export type PaginationPatch = Changes<Pagination>

export const pagination: Shape<PaginationPatch> = changes<Pagination>('invalid_settings_pagination', {
  maxTotalHits: refined(uint, (hits) => (hits > 0 ? ok(hits) : 'an integer of 1 or more was expected, 0 was found'), {
    minimum: 1,
  }),
})

export function applyPagination(current: Pagination, patch: PaginationPatch): Pagination {
  return { maxTotalHits: changed(current.maxTotalHits, defaultSettings.pagination.maxTotalHits, patch.maxTotalHits) }
}

export function printPaginationPatch(patch: PaginationPatch): JsonObject {
  return printChanges<Pagination>(patch, { maxTotalHits: printAsIs })
}

export function printPagination({ maxTotalHits }: Pagination): JsonObject {
  return new Map([['maxTotalHits', maxTotalHits]])
}
