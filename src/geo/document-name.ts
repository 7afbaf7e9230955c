import type { FieldRegistry, StoredDocument } from '../documents/index.js'
import { IdExtractor } from '../documents/index.js'

/** The id of a document as messages show it. */
export function documentName(document: StoredDocument, registry: FieldRegistry, primaryKey: string | null): string {
  const names = document.map(({ fieldId }) => registry.nameOf(fieldId))
  const id = new IdExtractor(primaryKey ?? 'id').extract({ names, values: document.map(({ value }) => value) })
  return id.ok ? JSON.stringify(id.value) : '(without id)'
}
