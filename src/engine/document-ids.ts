import { type DocId, type FieldId, IdExtractor } from '../documents/index.js'
import type { SearchIndex } from '../match/index.js'

/** How the user's keys of the documents of an index are read: only the fields that may hold them. */
export function documentIdReader(index: SearchIndex): (docId: number) => string {
  const primaryKey = index.primaryKey ?? ''
  const extractor = new IdExtractor(primaryKey)
  const fields = fieldsOnTheWay(primaryKey, index)
  return (docId) => {
    const names: string[] = []
    const values: Uint8Array[] = []
    for (const { name, fieldId } of fields) {
      const value = index.folder.value(docId as DocId, fieldId)
      if (value === undefined) continue
      names.push(name)
      values.push(value)
    }
    const id = extractor.extract({ names, values })
    if (!id.ok) throw new Error(`document ${docId} of index ${index.uid} has no id: ${id.failure.message}`)
    return id.value
  }
}

/** The key `a.b.c` may be in fields called `a`, `a.b` and `a.b.c` (spec 3 §2.6). */
function fieldsOnTheWay(primaryKey: string, { fields }: SearchIndex): { name: string; fieldId: FieldId }[] {
  const parts = primaryKey.split('.')
  return parts.flatMap((_, i) => {
    const name = parts.slice(0, i + 1).join('.')
    const fieldId = fields.idOf(name)
    return fieldId === undefined ? [] : [{ name, fieldId }]
  })
}
