/** What a document is compared by with documents of other queries, one for each step of its ranking (spec 8 §1.7). */
export type ScoreValue =
  | { readonly kind: 'score' | 'vector'; readonly value: number }
  | { readonly kind: 'sort'; readonly isAscending: boolean; readonly value: SortValue }
  | { readonly kind: 'geo'; readonly isAscending: boolean; readonly distanceMeters: number | null }

/** Null when the document has none. Undefined is neither number nor text: only other servers may send that. */
export type SortValue = number | string | null | undefined
