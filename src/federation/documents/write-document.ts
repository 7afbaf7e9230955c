import type { AnswerFacts, AnswerWriter, DocumentRequest, SearchContext } from '../../answer/index.js'
import { shownAs } from '../../engine/index.js'
import { fail, ok, type Result } from '../../errors/index.js'

interface DocumentJob {
  readonly uid: string
  readonly document: DocumentRequest
}

/** Writes one document of an index as it is shown (spec 3 §4.3). */
export function writeDocument(
  out: AnswerWriter,
  { uid, document: { id, ...shown } }: DocumentJob,
  context: SearchContext,
): Result<AnswerFacts> {
  const opened = context.open(uid)
  if (!opened.ok) return opened
  const { folder } = opened.value
  const docId = folder.docIdOf(id)
  const document = docId === undefined ? undefined : folder.document(docId)
  if (document === undefined) return fail('document_not_found', id)
  out.utf8(shownAs(folder, shown)(docId!, document))
  return ok({ degraded: 0 })
}
