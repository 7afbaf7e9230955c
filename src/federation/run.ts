import type { Federation, SearchContext } from '../answer/index.js'
import { compareBytes } from '../byte-order/index.js'
import { andThen, DEFAULT_CUTOFF_MS, LOCAL_STAGE, MERGE_STAGE, pageWindow, type Waitable } from '../engine/index.js'
import { ok, type Result } from '../errors/index.js'
import { distinctSearch, partPaging } from './distinct-search.js'
import { Duplicates } from './duplicates.js'
import { type EmbeddedQueries, embedQueries, embedSpread } from './embed-queries.js'
import { type FacetTable, MergedFacets } from './facet-table.js'
import type { Federated, FederatedRequest } from './federated.js'
import { type IndexResult, LocalSearch } from './local-search.js'
import { measureHits } from './measure-hits.js'
import { personalizationOf, personalized } from './personalized.js'
import {
  type LocalQuery,
  ofShards,
  type Plan,
  type PlannedQuery,
  planQueries,
  positionOf,
  type RemoteQuery,
  readingOf,
} from './plan.js'
import {
  askRemotes,
  NOBODY_ASKED,
  type PendingRemotes,
  type RemoteOutcome,
  type RemoteQuestion,
} from './remote/ask-remotes.js'
import { type RemoteAnswer, readRemoteAnswer } from './remote/remote-answer.js'
import { type Forwarding, remoteBody } from './remote/remote-request.js'
import { agreeOn, type Knowledge, knownTogether, NO_KNOWLEDGE } from './shards/collection.js'
import { nextTaken, questionFor, type TakenValues } from './shards/distinct-rounds.js'
import type { OtherCandidate } from './shards/other-candidates.js'
import { wholeLists } from './shards/whole-order.js'
import { type Source, takePage } from './take-page.js'

/** Runs all queries, here and elsewhere, and merges their hits (spec 8 §1.5.3, from step 4 on). */
export function runFederation(request: FederatedRequest, context: SearchContext): Waitable<Result<Federated>> {
  const { queries, federation, stages } = request
  const plan = stages.measure('search > partition queries', () => planQueries(queries, federation, context))
  return andThen(embedSpread(request, plan, context), (embedded) =>
    embedded.ok ? runPlan(request, embedded.value, context) : embedded,
  )
}

function runPlan(request: FederatedRequest, plan: Plan, context: SearchContext): Waitable<Result<Federated>> {
  const knowledge = firstKnowledge(request, plan, context)
  const first = beginRound({ request, plan, knowledge, taken: undefined }, context)
  return andThen(embedQueries(request, plan, context), (embedded) => {
    if (!embedded.ok) {
      first.asked?.giveUp()
      return embedded
    }
    const found = runRounds(first, embedded.value, context)
    return andThen(found, (merged) => (merged.ok ? personalized(merged.value, request, context) : merged))
  })
}

/** Where the documents of an index lie on several servers, one question may not be enough (see `agreeOn`). */
interface Round {
  readonly request: FederatedRequest
  readonly plan: Plan
  readonly knowledge: Knowledge
  /** Where each value of an attribute comes once; undefined before anybody was asked. */
  readonly taken: TakenValues | undefined
  /** Undefined when there is nobody to ask. */
  readonly asked: PendingRemotes<RemoteAnswer> | undefined
  /** The first is 1. */
  readonly number: number
  /** How long others were waited for before. */
  readonly waitedMs: number
}

/** Each ranking rule could need one more than those before it; hardly ever is there a third. */
const MAX_ROUNDS = 8

/** Where each value of an attribute comes once, and documents have several, each of them could need one more. */
const MAX_DISTINCT_ROUNDS = 16

/** What is asked in a round. */
type Asked = Pick<Round, 'request' | 'plan' | 'knowledge' | 'taken'>

function beginRound(
  { request, plan, knowledge, taken }: Asked,
  context: SearchContext,
  before: Pick<Round, 'number' | 'waitedMs'> = { number: 0, waitedMs: 0 },
): Round {
  const { federation, stages } = request
  const asked = stages.measure('search > start remote search', () =>
    askRemotes(questionOf(plan, taken, { federation, knowledge, context }), context),
  )
  return { request, plan, knowledge, taken, asked, number: before.number + 1, waitedMs: before.waitedMs }
}

/** Nothing is known before anybody was asked, unless by the server that asks. */
function firstKnowledge({ queries }: FederatedRequest, plan: Plan, { isForShards }: SearchContext): Knowledge {
  if (plan.shards.length > 0) return new Map(plan.spread.map(({ position }) => [position, null]))
  if (!isForShards) return NO_KNOWLEDGE
  return new Map(
    queries.map(({ federationOptions }, i) => [positionOf(federationOptions, i), federationOptions?.knowledge ?? null]),
  )
}

function runRounds(round: Round, embedded: EmbeddedQueries, context: SearchContext): Waitable<Result<Federated>> {
  return andThen(untilSent(round, context), () => runSent(round, embedded, context))
}

