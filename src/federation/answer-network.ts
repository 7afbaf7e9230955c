import type { AnswerWriter, Federation, SearchContext, SearchFacts, SearchJob } from '../answer/index.js'
import { queryVectorJson } from '../answer/index.js'
import type { SearchQuery } from '../engine/index.js'
import { andThen, printTotals, readSearchFilter, Stages, type Waitable } from '../engine/index.js'
import { ok, type Result } from '../errors/index.js'
import { printRemoteErrors, printSemanticHits, processingTime, writeHits } from './answer-federated.js'
import type { Federated } from './federated.js'
import { measureHits } from './measure-hits.js'
import { printQueryMetadata } from './metadata.js'
import { type PlannedQuery, readingOf } from './plan.js'
import { runSingle } from './run-single.js'

/** Runs a search on all servers and writes the members of its result, without braces (spec 8 §1.4). */
export function writeNetworkSearch(
  out: AnswerWriter,
  { uid, query, requestUid, stages: shared }: SearchJob,
  context: SearchContext,
): Waitable<Result<SearchFacts>> {
  const start = performance.now()
  const filter = readSearchFilter(query.filter, { uid, reading: readingOf(context) }, context)
  if (!filter.ok) return filter
  const stages = shared ?? Stages.ofRequest(query.showPerformanceDetails, context)
  const planned = { indexUid: uid, search: query, federationOptions: null }
  const request = { queries: [planned], federation: ownFederation(uid, query), stages, blame: unplaced }
  return andThen(runSingle(request, context), (found) => {
    if (!found.ok) return found
    writeResult(out, { planned, requestUid, found: found.value, context, stages, start })
    const isDegraded = found.value.local.some(({ degraded }) => degraded > 0)
    const isPersonalized = query.personalize !== null
    return ok({ isDegraded, isPersonalized, failedRemotes: found.value.failedRemotes })
  })
}

/** There is one query only: it need not be named. */
export const unplaced = (_position: number, failure: Extract<Result<never>, { ok: false }>['failure']) =>
  ({ ok: false, failure }) as const

/** What a federated search of this one query would say. */
export function ownFederation(uid: string, query: SearchQuery): Federation {
  const { facets } = query
  return {
    offset: query.offset,
    limit: query.limit,
    page: query.page,
    hitsPerPage: query.hitsPerPage,
    facetsByIndex: facets === null || facets.length === 0 ? new Map() : new Map([[uid, facets]]),
    mergeFacets: null,
    distinct: query.distinct,
    showPerformanceDetails: query.showPerformanceDetails,
    personalize: query.personalize,
  }
}

interface Answering {
  readonly planned: PlannedQuery
  readonly requestUid: string
  readonly found: Federated
  readonly context: SearchContext
  readonly stages: Stages
  readonly start: number
}

function writeResult(out: AnswerWriter, { planned, requestUid, found, context, stages, start }: Answering): void {
  const query = planned.search
  out.utf8('"hits":[')
  measureHits(stages, () => writeHits(out, found))
  const elapsedMs = performance.now() - start
  stages.add('search', elapsedMs)
  out.utf8(`],"query":${JSON.stringify(query.q ?? '')}${printQueryVector(query, found)}`)
  out.utf8(`,"processingTimeMs":${processingTime(found, elapsedMs)}`)
  out.utf8(`,${printTotals(query, found.window, found.total)}${printFacets(found)},"requestUid":"${requestUid}"`)
  if (context.includesMetadata) out.utf8(`,"metadata":${printQueryMetadata(planned, found, context)}`)
  if (query.showPerformanceDetails) out.utf8(stages.print())
  out.utf8(`${printRemoteErrors(found, context)}${printSemanticHits(found)}`)
}

function printQueryVector({ retrieveVectors }: SearchQuery, { local, remotes }: Federated): string {
  if (!retrieveVectors) return ''
  const own = local[0]?.queryVectors.get(0)
  const vector =
    own === undefined ? remotes.flatMap(({ queryVectors }) => [...queryVectors.values()])[0] : queryVectorJson(own)
  return vector === undefined ? '' : `,"queryVector":${vector}`
}

function printFacets({ facets }: Federated): string {
  const [table] = facets.values()
  if (table === undefined) return ''
  const { distribution, stats } = table.print()
  return `,"facetDistribution":${distribution},"facetStats":${stats}`
}
