import type { SearchIndex } from '../../match/index.js'

/** What counting facets reads of an index. */
export type FacetIndex = Pick<
  SearchIndex,
  'uid' | 'folder' | 'fields' | 'facets' | 'roles' | 'settings' | 'docIds' | 'derive' | 'carry' | 'scratch'
>

/** One value of a facet and in how many candidates it is. */
export interface FacetCount {
  /** As it is shown: the spelling of a document, or the text of a number. */
  readonly label: string
  /** As it is compared: a number, or a normalized string. */
  readonly value: number | string
  readonly count: number
}

export interface FacetStats {
  readonly min: number
  readonly max: number
}

/** What was counted for one field. */
export interface FieldCounts {
  readonly attribute: string
  /** In the order in which they are shown, as many as the settings allow. */
  readonly values: readonly FacetCount[]
  /** Of all numbers, shown or not; null when there is none. */
  readonly stats: FacetStats | null
}
