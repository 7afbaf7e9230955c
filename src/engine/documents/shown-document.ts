import { type FieldSelection, type StoredDocument, selectedJson } from '../../documents/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { VectorsPrinter } from '../../vectors/index.js'

/** What is shown of documents. */
export interface ShownFields {
  readonly fields: FieldSelection
  readonly retrieveVectors: boolean
}

/** How documents of an index are printed: the selected attributes, then the vectors if asked for. */
export function shownAs(
  folder: IndexFolder,
  { fields, retrieveVectors }: ShownFields,
): (docId: number, document: StoredDocument) => string {
  const registry = folder.readFields()
  const vectors = registry.idOf('_vectors')
  const printer = retrieveVectors ? new VectorsPrinter(folder, registry) : undefined
  return (docId, document) => {
    const stored = vectors === undefined ? document : document.filter(({ fieldId }) => fieldId !== vectors)
    const text = selectedJson(stored, registry, fields)
    if (printer === undefined) return text
    return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"_vectors":${printer.print(docId, document)}}`
  }
}
