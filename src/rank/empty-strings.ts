import { Bitmap } from '../bitmap/index.js'
import { VersionCache } from '../cache/index.js'
import { type DocId, type FieldId, visitValues } from '../documents/index.js'
import type { SearchIndex } from '../match/index.js'
import { checkBudget } from '../threads/index.js'

const known = new VersionCache<Bitmap>('empty strings', 4 << 20)

/**
 * The documents in which an attribute is an empty string. Those in which it is any kind of empty are stored; their texts
 * say which kind, and are read once for each version of the index.
 */
export function emptyStrings(index: SearchIndex, attribute: string): Bitmap {
  const kept = known.get(index, attribute)
  if (kept !== undefined) return kept
  const empty = index.facets.field(attribute)?.isEmpty() ?? Bitmap.empty()
  const found = empty.isEmpty ? empty : thoseWithEmptyString(index, attribute, empty)
  known.keep(index, attribute, found, found.serialize().length)
  return found
}

function thoseWithEmptyString({ folder, fields }: SearchIndex, attribute: string, docIds: Bitmap): Bitmap {
  const roots = new Set(rootsOf(attribute).map((name) => fields.idOf(name)))
  const isRoot = (fieldId: FieldId) => roots.has(fieldId)
  const found: number[] = []
  for (const docId of docIds) {
    checkBudget()
    let hasEmpty = false
    const document = folder.document(docId as DocId, isRoot)!
    visitValues(document, fields, isWanted, (path, value, isInArray) => {
      if (path === attribute && value === '' && !isInArray) hasEmpty = true
    })
    if (hasEmpty) found.push(docId)
  }
  return Bitmap.fromSorted(found)
}

const isWanted = (): boolean => true

/** The top-level names that values of an attribute may be under: `a` and `a.b` for `a.b`. */
function rootsOf(attribute: string): string[] {
  const parts = attribute.split('.')
  return parts.map((_, i) => parts.slice(0, i + 1).join('.'))
}
