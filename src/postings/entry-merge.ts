import { countBits, lowerBound, lowestBit } from '../bitmap/index.js'
import type { Postings } from './model.js'

/*
 * Loops have functions of their own. V8 compiles a long loop while it runs, and of what stands behind it in the same
 * function it knows nothing yet: it would throw that code away again and again.
 */

/** Makes one list of entries of many words: each entry a docId with its positions, a document in as many as it likes. */
export function mergeEntries(
  entries: Uint32Array,
  docIds: Uint32Array,
  source: { readonly starts: Uint32Array; readonly positions: Uint32Array },
): Postings {
  const indexes = indexesOf(entries, docIds)
  const starts = startsOf(indexes, source.starts, docIds.length)
  const positions = new Uint32Array(source.positions.length)
  copyPositions(indexes, source.starts, source.positions, starts.slice(), positions)
  sortEach(positions, starts)
  return { docIds, starts, positions }
}

/** `next` says where the next place of each document goes. */
function copyPositions(
  indexes: Uint32Array,
  starts: Uint32Array,
  source: Uint32Array,
  next: Uint32Array,
  positions: Uint32Array,
): void {
  for (let i = 0; i < indexes.length; i++) {
    const end = starts[i + 1]!
    let at = next[indexes[i]!]!
    for (let j = starts[i]!; j < end; j++) positions[at++] = source[j]!
    next[indexes[i]!] = at
  }
}

function sortEach(positions: Uint32Array, starts: Uint32Array): void {
  for (let i = 0; i + 1 < starts.length; i++) sortSlice(positions, starts[i]!, starts[i + 1]!)
}

/** Up to this many docIds for each entry, from the lowest to the highest, to go through bits beats to sort and to search. */
const SPARSE = 256

/** The docIds of entries, each once, ascending. */
export function distinctSorted(entries: Uint32Array): Uint32Array {
  const limits = new Uint32Array(2)
  findLimits(entries, limits)
  const [lowest, highest] = [limits[0]!, limits[1]!]
  if (highest - lowest > entries.length * SPARSE) return sortDistinct(entries)
  return listMarks(marksOf(entries, lowest, highest), lowest)
}

/** The lowest docId and the highest. */
function findLimits(entries: Uint32Array, found: Uint32Array): void {
  let lowest = entries[0] ?? 0
  let highest = lowest
  for (let i = 1; i < entries.length; i++) {
    if (entries[i]! > highest) highest = entries[i]!
    else if (entries[i]! < lowest) lowest = entries[i]!
  }
  found[0] = lowest
  found[1] = highest
}

function sortDistinct(entries: Uint32Array): Uint32Array {
  const sorted = entries.slice().sort()
  let count = 0
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!
  return sorted.slice(0, count)
}

/** A bit for each docId from the lowest to the highest: those of the list are set. */
function marksOf(docIds: Uint32Array, lowest: number, highest: number): Int32Array {
  const marks = new Int32Array(((highest - lowest) >>> 5) + 1)
  for (let i = 0; i < docIds.length; i++) {
    const mark = docIds[i]! - lowest
    marks[mark >>> 5] = marks[mark >>> 5]! | (1 << (mark & 31))
  }
  return marks
}

function listMarks(marks: Int32Array, lowest: number): Uint32Array {
  const docIds = new Uint32Array(countMarks(marks))
  listInto(marks, lowest, docIds)
  return docIds
}

function countMarks(marks: Int32Array): number {
  let count = 0
  for (let i = 0; i < marks.length; i++) if (marks[i] !== 0) count += countBits(marks[i]!)
  return count
}

function listInto(marks: Int32Array, lowest: number, docIds: Uint32Array): void {
  let next = 0
  for (let i = 0; i < marks.length; i++) {
    for (let rest = marks[i]!; rest !== 0; rest &= rest - 1) docIds[next++] = lowest + i * 32 + lowestBit(rest)
  }
}

/** For each entry where its docId stands in the list: as many come before it as bits are set before its own. */
function indexesOf(entries: Uint32Array, docIds: Uint32Array): Uint32Array {
  const lowest = docIds[0] ?? 0
  const highest = docIds[docIds.length - 1] ?? 0
  const indexes = new Uint32Array(entries.length)
  if (highest - lowest > entries.length * SPARSE) {
    for (let i = 0; i < entries.length; i++) indexes[i] = lowerBound(docIds, entries[i]!)
    return indexes
  }
  const marks = marksOf(docIds, lowest, highest)
  const before = countsBefore(marks)
  for (let i = 0; i < entries.length; i++) {
    const mark = entries[i]! - lowest
    const word = mark >>> 5
    indexes[i] = before[word]! + countBits(marks[word]! & ((1 << (mark & 31)) - 1))
  }
  return indexes
}

/** For each word how many bits are set in those before it. */
function countsBefore(marks: Int32Array): Uint32Array {
  const before = new Uint32Array(marks.length)
  let count = 0
  for (let i = 0; i < marks.length; i++) {
    before[i] = count
    if (marks[i] !== 0) count += countBits(marks[i]!)
  }
  return before
}

/** Where the positions of each document begin, given those of each entry. */
function startsOf(indexes: Uint32Array, entryStarts: Uint32Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1)
  countPositions(indexes, entryStarts, starts)
  sumUp(starts)
  return starts
}

function countPositions(indexes: Uint32Array, entryStarts: Uint32Array, counts: Uint32Array): void {
  for (let i = 0; i < indexes.length; i++) counts[indexes[i]! + 1]! += entryStarts[i + 1]! - entryStarts[i]!
}

function sumUp(starts: Uint32Array): void {
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
}

// Sorting a short stretch by hand is faster than a call into native code.
const MAX_BY_HAND = 16

function sortSlice(positions: Uint32Array, from: number, to: number): void {
  if (to - from > MAX_BY_HAND) {
    positions.subarray(from, to).sort()
    return
  }
  for (let i = from + 1; i < to; i++) {
    const position = positions[i]!
    let j = i - 1
    while (j >= from && positions[j]! > position) {
      positions[j + 1] = positions[j]!
      j--
    }
    positions[j + 1] = position
  }
}
