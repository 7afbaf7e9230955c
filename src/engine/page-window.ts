import type { Paging } from './search-query.js'
import { DEFAULT_LIMIT } from './search-query.js'

/** Which part of the ranked documents is shown, and how many must be ranked for that (spec 6 §2.4). */
export interface PageWindow {
  readonly skip: number
  readonly take: number
  readonly depth: number
  /** Pages are numbered: totals must be exact. */
  readonly isPaged: boolean
  readonly page: number
  readonly hitsPerPage: number
}

/** Nothing beyond `maxTotalHits` is ever ranked. */
export function pageWindow(paging: Paging, maxTotalHits: number): PageWindow {
  const page = paging.page ?? 1
  const hitsPerPage = paging.hitsPerPage ?? DEFAULT_LIMIT
  if (paging.page === null && paging.hitsPerPage === null) {
    const { offset, limit } = paging
    return {
      skip: offset,
      take: limit,
      depth: Math.min(offset + limit, maxTotalHits),
      isPaged: false,
      page,
      hitsPerPage,
    }
  }
  if (page === 0) return { skip: 0, take: 0, depth: 0, isPaged: true, page, hitsPerPage }
  const skip = (page - 1) * hitsPerPage
  return {
    skip,
    take: hitsPerPage,
    depth: Math.min(page * hitsPerPage, maxTotalHits),
    isPaged: true,
    page,
    hitsPerPage,
  }
}

/** The members of a result that tell where it stands among all hits, as JSON without braces (spec 6 §2.1). */
export function printTotals(paging: Paging, window: PageWindow, total: number): string {
  const { page, hitsPerPage } = window
  if (!window.isPaged) {
    return `"limit":${integer(paging.limit)},"offset":${integer(paging.offset)},"estimatedTotalHits":${total}`
  }
  const totalPages = hitsPerPage === 0 ? 0 : Math.ceil(total / hitsPerPage)
  return `"hitsPerPage":${integer(hitsPerPage)},"page":${integer(page)},"totalPages":${totalPages},"totalHits":${total}`
}

/** Numbers up to 2^64-1 may be asked for; beyond 10^21 they would be printed with an exponent. */
const integer = (value: number): string => BigInt(value).toString()
