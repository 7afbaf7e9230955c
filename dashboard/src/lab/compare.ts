/** Where a hit of one side stands on the other. */
export type Mark = { readonly kind: 'same' | 'new' | 'gone' } | { readonly kind: 'up' | 'down'; readonly by: number }

export interface Comparison {
  /** The left is what was before: of its hits only those that are gone are marked. */
  readonly left: readonly (Mark | undefined)[]
  readonly right: readonly Mark[]
}

/** Ids in their order on both sides. */
export function compare(left: readonly string[], right: readonly string[]): Comparison {
  const before = placesOf(left)
  const after = new Set(right)
  return {
    left: left.map((id) => (after.has(id) ? undefined : { kind: 'gone' })),
    right: right.map((id, i) => markOf(before.get(id), i)),
  }
}

const placesOf = (ids: readonly string[]): Map<string, number> => new Map(ids.map((id, i) => [id, i]))

function markOf(was: number | undefined, is: number): Mark {
  if (was === undefined) return { kind: 'new' }
  if (was === is) return { kind: 'same' }
  return is < was ? { kind: 'up', by: was - is } : { kind: 'down', by: is - was }
}

/** How many hits of the right did what, and how many of the left are gone. */
export function countsOf({ left, right }: Comparison): Record<Mark['kind'], number> {
  const counts = { same: 0, up: 0, down: 0, new: 0, gone: 0 }
  for (const { kind } of right) counts[kind]++
  counts.gone = left.filter((mark) => mark !== undefined).length
  return counts
}
