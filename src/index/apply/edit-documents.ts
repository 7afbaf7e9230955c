import type { Bitmap } from '../../bitmap/index.js'
import { type DocId, IdExtractor, type StoredDocument, sortByField, storedJson, textOf } from '../../documents/index.js'
import { FailureError, failure } from '../../errors/index.js'
import { type JsonObject, print } from '../../json/index.js'
import { compileScript, runScript } from '../../script/index.js'
import { JobCancelled } from '../../threads/index.js'
import { type ApplyContext, documentIdOf } from './apply-documents.js'
import type { IndexWork } from './job.js'

/** Runs the function of an edition on each selected document (spec 3 §6.1). Any failure throws and undoes all. */
export function editDocuments(
  context: ApplyContext,
  selected: Bitmap,
  work: Extract<IndexWork, { kind: 'edit' }>,
): void {
  const compiled = compileScript(work.function)
  if (!compiled.ok) throw editError(context, compiled.reason)
  const scope = work.context === null ? undefined : (storedJson(work.context) as JsonObject)
  const extractor = new IdExtractor(context.primaryKey ?? '')
  for (const id of selected.toArray()) {
    if (context.hooks.isCancelled()) throw new JobCancelled()
    const docId = id as DocId
    const outcome = runScript(compiled.script, { doc: toJson(context, context.writer.read(docId)), context: scope })
    if (outcome.outcome === 'failed') throw editError(context, outcome.reason)
    if (outcome.outcome === 'deleted') context.writer.remove(documentIdOf(context.writer, extractor, docId), docId)
    if (outcome.outcome === 'changed') replace({ context, extractor, docId, doc: outcome.doc })
  }
}

interface Replacement {
  readonly context: ApplyContext
  readonly extractor: IdExtractor
  readonly docId: DocId
  readonly doc: JsonObject
}

function replace({ context, extractor, docId, doc }: Replacement): void {
  const { writer } = context
  const names = [...doc.keys()]
  const values = [...doc.values()].map((value) => Buffer.from(print(value)))
  const id = extractor.extract({ names, values })
  if (!id.ok) throw new FailureError(id.failure)
  const current = documentIdOf(writer, extractor, docId)
  if (id.value !== current) throw editError(context, `the document id changed from "${current}" to "${id.value}"`)
  const fields = names.map((name, i) => ({ fieldId: writer.registry.register(name), value: values[i]! }))
  writer.put({ documentId: current, docId, document: sortByField(fields), before: writer.read(docId) })
}

function toJson(context: ApplyContext, document: StoredDocument): JsonObject {
  const object: JsonObject = new Map()
  for (const { fieldId, value } of document)
    object.set(context.writer.registry.nameOf(fieldId), storedJson(textOf(value)))
  return object
}

function editError(context: ApplyContext, reason: string): FailureError {
  return new FailureError(
    failure('edit_documents_by_function_error', `Index "${context.indexUid}": the function failed: ${reason}.`),
  )
}
