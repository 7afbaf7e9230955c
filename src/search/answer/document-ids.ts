import { type DocId, IdExtractor } from '../../index/index.js'
import type { SearchIndex } from '../search-index.js'

/** How the user's keys of the documents of an index are read. */
export function documentIdReader(index: SearchIndex): (docId: number) => string {
  const extractor = new IdExtractor(index.primaryKey ?? '')
  return (docId) => {
    const document = index.folder.document(docId as DocId)!
    const names = document.map(({ fieldId }) => index.nameOf(fieldId))
    const id = extractor.extract({ names, values: document.map(({ value }) => value) })
    if (!id.ok) throw new Error(`document ${docId} of index ${index.uid} has no id: ${id.failure.message}`)
    return id.value
  }
}
