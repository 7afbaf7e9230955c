import type { DocId } from '../documents/index.js'
import type { IndexDatabases } from '../folder/index.js'
import type { EmbedderRecord } from './embedder-records.js'
import { StoredDocSet } from './stored-doc-set.js'
import { decodeFloats, dequantize, MAX_VECTORS, slotOf, vectorKey, vectorRange } from './vector-bytes.js'

/** The vectors of one embedder and what is known about its documents, document by document. */
export class EmbedderReader {
  readonly embedded: StoredDocSet
  readonly userProvided: StoredDocSet
  /** Never embedded again. */
  readonly fixed: StoredDocSet
  readonly several: StoredDocSet

  constructor(
    private readonly databases: Pick<IndexDatabases, 'vectors' | 'vectorSets'>,
    readonly record: EmbedderRecord,
  ) {
    const { vectorSets } = databases
    this.embedded = new StoredDocSet(vectorSets, record.id, 'embedded')
    this.userProvided = new StoredDocSet(vectorSets, record.id, 'userProvided')
    this.fixed = new StoredDocSet(vectorSets, record.id, 'fixed')
    this.several = new StoredDocSet(vectorSets, record.id, 'several')
  }

  /** The slots in which a document has vectors, ascending. */
  slots(docId: DocId): number[] {
    if (!this.embedded.has(docId)) return []
    if (!this.several.has(docId)) return [0]
    return Array.from(
      this.databases.vectors.keys({ ...vectorRange(this.record.id, docId), limit: MAX_VECTORS }),
      slotOf,
    )
  }

  /** As it is stored. Valid until the next read. */
  borrow(docId: DocId, slot: number): Buffer | undefined {
    return this.databases.vectors.getBorrowed(vectorKey(this.record.id, docId, slot))
  }

  /** In the order of their slots; zeros and ones where they are quantized. */
  vectors(docId: DocId): Float32Array[] {
    const { dimensions, isQuantized } = this.record
    return this.slots(docId).map((slot) => {
      const borrowed = this.borrow(docId, slot)!
      return isQuantized ? dequantize(borrowed, dimensions) : decodeFloats(borrowed)
    })
  }
}
