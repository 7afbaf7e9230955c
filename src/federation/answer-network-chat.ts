import type { AnswerFacts, AnswerWriter, ChatSearchJob, SearchContext } from '../answer/index.js'
import { joinTexts, readChatQuery, writeFailure } from '../answer/index.js'
import { andThen, readSearchFilter, type SearchQuery, Stages, type Waitable } from '../engine/index.js'
import { ok, type Result } from '../errors/index.js'
import { isObject, parse, print } from '../json/index.js'
import { printFilter } from '../match/index.js'
import { ownFederation, unplaced } from './answer-network.js'
import type { Federated } from './federated.js'
import type { FederatedHit } from './model.js'
import { readingOf } from './plan.js'
import { runSingle } from './run-single.js'

/** Runs a search for a language model on all servers, and writes what `writeChatSearch` does. */
export function writeNetworkChatSearch(
  out: AnswerWriter,
  job: ChatSearchJob,
  serverContext: SearchContext,
): Waitable<Result<AnswerFacts>> {
  const context: SearchContext = { ...serverContext, rules: [], isForChat: true }
  const query = networkQuery(job, context)
  if (!query.ok) return query
  const { uid } = job
  const planned = { indexUid: uid, search: query.value, federationOptions: null }
  const federation = ownFederation(uid, query.value)
  const request = { queries: [planned], federation, stages: new Stages(false), blame: unplaced }
  return andThen(runSingle(request, context), (found) =>
    found.ok ? writeFound(out, uid, found.value) : writeFailure(out, found.failure),
  )
}

/** Filters of models are decoded once, those of searches maybe twice: it is written as these read it. */
function networkQuery(job: ChatSearchJob, context: SearchContext): Result<SearchQuery> {
  const query = readChatQuery(job, context)
  if (!query.ok || query.value.filter === null) return query
  const own = { ...context, tenantFilter: () => null }
  const filter = readSearchFilter(query.value.filter, { uid: job.uid, reading: 'once' }, own)
  if (!filter.ok) return filter
  const printed = filter.value === undefined ? null : printFilter(filter.value, readingOf(context))
  return ok({ ...query.value, filter: printed })
}

function writeFound(out: AnswerWriter, uid: string, { hits, local, failedRemotes }: Federated): Result<AnswerFacts> {
  const text = joinTexts(
    uid,
    hits.map((hit) => hit.chatText()),
  )
  if (!text.ok) return text
  out.utf8(`{"hits":[${hits.map(bareHit).join(',')}],"text":${JSON.stringify(text.value)}}`)
  return ok({ degraded: local.reduce((sum, { degraded }) => sum + degraded, 0), failedRemotes })
}

/** Documents may be nested. */
const DEEPEST = 1100

/** Models, and who reads what they were told, do not care where a document is. */
function bareHit(hit: FederatedHit): string {
  const parsed = parse(hit.print(), DEEPEST)
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('a hit is printed as a JSON object')
  parsed.value.delete('_federation')
  return print(parsed.value)
}
