/** The union of many lists at once: each key is looked at once, whatever the number of lists. */
import { arena, keepArray, reserve } from './arena.js'
import { addToScratch, clearScratch, countScratch, keepScratch, lowestBit } from './bits.js'
import { ARRAY, BITSET_WORDS, type Container, KEY_SPAN, MAX_ARRAY, share } from './container.js'
import type { ContainerList } from './lists.js'
import { unite } from './pairs.js'

// A bitset that is all zero between two uses, and one bit for each of its words that is not zero: clearing, counting
// and reading then cost what was put in, not 8 KiB.
const sparseWords = new Int32Array(BITSET_WORDS)
const touchedWords = new Int32Array(BITSET_WORDS / 32)

export function uniteMany(lists: readonly ContainerList[]): Container[] {
  const sorted = sortByKey(lists)
  const out: Container[] = []
  for (let from = 0; from < sorted.length; ) {
    const key = sorted[from]!.key
    let to = from + 1
    while (to < sorted.length && sorted[to]!.key === key) to++
    out.push(uniteGroup(sorted, from, to))
    from = to
  }
  return out
}

/** All containers of all lists in order of keys (a counting sort: there are few different keys). */
function sortByKey(lists: readonly ContainerList[]): Container[] {
  let maxKey = 0
  let total = 0
  for (const list of lists) {
    if (list.length > 0) maxKey = Math.max(maxKey, list[list.length - 1]!.key)
    total += list.length
  }
  const places = new Int32Array(maxKey + 2)
  for (const list of lists) for (const container of list) places[container.key + 1]!++
  for (let key = 1; key < places.length; key++) places[key]! += places[key - 1]!
  const sorted = new Array<Container>(total)
  for (const list of lists) for (const container of list) sorted[places[container.key]!++] = container
  return sorted
}

function uniteGroup(sorted: ContainerList, from: number, to: number): Container {
  const first = sorted[from]!
  if (to - from === 1) return share(first)
  if (to - from === 2) return unite(first, sorted[from + 1]!)
  let total = 0
  let onlyArrays = true
  for (let i = from; i < to; i++) {
    if (sorted[i]!.count === KEY_SPAN) return share(sorted[i]!)
    total += sorted[i]!.count
    onlyArrays &&= sorted[i]!.kind === ARRAY
  }
  return onlyArrays && total <= MAX_ARRAY ? uniteSparse(sorted, from, to) : uniteDense(sorted, from, to)
}

function uniteDense(sorted: ContainerList, from: number, to: number): Container {
  clearScratch()
  for (let i = from; i < to; i++) addToScratch(sorted[i]!)
  return keepScratch(sorted[from]!.key, countScratch())
}

function uniteSparse(sorted: ContainerList, from: number, to: number): Container {
  for (let i = from; i < to; i++) addSparse(sorted[i]!)
  reserve(MAX_ARRAY)
  return keepArray(sorted[from]!.key, drainSparse(arena.values, arena.used))
}

function addSparse({ values, start, count }: Container): void {
  for (let i = start, end = start + count; i < end; i++) {
    const value = values[i]!
    const word = value >>> 5
    sparseWords[word]! |= 1 << value
    touchedWords[word >>> 5]! |= 1 << word
  }
}

/** Writes the values in order to `out` from index `at` on, leaves everything zero, and returns how many there were. */
function drainSparse(out: Uint16Array, at: number): number {
  let next = at
  for (let i = 0; i < touchedWords.length; i++) {
    for (let touched = touchedWords[i]!; touched !== 0; touched &= touched - 1) {
      const word = (i << 5) | lowestBit(touched)
      for (let bits = sparseWords[word]!; bits !== 0; bits &= bits - 1) out[next++] = (word << 5) | lowestBit(bits)
      sparseWords[word] = 0
    }
    touchedWords[i] = 0
  }
  return next - at
}
