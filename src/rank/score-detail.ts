import type { Direction, GeoPoint } from '../match/index.js'

export type MatchType = 'exactMatch' | 'matchesStart' | 'noExactMatch'

/** Why a document stands where it stands: one for each rule that was applied to it, in their order. */
export type ScoreDetail =
  | { readonly rule: 'words'; readonly matching: number; readonly max: number }
  | { readonly rule: 'typo'; readonly count: number; readonly max: number }
  | { readonly rule: 'proximity' | 'attributeRank' | 'wordPosition'; readonly rank: number; readonly max: number }
  | { readonly rule: 'exactAttribute'; readonly type: MatchType }
  | { readonly rule: 'exactWords'; readonly matching: number; readonly max: number }
  | {
      readonly rule: 'sort'
      readonly attribute: string
      readonly direction: Direction
      readonly value: number | string | null
    }
  | {
      readonly rule: 'geoSort'
      readonly origin: GeoPoint
      readonly direction: Direction
      readonly point: GeoPoint | null
      /** Metres. */
      readonly distance: number | null
    }
  /** From 0 to 1, null for a document without vectors. */
  | { readonly rule: 'vector'; readonly similarity: number | null }
  | { readonly rule: 'skipped' }
  /** A search rule put the document here. */
  | { readonly rule: 'pin'; readonly position: number }
