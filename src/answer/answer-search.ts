import type { Personalization, SearchQuery, SearchTask } from '../engine/index.js'
import {
  andThen,
  embedQuery,
  executeSearch,
  facetsOf,
  LOCAL_STAGE,
  printTotals,
  type SearchOutcome,
  Stages,
  type Waitable,
} from '../engine/index.js'
import { ok, type Result } from '../errors/index.js'
import type { RankedDocument } from '../rank/index.js'
import type { AnswerWriter } from './answer-writer.js'
import { pageOf, printHits, writeHits } from './hits.js'
import { personalizePage } from './personalize/personalize-page.js'
import { isRepeatable, type Repetition } from './repetition.js'
import { newUid, UID_LENGTH } from './request-uid.js'
import type { SearchContext } from './search-context.js'
import { queryVectorMember, semanticHitCount } from './semantic-members.js'

/** One search to be answered. */
export interface SearchJob {
  readonly uid: string
  readonly query: SearchQuery
  /** Shared by all results of one request. */
  readonly requestUid: string
  /** Where the searches of a request share theirs. */
  readonly stages?: Stages
}

/** What the server counts. */
export interface SearchFacts {
  /** Time cut the ranking short. */
  readonly isDegraded: boolean
  /** The order is one for a person, or was to be. */
  readonly isPersonalized: boolean
  /** Other servers that could not be searched. */
  readonly failedRemotes?: readonly string[]
  /** Absent where the same request may be answered otherwise though no index has changed. */
  readonly repetition?: Repetition | undefined
}

/** Runs a search and writes the members of its result, without braces (spec 6 §2.1). */
export function writeSearch(out: AnswerWriter, job: SearchJob, context: SearchContext): Waitable<Result<SearchFacts>> {
  const { uid, query } = job
  const start = performance.now()
  const stages = job.stages ?? Stages.ofRequest(query.showPerformanceDetails, context)
  const finding = { uid, query, context, stages }
  if (query.hybrid === null) return writeFound(out, { job, finding, start })
  return andThen(embedQuery(finding), (embedded) =>
    embedded.ok ? writeFound(out, { job, finding: { ...finding, embedded: embedded.value }, start }) : embedded,
  )
}

interface WriteRequest {
  readonly job: SearchJob
  readonly finding: SearchTask<SearchContext>
  readonly start: number
}

function writeFound(out: AnswerWriter, written: WriteRequest): Waitable<Result<SearchFacts>> {
  const found = executeSearch(written.finding)
  if (!found.ok) return found
  const { personalize } = written.finding.query
  return personalize === null
    ? writeRanked(out, found.value, written)
    : writePersonalized(out, found.value, { ...written, personalize })
}

function writeRanked(out: AnswerWriter, found: SearchOutcome, written: WriteRequest): Result<SearchFacts> {
  const { stages } = written.finding
  const hits = stages.measureRest(`${LOCAL_STAGE} > format`, () => writeHits(out, found, written.finding))
  if (!hits.ok) return hits
  const ending = prepareEnding(found, written)
  if (!ending.ok) return ending
  return writeEnding(out, { found, page: pageOf(found), ending: ending.value }, written)
}

/** All that is told of the index is read before the service is asked, since the index may change meanwhile. */
function writePersonalized(
  out: AnswerWriter,
  found: SearchOutcome,
  written: WriteRequest & { readonly personalize: Personalization },
): Waitable<Result<SearchFacts>> {
  const { query, context, stages } = written.finding
  const hits = stages.measureRest(`${LOCAL_STAGE} > format`, () => printHits(found, written.finding))
  if (!hits.ok) return hits
  const ending = prepareEnding(found, written)
  if (!ending.ok) return ending
  const { personalize } = written
  const page = { hits: hits.value, personalize, q: query.q ?? '', deadline: found.deadline, context, stages }
  return personalizePage(page).then((ordered) => {
    if (!ordered.ok) return ordered
    out.utf8(`"hits":[${ordered.value.map(({ text }) => text).join(',')}]`)
    return writeEnding(out, { found, page: ordered.value.map(({ ranked }) => ranked), ending: ending.value }, written)
  })
}

/** What follows the hits, around the time that the search took, which is known last. */
interface Ending {
  readonly beforeTime: string
  readonly afterTime: string
}

function prepareEnding(found: SearchOutcome, { job, finding, start }: WriteRequest): Result<Ending> {
  const { query, context, stages } = finding
  stages.add(LOCAL_STAGE, performance.now() - start)
  const facets = facetMembers(found, { query, context, stages })
  if (!facets.ok) return facets
  const requestUid = `,"requestUid":"${job.requestUid}"`
  return ok({
    beforeTime: `,"query":${JSON.stringify(query.q ?? '')}${queryVectorMember(found, query)}`,
    afterTime: `,${totals(found, query, context)}${facets.value}${requestUid}${metadata(found, query, context)}`,
  })
}

interface Ended {
  readonly found: SearchOutcome
  /** The hits that were written. */
  readonly page: readonly RankedDocument[]
  readonly ending: Ending
}

function writeEnding(
  out: AnswerWriter,
  { found, page, ending }: Ended,
  { finding, start }: WriteRequest,
): Result<SearchFacts> {
  const { query, context, stages } = finding
  const elapsedMs = performance.now() - start
  stages.add('search', elapsedMs)
  out.utf8(`${ending.beforeTime},"processingTimeMs":`)
  const timeAt = out.length
  out.utf8(String(Math.floor(elapsedMs)))
  const timeEnd = out.length
  out.utf8(ending.afterTime)
  const uidAt = out.length - UID_LENGTH - 1
  if (query.showPerformanceDetails) out.utf8(context.gates.legacySearch ? stages.printFlat() : stages.print())
  out.utf8(semanticHitCount(found, page))
  const { isDegraded } = found.ranking
  const { uid, version } = found.index
  const repetition: Repetition = { versions: [[uid, version]], changes: [{ timeAt, timeEnd, uidAt }] }
  const canRepeat = !isDegraded && isRepeatable(query, context)
  const isPersonalized = query.personalize !== null
  return ok({ isDegraded, isPersonalized, repetition: canRepeat ? repetition : undefined })
}

interface Answering {
  readonly query: SearchQuery
  readonly context: SearchContext
  readonly stages: Stages
}

/** With a comma before them, or nothing. The previous pipeline answers an empty list too (spec 6 §2.6). */
function facetMembers({ index, ranking }: SearchOutcome, { query, context, stages }: Answering): Result<string> {
  const { facets } = query
  if (facets === null || (facets.length === 0 && !context.gates.legacySearch)) return ok('')
  const counted = stages.measure('search > merge facets', () => facetsOf(index, facets, ranking))
  if (!counted.ok) return counted
  return ok(`,"facetDistribution":${counted.value.facetDistribution},"facetStats":${counted.value.facetStats}`)
}

/** The previous pipeline never told of more hits than could be had (spec 6 §2.6). */
function totals({ index, ranking, window }: SearchOutcome, query: SearchQuery, { gates }: SearchContext): string {
  const { candidateCount } = ranking
  if (!gates.legacySearch) return printTotals(query, window, candidateCount)
  const { maxTotalHits } = index.settings.pagination
  const paging = { ...query, offset: Math.min(query.offset, maxTotalHits) }
  return printTotals(paging, window, Math.min(candidateCount, maxTotalHits))
}

/** With a comma before it, or nothing (spec 8 §2). */
function metadata({ index }: SearchOutcome, { q }: SearchQuery, { includesMetadata, gates }: SearchContext): string {
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
