export type Direction = 'asc' | 'desc'

/** One entry of `sort`. */
export type SortKey =
  | { readonly kind: 'attribute'; readonly attribute: string; readonly direction: Direction }
  | {
      readonly kind: 'geoPoint'
      readonly lat: number
      readonly lng: number
      readonly direction: Direction
      /** Its numbers are made of digits, `.` and `-` only: such a point gives hits their `_geoDistance`. */
      readonly isPlain: boolean
    }

/** Where the `_geoDistance` of hits is measured from, or undefined when hits have none (spec 6 §10.2). */
export function distanceOrigin(keys: readonly SortKey[]): { readonly lat: number; readonly lng: number } | undefined {
  for (const key of keys) if (key.kind === 'geoPoint' && key.isPlain) return { lat: key.lat, lng: key.lng }
  return undefined
}
