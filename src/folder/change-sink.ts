import type { DocId, StoredDocument } from '../documents/index.js'

/** What is likely to be told, roughly. */
export interface ForeseenChanges {
  /** Of all values. */
  readonly bytes: number
}

/** Is told of every document that changes, in the order of the changes, inside the transaction. */
export interface ChangeSink {
  /** Before the first change. */
  foresee?(changes: ForeseenChanges): void
  /** `before` is absent for a new document, `after` for a removed one. */
  change(docId: DocId, before: StoredDocument | undefined, after: StoredDocument | undefined): void
  /** No change follows. Told to all sinks before the first of them finishes. */
  end?(): void
  /** Everything was said: write what was learnt. */
  finish(): void
}
