import { place, setParams } from '../app/place.js'

/** Which documents are shown, and which of them is open; all of it in the address. */
export interface DocumentQuery {
  readonly filter: string
  /** `year:desc`, or nothing. */
  readonly sort: string
  readonly openId: string | null
}

export function documentQuery(): DocumentQuery {
  const { params } = place.value
  return { filter: params.get('filter') ?? '', sort: params.get('sort') ?? '', openId: params.get('id') }
}

export const showFilter = (filter: string): void => setParams({ filter })
export const showSort = (sort: string): void => setParams({ sort })
export const openDocument = (id: string | undefined): void => setParams({ id })
