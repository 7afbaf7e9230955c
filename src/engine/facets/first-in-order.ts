/**
 * The first `limit` of the items, in order. One comparison for most items: they are compared with the last of those
 * that were kept so far.
 */
export function firstInOrder<T>(items: ArrayLike<T>, limit: number, compare: (a: T, b: T) => number): T[] {
  if (limit === 0) return []
  // A heap of the best so far with the worst of them on top.
  const kept: T[] = []
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!
    if (kept.length < limit) {
      kept.push(item)
      if (kept.length === limit) for (let at = (limit >>> 1) - 1; at >= 0; at--) sink(kept, at, compare)
    } else if (compare(item, kept[0]!) < 0) {
      kept[0] = item
      sink(kept, 0, compare)
    }
  }
  return kept.sort(compare)
}

/** Lets the item at `from` change places with the larger of its children until it is not smaller than them. */
function sink<T>(heap: T[], from: number, compare: (a: T, b: T) => number): void {
  const item = heap[from]!
  let at = from
  for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++
    if (compare(item, heap[child]!) >= 0) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = item
}
