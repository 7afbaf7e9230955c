import {
  type Answered,
  type NamedIndexes,
  namedIndexes,
  readRequest,
  type SearchNetwork,
  SHARD_VERSION_HEADER,
  SHARDS_HEADER,
  SHARDS_OF_CHAT,
  TIME_LEFT_HEADER,
} from '../../answer/index.js'
import { ownMemory } from '../../bodies/index.js'
import { type Failure, fail, ok, type Result } from '../../errors/index.js'
import { print } from '../../json/index.js'
import type { Inspected, SearchOrder, SearchQueue } from '../../searching/index.js'
import { isIndexUid } from '../../shape/index.js'
import { type Answer, errorAnswer, jsonText } from '../answers/answer.js'
import type { RepeatableQuestion } from '../answers/remembered-answers.js'
import type { SearchCall } from '../answers/search-call.js'
import type { ServerContext } from '../context.js'
import type { Call, Outcome } from '../http/route.js'
import { repeatableQuestion } from './repeatable-question.js'
import type { Searcher } from './searcher.js'

/** Bodies up to this size are read on the server thread, which then knows at once what is wrong with them. */
const READ_HERE_BYTES = 16 * 1024

export async function answerSearchCall(call: Call, search: SearchCall): Promise<Outcome> {
  const answered = await runSearchCall(call, search)
  if (!answered.ok) return refusal(call.context, search, answered.failure)
  const body = answered.value
  if (body instanceof Uint8Array) return jsonText(200, body)
  const answer = call.context.answerFiles.answerWith(body)
  return answer.ok ? answer.value : answer
}

type AnswerBody = Answered['body']

/**
 * Parameters, a place among the running searches, the search itself (spec 6 §1.1, steps 2 and 3). The answer is JSON.
 */
export async function runSearchCall(searcher: Searcher, search: SearchCall): Promise<Result<AnswerBody>> {
  const { context } = searcher
  const known = context.knownRequests.get(search)
  if (known === undefined) return runNewCall(searcher, search)
  const question = repeatableQuestion(searcher, known)
  const answer = question && repeatedAnswer(context, question)
  return answer === undefined ? findAnswer(searcher, search, { named: known.named, question }) : ok(answer)
}

function repeatedAnswer(
  { rememberedAnswers, indexes, features }: ServerContext,
  question: RepeatableQuestion,
): Uint8Array | undefined {
  return rememberedAnswers.get(question, (uid) => indexes.stateOf(uid), features.current)
}

async function runNewCall(searcher: Searcher, search: SearchCall): Promise<Result<AnswerBody>> {
  const { context } = searcher
  if (search.uid !== null) return findAnswer(searcher, search, { named: { queried: [search.uid], faceted: [] } })
  const inspected = await inspect(searcher, search)
  if (!inspected.ok) return inspected
  const { named, bytes } = inspected.value
  const kept = { ...search, bytes }
  context.knownRequests.add(kept, named)
  return findAnswer(searcher, kept, { named })
}

interface NamedRequest {
  readonly named: NamedIndexes
  /** Whoever asks it again is to get the same answer. */
  readonly question?: RepeatableQuestion | undefined
}

async function findAnswer(
  searcher: Searcher,
  search: SearchCall,
  { named, question }: NamedRequest,
): Promise<Result<AnswerBody>> {
  const { asker } = searcher
  const queue = queueOf(searcher)
  const checked = canWait(queue, search) ? ok(search) : await inspect(searcher, search)
  if (!checked.ok) return checked
  const { bytes } = checked.value
  const waitedSince = performance.now()
  const asked = search.isQueued === false ? UNQUEUED : queue.acquire(asker)
  const permit = asked instanceof Promise ? await asked : asked
  if (!permit.ok) return permit
  try {
    const queued = { bytes, named, queuedMs: performance.now() - waitedSince }
    return await runQueued(searcher, search, { queued, question })
  } finally {
    permit.value.release()
  }
}

/** Where servers change over to other shards while they are searched, the search is planned anew by these. */
async function runQueued(
  searcher: Searcher,
  search: SearchCall,
  { queued, question }: { readonly queued: QueuedRequest; readonly question: RepeatableQuestion | undefined },
): Promise<Result<AnswerBody>> {
  const canPlanAgain = plansByShards(searcher)
  // Threads take the bytes over.
  const bytes = canPlanAgain ? new Uint8Array(queued.bytes) : queued.bytes
  const order = createOrder(searcher, search, queued)
  if (!order.ok) return order
  const answered = await run(searcher, { ...order.value, canPlanAgain }, question)
  if (answered.ok || !canPlanAgain || answered.failure.code !== 'shard_map_outdated') return answered
  const again = createOrder(searcher, search, { ...queued, bytes })
  return again.ok ? run(searcher, again.value, question) : again
}

/** Another server that asks for shards plans itself. */
function plansByShards({ context: { features, network }, headers }: Searcher): boolean {
  return features.current.network && network.inForce !== undefined && headers[SHARDS_HEADER] === undefined
}

const UNQUEUED = ok({ release() {} })

/** Servers that wait for each other's parts of searches must not take the places that these need. */
const queueOf = ({ context, headers }: Searcher): SearchQueue =>
  context.features.current.network && headers[SHARDS_HEADER] !== undefined ? context.partQueue : context.searchQueue

