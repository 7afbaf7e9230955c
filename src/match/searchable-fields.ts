import type { SearchIndex } from './search-index.js'

/** The fields that are searched, by their numbers. */
export interface SearchableFields {
  /** By field: its position in `searchableAttributes`, -1 where it is not searched. */
  readonly ranks: Int32Array
  /** Numbers of those that are, ascending. */
  readonly ids: readonly number[]
}

const SEARCHABLE = Symbol('searchable fields')

/** Found once for each version of the index: it may have very many fields, of which few are searched. */
export function searchableFields(index: Pick<SearchIndex, 'fields' | 'roles' | 'derive'>): SearchableFields {
  return index.derive(SEARCHABLE, () => {
    const ranks = Int32Array.from(index.fields.all(), (name) => index.roles.of(name).searchableRank)
    return { ranks, ids: [...ranks.keys()].filter((id) => ranks[id] !== -1) }
  })
}
