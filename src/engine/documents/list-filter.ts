import { fail, ok, type Result } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import type { Filter } from '../../match/index.js'
import { checkFilterFeatures, type FilterGates, parseFilter, refuseForeign } from '../../match/index.js'

const CODE = 'invalid_document_filter'

/** The filter of a listing; undefined when there is none (spec 3 §4.4). */
export function readListFilter(filter: JsonValue, gates: FilterGates): Result<Filter | undefined> {
  if (filter === null) return ok(undefined)
  const parsed = parseFilter(filter, { code: CODE, reading: 'once' })
  if (!parsed.ok || parsed.value === undefined) return parsed
  const allowed = checkFilterFeatures(parsed.value, gates)
  if (!allowed.ok) return allowed
  const local = refuseForeign(parsed.value, CODE)
  return local.ok ? parsed : local
}

/** Whether the filter of a deletion or edition can be enqueued; attributes are looked at by the task (spec 3 §5). */
export function checkTaskFilter(filter: JsonValue, gates: FilterGates): Result<undefined> {
  if (filter === null) return fail(CODE, '`.filter`: a string or an array was expected, null was found.')
  const read = readListFilter(filter, gates)
  if (!read.ok) return read
  return read.value === undefined ? fail(CODE, '`.filter`: an expression was expected, it is empty.') : ok(undefined)
}
