import { compareBytes } from '../../byte-order/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import {
  arrayOf,
  bool,
  type Checked,
  indexUid,
  object,
  optional,
  refuse,
  required,
  wrongValue,
} from '../../shape/index.js'
import type { Access } from '../../state/index.js'
import type { Swap } from '../../tasks/index.js'
import { enqueueTask } from '../enqueue.js'
import { jsonBody, route } from '../http/route.js'

const swapList = arrayOf(
  object({
    indexes: required(arrayOf(indexUid), 'invalid_swap_indexes', 'missing_swap_indexes'),
    rename: optional(bool, 'invalid_swap_rename'),
  }),
)

export const routes = [
  route({
    method: 'POST',
    path: '/swap-indexes',
    action: 'indexes.swap',
    body: jsonBody(swapList),
    handle(call) {
      const swaps = checkSwaps(call.body, call.auth)
      return swaps.ok ? enqueueTask(call, { type: 'indexSwap', swaps: swaps.value }) : swaps
    },
  }),
]

/** What concerns the whole list, in the order of spec 2 §10.1. Whether the indexes exist is the task's business. */
function checkSwaps(requested: Checked<typeof swapList>, auth: Access): Result<Swap[]> {
  const swaps: Swap[] = []
  for (const [i, { indexes, rename = false }] of requested.entries()) {
    const [first, second] = indexes
    if (indexes.length !== 2 || first === undefined || second === undefined) return notAPair(i, indexes)
    const forbidden = indexes.find((uid) => !auth.isIndexAllowed(uid))
    if (forbidden !== undefined) return { ok: false, failure: auth.refusal(forbidden, `[${i}].indexes`) }
    swaps.push({ indexes: [first, second], rename })
  }
  const repeated = repeatedNames(swaps.flatMap((swap) => swap.indexes))
  return repeated.length > 0 ? fail('invalid_swap_duplicate_index_found', repeated) : ok(swaps)
}

function notAPair(position: number, indexes: readonly string[]): Result<never> {
  const reason = `two indexes were expected, ${indexes.length} were found: ${JSON.stringify(indexes.slice(0, 10))}`
  return refuse('invalid_swap_indexes', wrongValue(`[${position}].indexes`, reason))
}

function repeatedNames(names: readonly string[]): string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const name of names) (seen.has(name) ? repeated : seen).add(name)
  return [...repeated].sort(compareBytes)
}
