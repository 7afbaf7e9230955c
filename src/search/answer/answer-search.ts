import type { ByteWriter } from '../../bytes/index.js'
import { fail, failureSaying, ok, type Result } from '../../errors/index.js'
import type { SearchQuery } from '../request/search-query.js'
import { embedQuery } from './embed-query.js'
import { type Finding, type Found, findDocuments } from './find.js'
import { writeHits } from './hits.js'
import { facetsOf } from './known-facets.js'
import { printTotals } from './page-window.js'
import { newUid } from './request-uid.js'
import type { SearchContext } from './search-context.js'
import { queryVectorMember, semanticHitCount } from './semantic-members.js'
import { LOCAL_STAGE, Stages } from './stages.js'
import { andThen, type Waitable } from './waitable.js'

/** One search to be answered. */
export interface SearchJob {
  readonly uid: string
  readonly query: SearchQuery
  /** Shared by all results of one request. */
  readonly requestUid: string
}

/** What the server counts. */
export interface SearchFacts {
  /** Time cut the ranking short. */
  readonly isDegraded: boolean
  /** Other servers that could not be searched. */
  readonly failedRemotes?: readonly string[]
}

/** Runs a search and writes the members of its result, without braces (spec 6 §2.1). */
export function writeSearch(out: ByteWriter, job: SearchJob, context: SearchContext): Waitable<Result<SearchFacts>> {
  const { uid, query } = job
  const start = performance.now()
  const stages = new Stages(query.showPerformanceDetails)
  stages.add('wait in queue', context.queuedMs)
  const finding = { uid, query, context, stages }
  if (query.hybrid === null) return writeFound(out, { job, finding, start })
  return andThen(embedQuery(finding), (embedded) =>
    embedded.ok ? writeFound(out, { job, finding: { ...finding, embedded: embedded.value }, start }) : embedded,
  )
}

interface Written {
  readonly job: SearchJob
  readonly finding: Finding
  readonly start: number
}

function writeFound(out: ByteWriter, { job, finding, start }: Written): Result<SearchFacts> {
  const { query, context, stages } = finding
  const found = findDocuments(finding)
  if (!found.ok) return found
  const hits = stages.measure(`${LOCAL_STAGE} > format`, () => writeHits(out, found.value, query, context))
  if (!hits.ok) return hits
  stages.add(LOCAL_STAGE, performance.now() - start)
  const facets = facetMembers(found.value, { query, context, stages })
  if (!facets.ok) return facets
  const personalized = checkPersonalization(query, context)
  if (!personalized.ok) return personalized
  const elapsedMs = performance.now() - start
  stages.add('search', elapsedMs)
  out.utf8(`,"query":${JSON.stringify(query.q ?? '')}${queryVectorMember(found.value, query)}`)
  out.utf8(`,"processingTimeMs":${Math.floor(elapsedMs)}`)
  out.utf8(`,${totals(found.value, query, context)}${facets.value}`)
  out.utf8(`,"requestUid":"${job.requestUid}"${metadata(found.value, query, context)}${stages.print()}`)
  out.utf8(semanticHitCount(found.value))
  return ok({ isDegraded: found.value.ranking.isDegraded })
}

interface Answering {
  readonly query: SearchQuery
  readonly context: SearchContext
  readonly stages: Stages
}

/** With a comma before them, or nothing. The previous pipeline answers an empty list too (spec 6 §2.6). */
function facetMembers({ index, ranking }: Found, { query, context, stages }: Answering): Result<string> {
  const { facets } = query
  if (facets === null || (facets.length === 0 && !context.gates.legacySearch)) return ok('')
  const counted = stages.measure('search > merge facets', () => facetsOf(index, facets, ranking))
  if (!counted.ok) return counted
  return ok(`,"facetDistribution":${counted.value.facetDistribution},"facetStats":${counted.value.facetStats}`)
}

/** The service that orders hits for a person is asked last; there is none to ask yet (spec 6 §12.1). */
export function checkPersonalization(
  { personalize }: Pick<SearchQuery, 'personalize'>,
  { canPersonalize }: SearchContext,
): Result<undefined> {
  if (personalize === null) return ok(undefined)
  if (canPersonalize) return fail('invalid_search_personalize', '`.personalize`: it is not possible yet.')
  const reason = '`.personalize`: the server was started without --experimental-personalization-api-key.'
  return { ok: false, failure: failureSaying('feature_not_enabled', reason) }
}

/** The previous pipeline never told of more hits than could be had (spec 6 §2.6). */
function totals({ index, ranking, window }: Found, query: SearchQuery, { gates }: SearchContext): string {
  const { candidateCount } = ranking
  if (!gates.legacySearch) return printTotals(query, window, candidateCount)
  const { maxTotalHits } = index.settings.pagination
  const paging = { ...query, offset: Math.min(query.offset, maxTotalHits) }
  return printTotals(paging, window, Math.min(candidateCount, maxTotalHits))
}

/** With a comma before it, or nothing (spec 8 §2). */
function metadata({ index }: Found, { q }: SearchQuery, { includesMetadata, gates }: SearchContext): string {
  if (!includesMetadata) return ''
  const { primaryKey } = index
  const members = [
    ...(q === null || gates.legacySearch ? [] : [`"query":${JSON.stringify(q)}`]),
    `"queryUid":"${newUid()}"`,
    `"indexUid":"${index.uid}"`,
    ...(primaryKey === null ? [] : [`"primaryKey":${JSON.stringify(primaryKey)}`]),
  ]
  return `,"metadata":{${members.join(',')}}`
}
