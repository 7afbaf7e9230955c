import { placeOf } from '../../bitmap/index.js'
import type { Postings } from './model.js'

/** Makes one list of entries of many words: each entry a docId with its places, a document in as many as it likes. */
export function mergeEntries(
  entries: Uint32Array,
  docIds: Uint32Array,
  source: { readonly starts: Uint32Array; readonly places: Uint32Array },
): Postings {
  const indexes = indexesOf(entries, docIds)
  const starts = startsOf(indexes, source.starts, docIds.length)
  const places = new Uint32Array(source.places.length)
  const next = starts.slice()
  for (let i = 0; i < indexes.length; i++) {
    const end = source.starts[i + 1]!
    let at = next[indexes[i]!]!
    for (let j = source.starts[i]!; j < end; j++) places[at++] = source.places[j]!
    next[indexes[i]!] = at
  }
  for (let i = 0; i < docIds.length; i++) sortSlice(places, starts[i]!, starts[i + 1]!)
  return { docIds, starts, places }
}

/** Below this many docIds for each entry a table of all docIds, from the lowest to the highest, is worth it. */
const SPARSE = 32

/** The docIds of entries, each once, ascending. */
export function distinctSorted(entries: Uint32Array): Uint32Array {
  const { lowest, highest } = limitsOf(entries)
  if (highest - lowest > entries.length * SPARSE) return sortDistinct(entries)
  return markDistinct(entries, lowest, highest)
}

function limitsOf(entries: Uint32Array): { lowest: number; highest: number } {
  let lowest = entries[0] ?? 0
  let highest = lowest
  for (let i = 1; i < entries.length; i++) {
    if (entries[i]! > highest) highest = entries[i]!
    else if (entries[i]! < lowest) lowest = entries[i]!
  }
  return { lowest, highest }
}

function sortDistinct(entries: Uint32Array): Uint32Array {
  const sorted = entries.slice().sort()
  let count = 0
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!
  return sorted.slice(0, count)
}

function markDistinct(entries: Uint32Array, lowest: number, highest: number): Uint32Array {
  const marks = new Uint8Array(highest - lowest + 1)
  let count = 0
  for (let i = 0; i < entries.length; i++) {
    const mark = entries[i]! - lowest
    count += 1 - marks[mark]!
    marks[mark] = 1
  }
  const docIds = new Uint32Array(count)
  let next = 0
  for (let mark = 0; next < count; mark++) if (marks[mark] === 1) docIds[next++] = mark + lowest
  return docIds
}

/** For each entry where its docId stands in the list. */
function indexesOf(entries: Uint32Array, docIds: Uint32Array): Uint32Array {
  const lowest = docIds[0] ?? 0
  const size = (docIds[docIds.length - 1] ?? 0) - lowest + 1
  if (size > entries.length * SPARSE) return entries.map((docId) => placeOf(docIds, docId))
  const table = new Uint32Array(size)
  for (let i = 0; i < docIds.length; i++) table[docIds[i]! - lowest] = i
  const indexes = new Uint32Array(entries.length)
  for (let i = 0; i < entries.length; i++) indexes[i] = table[entries[i]! - lowest]!
  return indexes
}

/** Where the places of each document begin, given those of each entry. */
function startsOf(indexes: Uint32Array, entryStarts: Uint32Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1)
  for (let i = 0; i < indexes.length; i++) starts[indexes[i]! + 1]! += entryStarts[i + 1]! - entryStarts[i]!
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  return starts
}

// Sorting a short stretch by hand is faster than a call into native code.
const MAX_BY_HAND = 16

function sortSlice(places: Uint32Array, from: number, to: number): void {
  if (to - from > MAX_BY_HAND) {
    places.subarray(from, to).sort()
    return
  }
  for (let i = from + 1; i < to; i++) {
    const place = places[i]!
    let j = i - 1
    while (j >= from && places[j]! > place) {
      places[j + 1] = places[j]!
      j--
    }
    places[j + 1] = place
  }
}
