/** Where the first docId of a list stands, which ascends, that is not below the one given. */
export function lowerBound(docIds: Uint32Array, docId: number): number {
  let lo = 0
  let hi = docIds.length
  while (lo < hi) {
    const middle = (lo + hi) >>> 1
    if (docIds[middle]! < docId) lo = middle + 1
    else hi = middle
  }
  return lo
}

/** The same at or behind `from`, in time that grows with the distance between the two. */
export function lowerBoundFrom(docIds: Uint32Array, docId: number, from: number): number {
  let step = 1
  let low = from
  let high = from
  while (high < docIds.length && docIds[high]! < docId) {
    low = high + 1
    high += step
    step *= 2
  }
  high = Math.min(high, docIds.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (docIds[middle]! < docId) low = middle + 1
    else high = middle
  }
  return low
}