/**
 * Whether the parameters need not be read before the search thread does: nothing else can be wrong with the request by
 * then, and no place that others wait for is taken by one that is going to be refused. Where they name the indexes, they
 * were read.
 */
function canWait({ hasPlace }: SearchQueue, { uid }: SearchCall): boolean {
  return uid === null || (isIndexUid(uid) && hasPlace)
}

/** Large requests are read by a search thread, so that nobody waits for the server thread meanwhile. */
function inspect({ context, asker }: Searcher, { kind, bytes }: SearchCall): Promise<Result<Inspected>> {
  if (bytes.length > READ_HERE_BYTES) return context.searching.inspect(kind, ownMemory(bytes), asker)
  const request = readRequest(kind, bytes)
  return Promise.resolve(request.ok ? ok({ named: namedIndexes(request.value), bytes }) : request)
}

async function run(
  { context, asker }: Searcher,
  order: SearchOrder,
  question: RepeatableQuestion | undefined,
): Promise<Result<AnswerBody>> {
  const features = context.features.current
  const answered = await context.searching.run(order, asker)
  if (!answered.ok) return answered
  if (question !== undefined)
    context.rememberedAnswers.keep(question, { folders: order.folders, features }, answered.value)
  context.events.degradedSearches += answered.value.degraded
  context.events.personalizedSearches += answered.value.personalized
  context.network.failed(answered.value.failedRemotes)
  return ok(answered.value.body)
}

/** An index that a query names is a value of the body: its absence is a bad request there (spec 8 §1.4). */
function refusal({ config }: ServerContext, { kind }: SearchCall, failure: Failure): Answer {
  const answer = errorAnswer(failure, config.errorsUrl)
  return kind === 'multiSearch' && failure.code === 'index_not_found' ? { ...answer, status: 400 } : answer
}

interface QueuedRequest {
  readonly bytes: Uint8Array
  readonly named: NamedIndexes
  readonly queuedMs: number
}

function createOrder(
  searcher: Searcher,
  { kind, uid }: SearchCall,
  { bytes, named, queuedMs }: QueuedRequest,
): Result<SearchOrder> {
  const { context, auth, headers } = searcher
  if (uid !== null && !isIndexUid(uid)) return fail('invalid_index_uid', uid)
  const { queried, faceted } = named
  const refused = queried.findIndex((queriedUid) => !auth.isIndexAllowed(queriedUid))
  if (refused !== -1) return { ok: false, failure: auth.refusal(queried[refused]!, `.queries[${refused}]`) }
  const uids = [...new Set([...queried, ...faceted.filter((each) => auth.isIndexAllowed(each))])]
  const { containsFilter, foreignKeys, network, multimodal, legacySearch, dynamicSearchRules } =
    context.features.current
  const searched = network ? context.network.forSearch() : null
  return ok({
    kind,
    bytes: ownMemory(bytes),
    uid: uid ?? '',
    folders: context.indexes.pathsFor(foreignKeys ? withForeign(context, uids) : uids),
    tenantFilters: uids.flatMap((each) => tenantFilter(searcher, each)),
    gates: { containsFilter, foreignKeys, network, multimodal, legacySearch },
    includesMetadata: includesMetadata(headers['meili-include-metadata']),
    network: searched,
    isProxied: headers['meili-proxy-search'] === 'true',
    isForShards: network && headers[SHARDS_HEADER] !== undefined,
    isForChat: network && headers[SHARDS_HEADER] === SHARDS_OF_CHAT && mayHear(searcher, queried),
    ...shardVersion(headers[SHARD_VERSION_HEADER], searched),
    ...timeLeft(headers[TIME_LEFT_HEADER], queuedMs),
    rules: dynamicSearchRules ? context.rules.list().filter(({ active }) => active) : [],
    queuedMs,
  })
}

function withForeign({ indexes }: ServerContext, uids: readonly string[]): Set<string> {
  return new Set([...uids, ...uids.flatMap((uid) => indexes.foreignTo(uid))])
}

/** What a model is told may hold what hits do not show: it is for keys that may have conversations. */
const mayHear = ({ auth }: Searcher, uids: readonly string[]): boolean =>
  uids.every((uid) => auth.may('chatCompletions', uid))

function tenantFilter({ auth }: Searcher, uid: string): [uid: string, filter: string][] {
  const filter = auth.filterFor(uid)
  return filter === null ? [] : [[uid, print(filter)]]
}

/** The shards that another server means, or those of this one. */
function shardVersion(
  header: string | string[] | undefined,
  network: SearchNetwork | null,
): Pick<SearchOrder, 'shardVersion'> {
  const version = network === null ? undefined : (header ?? network.version ?? undefined)
  return version === undefined ? {} : { shardVersion: String(version) }
}

/** Part of it was spent here already. */
function timeLeft(header: string | string[] | undefined, queuedMs: number): { timeLeftMs?: number } {
  const timeLeftMs = Number(header ?? Number.NaN) - queuedMs
  return Number.isNaN(timeLeftMs) ? {} : { timeLeftMs }
}

function includesMetadata(header: string | string[] | undefined): boolean {
  if (header === undefined) return false
  const value = String(header).toLowerCase()
  return value === 'true' || value === '1'
}
