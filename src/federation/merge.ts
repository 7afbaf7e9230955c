import { Heap } from '../heap/index.js'
import { compareHits } from './compare.js'
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
export function* mergeByScore<T extends Scored>(
  lists: Iterable<readonly T[]>,
  compare: (left: T, right: T) => number = compareHits,
): Generator<T> {
  const cursors: Cursor<T>[] = []
  for (const list of lists) if (list.length > 0) cursors.push({ list, at: 0 })
  const heap = new Heap(cursors, (a, b) => compare(head(a), head(b)))
  for (let first = heap.first; first !== undefined; first = heap.first) {
    yield head(first)
    first.at++
    if (first.at < first.list.length) heap.replaceFirst(first)
    else heap.removeFirst()
  }
}

const head = <T>({ list, at }: Cursor<T>): T => list[at]!
