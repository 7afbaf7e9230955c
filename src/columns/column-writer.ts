import { ByteWriter } from '../bytes/index.js'
import type { DocId, FieldId } from '../documents/index.js'
import type { IndexFolder } from '../folder/index.js'
import { ChunkMemory, type ChunkRows, chunkKey, chunkOf, decodeRows, encodeChunk, noRows } from './column-chunk.js'
import { areSameRows, type ColumnRow } from './column-value.js'
import type { DocumentValues } from './values/document-values.js'

/** Rows are written out when so many values have gathered, so that memory stays bounded. */
const FLUSH_VALUES = 200_000

const NO_VALUES: DocumentValues = new Map()
const NO_ROW: ColumnRow = []

/** The rows of a chunk that have changed, by the low bits of their docIds. */
type ChangedRows = Map<number, ColumnRow>

/** Keeps the facet columns in step with the documents. Only chunks in which a value or its spelling changes are written. */
export class ColumnWriter {
  /** By field, then by chunk. */
  private changes = new Map<FieldId, Map<number, ChangedRows>>()
  private valueCount = 0
  private readonly memory = new ChunkMemory()
  private readonly writer = new ByteWriter(1 << 16)

  constructor(private readonly folder: IndexFolder) {}

  change(docId: DocId, before: DocumentValues = NO_VALUES, after: DocumentValues = NO_VALUES): void {
    for (const [field, { row }] of after) {
      if (!areSameRows(row, before.get(field)?.row ?? NO_ROW)) this.put(field, docId, row)
    }
    for (const [field, { row }] of before) if (row.length > 0 && !after.has(field)) this.put(field, docId, NO_ROW)
    if (this.valueCount >= FLUSH_VALUES) this.finish()
  }

  /** In key order, which LMDB likes best. */
  finish(): void {
    const stamp = this.folder.nextContentVersion()
    for (const field of ascending(this.changes.keys())) {
      const chunks = this.changes.get(field)!
      for (const chunk of ascending(chunks.keys())) this.write(chunkKey(field, chunk), chunks.get(chunk)!, stamp)
    }
    this.changes = new Map()
    this.valueCount = 0
  }

  /** What was told last of a docId counts. */
  private put(field: FieldId, docId: DocId, row: ColumnRow): void {
    const chunks = this.changes.get(field) ?? added(this.changes, field, new Map<number, ChangedRows>())
    const rows = chunks.get(chunkOf(docId)) ?? added(chunks, chunkOf(docId), new Map<number, ColumnRow>())
    rows.set(docId & 0xff, row)
    this.valueCount += 1 + row.length
  }

  private write(key: Buffer, changed: ChangedRows, stamp: number): void {
    const { columns } = this.folder.databases
    const stored = columns.getBorrowed(key)
    const rows: ChunkRows = stored === undefined ? noRows() : decodeRows(stored, this.memory)
    for (const [low, row] of changed) rows[low] = row
    const bytes = encodeChunk(rows, stamp, this.writer)
    if (bytes !== undefined) columns.put(key, bytes)
    else if (stored !== undefined) columns.delete(key)
  }
}

function added<K, V>(map: Map<K, V>, key: K, value: V): V {
  map.set(key, value)
  return value
}

const ascending = <T extends number>(numbers: Iterable<T>): T[] => [...numbers].sort((a, b) => a - b)