/** Requests are written in the next turns of this thread, which a search would hold up: others would begin when it ends. */
function untilSent({ asked }: Round, context: SearchContext): Waitable<void> {
  return asked === undefined ? undefined : context.wait(turnsOfThread(2))
}

async function turnsOfThread(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function runSent(round: Round, embedded: EmbeddedQueries, context: SearchContext): Waitable<Result<Federated>> {
  const { request, asked, number } = round
  const local = request.stages.measure(LOCAL_STAGE, () => runLocal({ ...round, embedded }, context))
  if (!local.ok) {
    asked?.giveUp()
    return local
  }
  return andThen(gather(round, local.value, context), (sources) => {
    const { waitedMs } = sources
    const next = nextQuestion(round, sources, context)
    if (next === undefined) return ok(merge(request, sources))
    return runRounds(beginRound({ ...round, ...next }, context, { number, waitedMs }), embedded, context)
  })
}

/** What all have to be asked once more, and with what is known by now; undefined where they have told all. */
function nextQuestion(
  { request, plan, knowledge, taken, number }: Round,
  { results, answers }: Sources,
  context: SearchContext,
): Pick<Round, 'knowledge' | 'taken'> | undefined {
  const told = [...results, ...answers].map(({ findings }) => findings)
  const agreed = taken === undefined && number < MAX_ROUNDS ? agreeOn(told, knowledge) : undefined
  if (agreed !== undefined) return { knowledge: agreed, taken }
  const search = taken?.isSettled === true ? undefined : distinctSearch(request, plan, context)
  const next = search && nextTaken([...results, ...answers], search, number >= MAX_DISTINCT_ROUNDS - 1)
  return next && { knowledge: knownTogether(told, knowledge), taken: next }
}

function questionOf(plan: Plan, taken: TakenValues | undefined, forwarding: Forwarding): RemoteQuestion<RemoteAnswer> {
  const reading = readingOf(forwarding.context)
  return {
    path: '/multi-search',
    named: [...plan.remote.keys()],
    shards: plan.shards,
    bodyFor({ server, isNamed, shards }) {
      const own = isNamed ? plan.remote.get(server)! : []
      const distinct = questionFor(taken, shards)
      const ofPart = (query: RemoteQuery) => ({ ...ofShards(query, shards, reading), distinct })
      const spread = shards.length === 0 ? [] : plan.spread.map(ofPart)
      return remoteBody([...own, ...spread], { ...forwarding, federation: partPaging(forwarding.federation, distinct) })
    },
    read: readRemoteAnswer,
  }
}

/** Waits for the other servers, if there are any. */
function gather(
  { request, plan, knowledge, asked, waitedMs: before }: Round,
  local: LocalOutcome,
  context: SearchContext,
): Waitable<Sources> {
  const { federation, stages } = request
  if (asked === undefined) return { plan, ...local, ...NOBODY_ASKED, waitedMs: before }
  measureHits(stages, () => keepHits(local, federation, context))
  const waitedSince = performance.now()
  // Where there may be another round, indexes may be read again.
  const answered = knowledge.size === 0 ? asked.answered : context.wait(asked.answered)
  return answered.then((outcome) => {
    const waitedMs = performance.now() - waitedSince
    stages.add('search > wait for remote results', waitedMs)
    return { plan, ...local, ...outcome, waitedMs: before + waitedMs }
  })
}

interface LocalOutcome {
  readonly results: readonly IndexResult[]
  /** Facets of indexes that no query searches here: others may count them. */
  readonly unused: ReadonlyMap<string, FacetTable>
  /** By their settings: the attributes of which each value comes once, of indexes that others have parts of. */
  readonly distincts: ReadonlyMap<string, string>
}

interface ReadyQueries extends Asked {
  readonly embedded: EmbeddedQueries
}

function runLocal(
  { request, plan, knowledge, taken, embedded }: ReadyQueries,
  context: SearchContext,
): Result<LocalOutcome> {
  const { federation, stages, blame } = request
  const remote = plan.usesNetwork && !context.isProxied ? (context.network?.self ?? null) : undefined
  const isPart = plan.shards.length > 0 || context.isForShards
  const search = new LocalSearch({ federation, context, stages, remote, isPart, knowledge, embedded, blame })
  const results = search.run(taken === undefined ? plan.local : withTaken(plan.local, taken))
  if (!results.ok) return results
  const unused = search.checkUnused(plan.local)
  if (!unused.ok) return unused
  return ok({ results: results.value, unused: unused.value, distincts: distinctsOf(plan, context) })
}

function withTaken(local: Plan['local'], taken: TakenValues): Plan['local'] {
  const ofPart = (query: LocalQuery): LocalQuery => {
    const distinct = questionFor(taken, query.shards ?? [])
    return { ...query, distinct, search: partPaging(query.search, distinct) }
  }
  return new Map(Array.from(local, ([uid, queries]) => [uid, queries.map(ofPart)]))
}

function distinctsOf({ spread, shards }: Plan, context: SearchContext): Map<string, string> {
  const distincts = new Map<string, string>()
  for (const { indexUid } of shards.length === 0 ? [] : spread) {
    const index = context.open(indexUid)
    const distinct = index.ok ? index.value.settings.distinctAttribute : null
    if (distinct !== null) distincts.set(indexUid, distinct)
  }
  return distincts
}

/** All that merging may ask hits for is read now: when the others have answered, the indexes may have changed. */
function keepHits({ results, distincts }: LocalOutcome, federation: Federation, context: SearchContext): void {
  const isPersonal = personalizationOf(federation, context) !== null
  for (const { uid, hits, pins, facets } of results) {
    const distinct = federation.distinct ?? distincts.get(uid) ?? null
    const attributes = distinct === null ? [] : [distinct, ...(facets?.attributes ?? [])]
    for (const hit of hits) hit.keep(attributes)
    for (const { hit } of pins) hit.keep([])
    if (isPersonal) for (const hit of [...hits, ...pins.map((pin) => pin.hit)]) hit.document()
  }
}

interface Sources extends LocalOutcome, RemoteOutcome<RemoteAnswer> {
  readonly plan: Plan
  readonly waitedMs: number
}

function merge({ queries, federation, stages }: FederatedRequest, sources: Sources): Federated {
  const { plan, results, answers, errors, failed, waitedMs } = sources
  const facets = stages.measure('search > merge facets', () => facetTables(sources))
  const merged = federation.mergeFacets === null ? null : new MergedFacets(federation.mergeFacets.maxValuesPerFacet)
  const mergeTables = () => {
    if (merged !== null) for (const table of facets.values()) table.mergeInto(merged)
  }
  // Values of which only the first ones are shown can be merged when all of them are counted.
  const isInParts = plan.shards.length > 0
  if (!isInParts) mergeTables()
  const window = pageWindow(federation, Number.POSITIVE_INFINITY)
  const page = stages.measure(MERGE_STAGE, () =>
    takePage(isInParts ? wholeSources(sources, queries) : [...results, ...answers], {
      window,
      duplicates: new Duplicates(federation.distinct, sources.distincts),
      uncounted: isInParts ? [...results, ...answers].flatMap(({ others }) => others).sort(byArrival) : [],
      forget: (document) => {
        // Where nothing was counted there is nothing to take away.
        const counted = facets.get(document.indexUid)
        if (counted !== undefined) (isInParts ? counted : (merged ?? counted)).remove(document)
      },
    }),
  )
  if (isInParts) {
    for (const table of facets.values()) table.settle()
    mergeTables()
  }
  const total = [...results, ...answers].reduce((sum, source) => sum + source.total, 0) - page.rejected
  return {
    hits: page.hits,
    organic: page.organic,
    semanticHitCount: isSemanticSearch(sources) ? page.semanticHitCount : null,
    window,
    total,
    facets,
    merged,
    plan,
    local: results,
    remotes: answers,
    remoteErrors: plan.usesNetwork ? errors : null,
    failedRemotes: failed,
    waitedMs,
    deadline: lastDeadline(results, performance.now() - waitedMs),
  }
}

const byArrival = (a: OtherCandidate, b: OtherCandidate): number => a.arrival - b.arrival

/** Others are heard where they have a part of the index: this server may have none. */
const isSemanticSearch = ({ plan, results, answers }: Sources): boolean =>
  results.some(({ isSemantic: isOwn }) => isOwn) || (plan.shards.length > 0 && answers.some((each) => each.isSemantic))

function wholeSources({ results, answers }: Sources, queries: readonly PlannedQuery[]): Source[] {
  const found = [...results, ...answers]
  const ratios = queries.map(({ search, federationOptions }, i) => {
    return [positionOf(federationOptions, i), search.hybrid?.semanticRatio ?? null] as const
  })
  const lists = wholeLists(
    found.map(({ hits }) => hits),
    new Map(ratios),
  )
  return [...lists.map((hits) => ({ hits, pins: [] })), { hits: [], pins: found.flatMap(({ pins }) => pins) }]
}

/** Where only others searched, it is as if one had been searched here. */
function lastDeadline(results: readonly IndexResult[], searchedAt: number): number {
  if (results.length === 0) return searchedAt + DEFAULT_CUTOFF_MS
  return Math.max(...results.map(({ deadline }) => deadline))
}

function facetTables({ results, unused, answers }: Sources): ReadonlyMap<string, FacetTable> {
  const tables = new Map<string, FacetTable>()
  for (const { uid, facets } of results) if (facets !== null) tables.set(uid, facets)
  const countIn = (uid: string, count: (table: FacetTable) => void): void => {
    const table = tables.get(uid) ?? unused.get(uid)
    if (table === undefined) return
    tables.set(uid, table)
    count(table)
  }
  for (const { facets, parts } of answers) {
    for (const [uid, part] of parts) countIn(uid, (table) => table.addPart(part))
    for (const [uid, fields] of facets) {
      countIn(uid, (table) => {
        for (const { attribute, counts, stats } of fields) table.addOthers(attribute, counts, stats)
      })
    }
  }
  return new Map([...tables].sort(([a], [b]) => compareBytes(a, b)))
}
