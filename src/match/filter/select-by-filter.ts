import type { Bitmap } from '../../bitmap/index.js'
import { FailureError } from '../../errors/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { parse } from '../../json/index.js'
import { parseFilter } from './parse-filter.js'
import { selectDocuments } from './select-documents.js'

/** The documents that the filter of a deletion or an edition selects. Throws `FailureError`. */
export function selectByFilter(
  folder: IndexFolder,
  { indexUid, filter }: { readonly indexUid: string /** JSON. */; readonly filter: string },
): Bitmap {
  const value = parse(filter)
  if (!value.ok) throw new Error(`the filter of a task is not JSON: ${value.reason}`)
  const parsed = parseFilter(value.value, { code: 'invalid_document_filter', reading: 'once' })
  if (!parsed.ok) throw new FailureError(parsed.failure)
  if (parsed.value === undefined) return folder.docIds()
  const selected = selectDocuments({ indexUid, folder }, parsed.value)
  if (!selected.ok) throw new FailureError(selected.failure)
  return selected.value
}
