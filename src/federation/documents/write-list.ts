import type { AnswerFacts, AnswerWriter, SearchContext } from '../../answer/index.js'
import type { ListRequest } from '../../engine/index.js'
import { andThen, type CheckedList, checkList, findList, readListFilter, type Waitable } from '../../engine/index.js'
import { ok, type Result } from '../../errors/index.js'
import { fromPlain, type JsonValue } from '../../json/index.js'
import { isForNetwork } from '../plan.js'
import { printScoreValues } from '../score-values.js'
import { withShards } from '../shards/shard-filter.js'
import { sharesOf } from '../shards/shard-owners.js'
import { listNetwork, printRemoteErrors } from './network-list.js'

interface ListJob {
  readonly uid: string
  readonly request: ListRequest
}

/** Lists documents of an index, here or on all servers of a network, and writes the answer (spec 3 §4.4, spec 8 §3.7). */
export function writeList(out: AnswerWriter, { uid, request }: ListJob, context: SearchContext): WriteOutcome {
  const checked = checkList(request, context)
  if (!checked.ok) return checked
  // Where no network is configured, this server is all of it.
  const isSpread = isForNetwork(request, context) && context.network !== null && context.network.remotes.size > 0
  return isSpread
    ? writeNetworkList(out, { uid, checked: checked.value }, context)
    : writeOwnList(out, { uid, checked: checked.value }, context)
}

type WriteOutcome = Waitable<Result<AnswerFacts>>

interface CheckedJob {
  readonly uid: string
  readonly checked: CheckedList
}

const FACTS: AnswerFacts = { degraded: 0 }

function writeOwnList(out: AnswerWriter, { uid, checked }: CheckedJob, context: SearchContext): WriteOutcome {
  const found = findList(uid, checked, context)
  if (!found.ok) return found
  const { docIds, total } = found.value
  out.utf8('{"results":[')
  for (let i = 0; i < docIds.length; i++) {
    if (i > 0) out.utf8(',')
    out.utf8(found.value.print(docIds[i]!))
    out.endHit()
  }
  // Another server merges this list with those of others, and is told what documents are sorted by. People are not.
  const isForServer = context.isProxied && context.gates.network
  const values = isForServer ? `,"sortValues":[${found.value.sortValues().map(printScoreValues).join(',')}]` : ''
  out.utf8(`]${printPaging(checked.request, total)}${values}}`)
  return ok(FACTS)
}

const printPaging = ({ offset, limit }: ListRequest, total: number): string =>
  `,"offset":${offset},"limit":${limit},"total":${total}`

/** The documents of all servers in one list. Servers that fail are told of, and left out. */
function writeNetworkList(out: AnswerWriter, { uid, checked }: CheckedJob, context: SearchContext): WriteOutcome {
  const { request } = checked
  const { offset, limit } = request
  const network = context.network!
  // Whoever lists documents looks at the filter; when this server does not, it may be that nobody does.
  const isHere = sharesOf(network).here !== undefined
  const filter = isHere ? ok(undefined) : readListFilter(request.filter, context.gates)
  if (!filter.ok) return filter
  const listOf = (shards: readonly string[] | null): ListRequest => ({
    ...request,
    offset: 0,
    limit: Math.min(offset + limit, Number.MAX_SAFE_INTEGER),
    filter: withShards(request.filter, shards, 'once'),
    useNetwork: null,
  })
  const listed = listNetwork(
    {
      path: `/indexes/${uid}/documents/fetch`,
      bodyOf: (shards) => fetchBody(listOf(shards)),
      offset,
      limit,
      listHere: (shards) => listHere({ uid, checked: { ...checked, request: listOf(shards) } }, context),
    },
    { ...context, network },
  )
  return andThen(listed, (found) => {
    if (!found.ok) return found
    const { documents, total, errors, failed } = found.value
    out.utf8('{"results":[')
    for (const [i, { json }] of documents.entries()) {
      out.utf8(i === 0 ? json : `,${json}`)
      out.endHit()
    }
    out.utf8(`]${printPaging(request, total)}${printRemoteErrors(errors, context)}}`)
    return ok({ ...FACTS, failedRemotes: failed })
  })
}

function listHere({ uid, checked }: CheckedJob, context: SearchContext) {
  const found = findList(uid, checked, context)
  if (!found.ok) return found
  const { docIds, total, print, sortValues } = found.value
  const values = sortValues()
  return ok({ documents: Array.from(docIds, (docId, i) => ({ json: print(docId), values: values[i]! })), total })
}

/** The request as another server reads it. */
function fetchBody({ offset, limit, fields, retrieveVectors, ids, filter, sort }: ListRequest): JsonValue {
  return fromPlain({ offset, limit, retrieveVectors, ids, filter, sort, ...(fields === 'all' ? {} : { fields }) })
}
