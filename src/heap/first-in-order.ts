import { Heap } from './heap.js'

type Compare<T> = (a: T, b: T) => number

/**
 * The items in ascending order, each found when it is asked for: the first of n comes after n steps, and each further one
 * takes log n. The list is taken over.
 */
export function* inOrder<T>(items: T[], compare: Compare<T>): Generator<T, void> {
  const heap = new Heap(items, compare)
  while (items.length > 0) {
    const first = items[0]!
    heap.removeFirst()
    yield first
  }
}

/**
 * The first `limit` of the items, in order. One comparison for most items: they are compared with the last of those
 * that were kept so far.
 */
export function firstInOrder<T>(items: ArrayLike<T>, limit: number, compare: Compare<T>): T[] {
  if (limit === 0) return []
  const kept: T[] = []
  for (let i = 0; i < items.length && i < limit; i++) kept.push(items[i]!)
  if (items.length > limit) keepFirst(kept, items, compare)
  return kept.sort(compare)
}

/** `kept` holds the first of the items as they come; in the end the first of all in order. */
function keepFirst<T>(kept: T[], items: ArrayLike<T>, compare: Compare<T>): void {
  // The last of those that are kept is the one to be replaced.
  const heap = new Heap(kept, (a, b) => compare(b, a))
  for (let i = kept.length; i < items.length; i++) {
    const item = items[i]!
    if (compare(item, kept[0]!) < 0) heap.replaceFirst(item)
  }
}
