import type { Bitmap } from '../bitmap/index.js'
import { idFromValue } from '../documents/index.js'
import type { SearchOutcome } from '../engine/index.js'
import { documentsPassing, Stages } from '../engine/index.js'
import { fail, ok, quoted, type Result } from '../errors/index.js'
import type { JsonValue } from '../json/index.js'
import { shown } from '../json/index.js'
import type { Filter, SearchIndex } from '../match/index.js'
import { checkFilterFeatures, type FilterCode, parseFilter } from '../match/index.js'
import { findSimilar, type SimilarPage, similarityOf } from '../rank/index.js'
import type { AnswerWriter } from './answer-writer.js'
import { writeHits } from './hits.js'
import { withDefaults } from './request/search-body.js'
import type { SimilarQuery } from './request/similar-request.js'
import type { SearchContext } from './search-context.js'

/** A search for documents that are like another one. */
export interface SimilarJob {
  readonly uid: string
  readonly query: SimilarQuery
}

/** Finds similar documents and writes the answer (spec 7 §4). */
export function writeSimilar(out: AnswerWriter, job: SimilarJob, context: SearchContext): Result<{ degraded: number }> {
  const { query } = job
  const start = performance.now()
  const stages = Stages.ofRequest(query.showPerformanceDetails, context)
  const prepared = prepare(job, context, stages)
  if (!prepared.ok) return prepared
  const { index, id, universe } = prepared.value
  const { offset, limit, rankingScoreThreshold: threshold } = query
  const similar = { ...prepared.value, offset, limit, threshold }
  const page = stages.measure('search > semantic ranking', () => findSimilar(similar))
  out.utf8('{')
  const hits = stages.measureRest('search > format', () => writePage(out, { index, page, query, context, stages }))
  if (!hits.ok) return hits
  const elapsedMs = performance.now() - start
  stages.add('search', elapsedMs)
  const { maxTotalHits } = index.settings.pagination
  const total = page.isCut ? offset + page.documents.length : Math.min(universe.size, maxTotalHits)
  out.utf8(`,"id":${JSON.stringify(id)},"processingTimeMs":${Math.floor(elapsedMs)}`)
  out.utf8(`,"limit":${BigInt(limit)},"offset":${BigInt(offset)},"estimatedTotalHits":${total}`)
  out.utf8(`${stages.print()}}`)
  return ok({ degraded: 0 })
}

interface Prepared
  extends Pick<Parameters<typeof findSimilar>[0], 'embedder' | 'target' | 'universe' | 'similarityOf'> {
  readonly index: SearchIndex
  readonly id: string
}

/** All checks, in their order. */
function prepare({ uid, query }: SimilarJob, context: SearchContext, stages: Stages): Result<Prepared> {
  const opened = context.open(uid)
  if (!opened.ok) return opened
  const index = opened.value
  const config = index.settings.embedders.get(query.embedder)
  const embedder = index.vectors.embedder(query.embedder)
  if (config === undefined || embedder === undefined) return unknownEmbedder(index, query.embedder)
  const filter = readFilter(query.filter, 'invalid_similar_filter', context)
  if (!filter.ok) return filter
  const rule = readFilter(context.tenantFilter(uid), 'invalid_search_filter', context)
  if (!rule.ok) return rule
  const id = idFromValue(query.id)
  if (!id?.ok) return fail('invalid_similar_id', `\`.id\`: ${shown(query.id)} is not a document id.`)
  const target = index.folder.docIdOf(id.value)
  if (target === undefined) return fail('not_found_similar_id', id.value)
  const visible = passing(index, rule.value, context, 'invalid_search_filter')
  if (!visible.ok) return visible
  if (!visible.value.has(target)) return fail('not_found_similar_id', id.value)
  const filtered = stages.measure('search > evaluate filter', () =>
    passing(index, filter.value, context, 'invalid_similar_filter'),
  )
  if (!filtered.ok) return filtered
  const universe = visible.value.and(filtered.value)
  universe.remove(target)
  return ok({ index, id: id.value, embedder, target, universe, similarityOf: similarityOf(config) })
}

function readFilter(value: JsonValue, code: FilterCode, { gates }: SearchContext): Result<Filter | undefined> {
  if (value === null) return ok(undefined)
  const parsed = parseFilter(value, { code, reading: 'once' })
  if (!parsed.ok || parsed.value === undefined) return parsed
  const allowed = checkFilterFeatures(parsed.value, gates)
  return allowed.ok ? parsed : allowed
}

function passing(
  index: SearchIndex,
  filter: Filter | undefined,
  context: SearchContext,
  code: FilterCode,
): Result<Bitmap> {
  return filter === undefined ? ok(index.docIds.clone()) : documentsPassing(filter, { index, context, code })
}

function unknownEmbedder({ uid, settings }: SearchIndex, name: string): Result<never> {
  const known = [...settings.embedders.keys()].map((embedder) => `\`${embedder}\``).join(', ') || 'none'
  const reason = `there is no embedder ${quoted(name)}; embedders are: ${known}.`
  return fail('invalid_similar_embedder', `Index \`${uid}\`: ${reason}`)
}

interface Page {
  readonly index: SearchIndex
  readonly page: SimilarPage
  readonly query: SimilarQuery
  readonly context: SearchContext
  readonly stages: Stages
}

/** Hits look as those of a search do. */
function writePage(out: AnswerWriter, { index, page, query, context, stages }: Page): Result<undefined> {
  const { documents } = page
  const take = documents.length
  const found: SearchOutcome = {
    index,
    sort: [],
    kind: 'semantic',
    queryVector: null,
    deadline: Number.POSITIVE_INFINITY,
    window: { skip: 0, take, depth: take, isPaged: false, page: 1, hitsPerPage: take },
    ranking: {
      documents,
      candidateCount: take,
      candidates: () => index.docIds,
      terms: undefined,
      isDegraded: false,
    },
  }
  const { attributesToRetrieve, retrieveVectors, showRankingScore, showRankingScoreDetails } = query
  const shown = { attributesToRetrieve, retrieveVectors, showRankingScore, showRankingScoreDetails }
  return writeHits(out, found, { query: withDefaults(shown), context, stages })
}
