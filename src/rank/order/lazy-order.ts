/**
 * The items in ascending order, each found when it is asked for: a heap, so that the first of n come after n steps and
 * each further one takes log n. The list is taken over.
 */
export function* inOrder<T>(items: T[], compare: (a: T, b: T) => number): Generator<T, void> {
  for (let i = (items.length >>> 1) - 1; i >= 0; i--) sink(items, i, compare)
  while (items.length > 0) {
    const first = items[0]!
    const last = items.pop()!
    if (items.length > 0) {
      items[0] = last
      sink(items, 0, compare)
    }
    yield first
  }
}

/** Lets the item at `from` change places with the smaller of its children until it is not larger than them. */
function sink<T>(heap: T[], from: number, compare: (a: T, b: T) => number): void {
  const item = heap[from]!
  let at = from
  for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) < 0) child++
    if (compare(item, heap[child]!) <= 0) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = item
}
