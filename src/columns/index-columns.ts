import { availableParallelism, totalmem } from 'node:os'
import { ColumnMemory } from '../cache/index.js'
import type { DocId, FieldId } from '../documents/index.js'
import type { IndexFolder } from '../folder/index.js'
import type { Database } from '../store/index.js'
import { ChunkMemory } from './column-chunk.js'
import type { ColumnSource } from './column-chunks.js'
import { FacetColumn } from './facet-column.js'
import { spellingIn } from './spelling-in-document.js'

/** What the columns of all indexes may hold in one thread: an eighth of the memory is for those of all threads. */
const MAX_BYTES = Math.max(64 * 1024 * 1024, totalmem() / 8 / availableParallelism())
const threadMemory = new ColumnMemory(MAX_BYTES)

/** The facet columns of one index, as of the last `refresh`. Keep it as long as the index is open. */
export class IndexColumns implements ColumnSource {
  version = 0
  readonly chunkMemory = new ChunkMemory()
  readonly database: Database
  private readonly columns = new Map<FieldId, FacetColumn>()

  constructor(
    private readonly folder: IndexFolder,
    private readonly memory: ColumnMemory = threadMemory,
  ) {
    this.database = folder.databases.columns
  }

  /** The index has changed. */
  refresh(): void {
    this.version++
  }

  /** The column of a field, for one use: the next time it may be another object, with other ordinals. */
  of(field: FieldId): FacetColumn {
    const known = this.columns.get(field)
    if (known === undefined) return this.open(field)
    if (known.isWornOut) {
      this.memory.remove(known)
      return this.open(field)
    }
    this.memory.use(known)
    return known
  }

  longSpelling(field: FieldId, docId: number, norm: string): string {
    const document = this.folder.document(docId as DocId)
    const spelling = document && spellingIn(document, { registry: this.folder.readFields(), field, norm })
    if (spelling === undefined) throw new Error(`document ${docId} lacks a value that its column has`)
    return spelling
  }

  private open(field: FieldId): FacetColumn {
    const column = new FacetColumn(this, field, this.memory)
    this.columns.set(field, column)
    this.memory.add(column, () => this.columns.delete(field))
    return column
  }
}
