import type { Bitmap } from '../bitmap/index.js'
import type { SearchIndex } from '../match/index.js'

interface Taken {
  /** Each of its values comes once. */
  readonly distinct: string
  /** Documents that come before have these. */
  readonly taken: readonly (number | string)[]
}

/** The documents that pass a filter, null for all, without those that are like one that is elsewhere. */
export function withoutTaken(index: SearchIndex, passing: Bitmap | null, { distinct, taken }: Taken): Bitmap | null {
  const field = taken.length === 0 ? undefined : index.facets.field(distinct)
  if (field === undefined) return passing
  const strings = taken.filter((value) => typeof value === 'string')
  const numbers = taken.filter((value) => typeof value === 'number')
  return (passing ?? index.docIds).andNot(field.equalsAny(strings, numbers))
}
