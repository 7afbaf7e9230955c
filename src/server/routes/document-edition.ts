import { filterValue } from '../../answer/index.js'
import { fail, ok } from '../../errors/index.js'
import { isObject, print } from '../../json/index.js'
import { CHECK_DEPTHS, compileScript } from '../../script/index.js'
import { anyJson, described, object, optional, queryParam, required, text, textParam } from '../../shape/index.js'
import { enqueueTask } from '../enqueue.js'
import { jsonBody, MAX_FILTER_BYTES, route } from '../http/route.js'
import { taskFilter } from './document-filter.js'

export const routes = [
  route({
    method: 'POST',
    path: '/indexes/{index_uid}/documents/edit',
    action: 'documents.*',
    query: { customMetadata: queryParam(textParam, 'invalid_index_custom_metadata') },
    body: jsonBody(
      object({
        filter: optional(filterValue, 'invalid_document_filter'),
        context: optional(described(anyJson, { type: ['object', 'null'] }), 'invalid_document_edition_context'),
        function: required(text, 'invalid_document_edition_function_filter', 'missing_document_edition_function'),
      }),
      MAX_FILTER_BYTES,
    ),
    feature: { name: 'editDocumentsByFunction', doing: 'Editing documents by function' },
    async handle(call) {
      const { function: source, filter = null, context = null } = call.body
      const compiled = compileScript(source, CHECK_DEPTHS)
      if (!compiled.ok) return fail('bad_request', `\`.function\` does not compile: ${compiled.reason}.`)
      const checked = filter === null ? ok(null) : await taskFilter(call, filter)
      if (!checked.ok) return checked
      if (context !== null && !isObject(context))
        return fail('invalid_document_edition_context', '`.context`: an object or null was expected.')
      const content = {
        type: 'documentEdition',
        indexUid: call.params.index_uid,
        filter: checked.value,
        context: context === null ? null : print(context),
        function: source,
      } as const
      return enqueueTask(call, content, { customMetadata: call.query.customMetadata })
    },
  }),
]
