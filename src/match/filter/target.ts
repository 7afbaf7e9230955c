import type { FieldRoles, Settings } from '../../settings/index.js'
import type { FacetReader, ShardReader } from './facet-reader.js'

/** The index that a filter is evaluated on. */
export interface FilterTarget {
  readonly indexUid: string
  readonly settings: Pick<Settings, 'filterableAttributes' | 'embedders'>
  /** Compiled from the same settings. */
  readonly roles: FieldRoles
  readonly facets: FacetReader
  /** Absent where there is no network. */
  readonly shards?: ShardReader
  /** How long it may take to find the documents that pass. Default: as long as it takes. */
  readonly maxMs?: number
}
