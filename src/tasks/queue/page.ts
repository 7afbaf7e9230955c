import type { Bitmap } from '../../bitmap/index.js'

/** Newest first unless reversed; `from` is the first uid that may be shown. */
export interface PageRequest {
  readonly limit: number
  readonly from: number | null
  readonly reverse: boolean
}

export interface Page {
  readonly results: readonly Record<string, unknown>[]
  readonly total: number
  readonly limit: number
  readonly from: number | null
  readonly next: number | null
}

/** One page of `uids` (spec 2 §2.3). `total` is counted elsewhere, since it ignores what the caller may not see. */
export function pageOf(
  uids: Bitmap,
  total: number,
  request: PageRequest,
  view: (uid: number) => Record<string, unknown>,
): Page {
  const { limit, from, reverse } = request
  const shown: number[] = []
  let at = firstPosition(uids, from, reverse)
  const step = reverse ? 1 : -1
  while (shown.length < limit && at >= 0 && at < uids.size) {
    shown.push(uids.select(at))
    at += step
  }
  const next = at >= 0 && at < uids.size ? uids.select(at) : null
  return { results: shown.map(view), total, limit, from: shown[0] ?? null, next }
}

/** Position in `uids` of the first uid to show. */
function firstPosition(uids: Bitmap, from: number | null, reverse: boolean): number {
  if (from === null) return reverse ? 0 : uids.size - 1
  const smaller = uids.rank(from)
  return reverse || uids.has(from) ? smaller : smaller - 1
}
