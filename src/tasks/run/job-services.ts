import { FailureError } from '../../errors/index.js'
import type { JobServices } from '../../index/index.js'
import { parse } from '../../json/index.js'
import { parseFilter, selectDocuments } from '../../search/index.js'

/** What indexing borrows from the rooms above it. */
export const jobServices: JobServices = {
  selectByFilter(folder, { indexUid, filter }) {
    const value = parse(filter)
    if (!value.ok) throw new Error(`the filter of a task is not JSON: ${value.reason}`)
    const parsed = parseFilter(value.value, { code: 'invalid_document_filter', reading: 'once' })
    if (!parsed.ok) throw new FailureError(parsed.failure)
    if (parsed.value === undefined) return folder.docIds()
    const selected = selectDocuments({ indexUid, folder }, parsed.value)
    if (!selected.ok) throw new FailureError(selected.failure)
    return selected.value
  },
}
