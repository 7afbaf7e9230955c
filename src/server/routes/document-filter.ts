import { fail, ok, type Result } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import { checkFilterFeatures, type Filter, parseFilter, refuseForeign } from '../../search/index.js'
import type { ServerContext } from '../context.js'

const CODE = 'invalid_document_filter'

/** The filter of a listing; undefined when there is none (spec 3 §4.4). */
export function readListFilter(context: ServerContext, filter: JsonValue): Result<Filter | undefined> {
  if (filter === null) return ok(undefined)
  const parsed = parseFilter(filter, { code: CODE, reading: 'once' })
  if (!parsed.ok || parsed.value === undefined) return parsed
  const gates = checkFilterFeatures(parsed.value, context.features.current)
  if (!gates.ok) return gates
  const local = refuseForeign(parsed.value, CODE)
  return local.ok ? parsed : local
}

/** Whether the filter of a deletion or edition can be enqueued; attributes are looked at by the task (spec 3 §5). */
export function checkTaskFilter(context: ServerContext, filter: JsonValue): Result<undefined> {
  if (filter === null) return fail(CODE, '`.filter`: a string or an array was expected, null was found.')
  const read = readListFilter(context, filter)
  if (!read.ok) return read
  return read.value === undefined ? fail(CODE, '`.filter`: an expression was expected, it is empty.') : ok(undefined)
}
