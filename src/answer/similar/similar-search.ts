import type { Bitmap } from '../../bitmap/index.js'
import { idFromValue } from '../../documents/index.js'
import { documentsPassing, type SearchOutcome, type Stages } from '../../engine/index.js'
import { fail, ok, quoted, type Result } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import { shown } from '../../json/index.js'
import type { Filter, SearchIndex } from '../../match/index.js'
import { checkFilterFeatures, type FilterCode, parseFilter } from '../../match/index.js'
import {
  findSimilar,
  type RankedDocument,
  type SimilarPage,
  type SlotVector,
  similarityOf,
  slotVectors,
} from '../../rank/index.js'
import type { StoredEmbedder } from '../../vectors/index.js'
import type { HitOptions } from '../hits.js'
import { withDefaults } from '../request/search-body.js'
import type { SimilarQuery } from '../request/similar-request.js'
import type { SearchContext } from '../search-context.js'

/** A search for documents that are like another one. */
export interface SimilarJob {
  readonly uid: string
  readonly query: SimilarQuery
}

/** A search whose parameters fit the index. */
export interface CheckedSimilar {
  readonly index: SearchIndex
  readonly query: SimilarQuery
  readonly embedder: StoredEmbedder
  readonly similarityOf: ReturnType<typeof similarityOf>
  readonly filter: Filter | undefined
  /** Of the tenant token. */
  readonly rule: Filter | undefined
}

export function checkSimilar({ uid, query }: SimilarJob, context: SearchContext): Result<CheckedSimilar> {
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
  return ok({
    index,
    query,
    embedder,
    similarityOf: similarityOf(config),
    filter: filter.value,
    rule: rule.value,
  })
}

/** The id that is asked for. */
export function readTargetId(value: JsonValue): Result<string> {
  const id = idFromValue(value)
  return id?.ok ? id : fail('invalid_similar_id', `\`.id\`: ${shown(value)} is not a document id.`)
}

/** The vectors of a document. Undefined when there is none with this id that the asking key may see. */
export function findTarget(
  { index, embedder, rule }: CheckedSimilar,
  id: string,
  context: SearchContext,
): Result<readonly SlotVector[] | undefined> {
  const docId = index.folder.docIdOf(id)
  if (docId === undefined) return ok(undefined)
  const visible = passing(index, rule, context, 'invalid_search_filter')
  if (!visible.ok) return visible
  return ok(visible.value.has(docId) ? slotVectors(embedder, docId) : undefined)
}

/** The documents that may be found: all that pass, without the one with this id. */
export function findUniverse(
  { index, rule, filter }: CheckedSimilar,
  id: string,
  { context, stages }: Pick<HitOptions, 'context' | 'stages'>,
): Result<Bitmap> {
  const visible = passing(index, rule, context, 'invalid_search_filter')
  if (!visible.ok) return visible
  const filtered = stages.measure('search > evaluate filter', () =>
    passing(index, filter, context, 'invalid_similar_filter'),
  )
  if (!filtered.ok) return filtered
  const universe = visible.value.and(filtered.value)
  const docId = index.folder.docIdOf(id)
  if (docId !== undefined) universe.remove(docId)
  return ok(universe)
}

/** What is looked for, and among which documents. */
export interface SimilarTask {
  readonly target: readonly SlotVector[]
  readonly universe: Bitmap
  readonly stages: Stages
}

export function findPage(
  { query, embedder, similarityOf: toSimilarity }: CheckedSimilar,
  { target, universe, stages }: SimilarTask,
): SimilarPage {
  const { offset, limit, rankingScoreThreshold: threshold } = query
  const search = { embedder, target, universe, similarityOf: toSimilarity, offset, limit, threshold }
  return stages.measure('search > semantic ranking', () => findSimilar(search))
}

/** Hits look as those of a search do. */
export function asSearch(
  { index, query }: CheckedSimilar,
  documents: readonly RankedDocument[],
): { found: SearchOutcome; query: HitOptions['query'] } {
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
  const options = { attributesToRetrieve, retrieveVectors, showRankingScore, showRankingScoreDetails }
  return { found, query: withDefaults(options) }
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
