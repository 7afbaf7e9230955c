import { ByteReader, ByteWriter } from '../../bytes/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { readDocList, writeDocList } from './doc-list.js'
import { hasSets } from './frequent-terms.js'
import { RANGE_SIZE, rangeOf } from './set-key.js'

/** Entries of `main`: this and the number of a range, to a list of its documents that the sets do not speak of. Folders that exist have this name. */
const PREFIX = Buffer.from('unsettled ')
const RANGE_BYTES = 3

const NONE = new Uint16Array(0)

export const isStaleKey = (key: Uint8Array): boolean => PREFIX.equals(key.subarray(0, PREFIX.length))

function keyOf(range: number): Buffer {
  const key = Buffer.alloc(PREFIX.length + RANGE_BYTES)
  key.set(PREFIX)
  key.writeUIntBE(range, PREFIX.length, RANGE_BYTES)
  return key
}

/** The documents of a range that changed since its sets were made, counted from its first, ascending. */
export function readStale({ databases: { main } }: IndexFolder, range: number): Uint16Array {
  const bytes = main.getBorrowed(keyOf(range))
  if (bytes === undefined) return NONE
  const docs = new Uint16Array(RANGE_SIZE)
  return docs.slice(0, readDocList(new ByteReader(bytes), docs))
}

export function writeStale({ databases: { main } }: IndexFolder, range: number, docs: Uint16Array): void {
  if (docs.length === 0) {
    main.delete(keyOf(range))
    return
  }
  const writer = new ByteWriter(1024)
  writeDocList(writer, docs)
  main.put(keyOf(range), writer.take())
}

/** Sets are gone altogether. */
export function forgetStale({ databases: { main } }: IndexFolder): void {
  const end = Buffer.from(PREFIX)
  end[end.length - 1]!++
  for (const key of Array.from(main.keys({ start: PREFIX, end }))) main.delete(key)
}

/** Whatever the sets say of these documents, in any order, counts no longer. */
export function noteStale(folder: IndexFolder, docIds: readonly number[]): void {
  if (docIds.length === 0 || !hasSets(folder)) return
  const sorted = Uint32Array.from(docIds).sort()
  for (const { range, docs } of rangesOf(sorted)) {
    const before = readStale(folder, range)
    writeStale(folder, range, united(before, docs))
  }
}

/** Ascending docIds by range. */
export function* rangesOf(docIds: Uint32Array): Iterable<{ readonly range: number; readonly docs: Uint16Array }> {
  for (let from = 0, to = 0; from < docIds.length; from = to) {
    const range = rangeOf(docIds[from]!)
    while (to < docIds.length && rangeOf(docIds[to]!) === range) to++
    yield { range, docs: Uint16Array.from(docIds.subarray(from, to), (docId) => docId % RANGE_SIZE) }
  }
}

/** Both ascend; the second may tell a document twice. */
export function united(a: Uint16Array, b: Uint16Array): Uint16Array {
  const all = new Uint16Array(a.length + b.length)
  let count = 0
  let last = -1
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const isLeft = j === b.length || (i < a.length && a[i]! <= b[j]!)
    const next = isLeft ? a[i++]! : b[j++]!
    if (next !== last) all[count++] = next
    last = next
  }
  return all.subarray(0, count)
}
