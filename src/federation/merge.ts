import { isBefore } from './compare.js'
import type { Scored } from './model.js'

/** A list of which the first entries were read. */
interface Cursor<T> {
  readonly list: readonly T[]
  at: number
}

/**
 * One list out of several, each in its own order: always the best of the first entries comes next. A heap, so that the
 * order of full ties is the recorded one: the list that is being read goes on (spec 8 §1.7).
 */
export function* mergeByScore<T extends Scored>(lists: Iterable<readonly T[]>): Generator<T> {
  const heap: Cursor<T>[] = []
  for (const list of lists) if (list.length > 0) heap.push({ list, at: 0 })
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) siftDown(heap, i)
  while (heap.length > 0) {
    const first = heap[0]!
    yield head(first)
    first.at++
    if (first.at === first.list.length) {
      const last = heap.pop()!
      if (heap.length > 0) heap[0] = last
    }
    siftDown(heap, 0)
  }
}

const head = <T>({ list, at }: Cursor<T>): T => list[at]!

function siftDown<T extends Scored>(heap: Cursor<T>[], from: number): void {
  let parent = from
  for (;;) {
    let child = 2 * parent + 1
    if (child >= heap.length) return
    if (child + 1 < heap.length && isBefore(head(heap[child + 1]!), head(heap[child]!))) child++
    if (!isBefore(head(heap[child]!), head(heap[parent]!))) return
    const moved = heap[parent]!
    heap[parent] = heap[child]!
    heap[child] = moved
    parent = child
  }
}
