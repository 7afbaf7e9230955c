/** Where the first docId of a list stands, which ascends, that is not below the one given. */
export function placeOf(docIds: Uint32Array, docId: number): number {
  let lo = 0
  let hi = docIds.length
  while (lo < hi) {
    const middle = (lo + hi) >>> 1
    if (docIds[middle]! < docId) lo = middle + 1
    else hi = middle
  }
  return lo
}
