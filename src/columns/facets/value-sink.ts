import type { DocId, StoredDocument } from '../../documents/index.js'
import type { ChangeSink, IndexFolder } from '../../folder/index.js'
import { ColumnWriter } from '../column-writer.js'
import { ValueReader } from '../values/document-values.js'
import type { FactRules } from '../values/fact-rules.js'
import { FacetWriter } from './facet-writer.js'

/**
 * Keeps facets and columns in step with the documents: each document is read once for both. `before` and `after` differ
 * when settings change: every document is then told with both sides the same.
 */
export class ValueSink implements ChangeSink {
  private readonly before: ValueReader
  private readonly after: ValueReader
  private readonly facets: FacetWriter
  private readonly columns: ColumnWriter

  constructor(folder: IndexFolder, before: FactRules, after: FactRules) {
    this.after = new ValueReader(after)
    this.before = before === after ? this.after : new ValueReader(before)
    this.facets = new FacetWriter(folder.databases.facets, (work) => folder.environment.inSlice(work))
    this.columns = new ColumnWriter(folder)
  }

  change(docId: DocId, before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    const old = before === undefined ? undefined : this.before.read(before)
    const now = after === undefined ? undefined : this.after.read(after)
    this.facets.change(docId, old, now)
    this.columns.change(docId, old, now)
  }

  finish(): void {
    this.facets.finish()
    this.columns.finish()
  }
}
