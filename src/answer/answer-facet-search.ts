import type { Bitmap } from '../bitmap/index.js'
import type { ByteWriter } from '../bytes/index.js'
import {
  checkFacetSearchEnabled,
  checkNetwork,
  checkSearchedAttributes,
  DEFAULT_LIMIT,
  deadlineOf,
  type FacetHit,
  facetSearch,
  filterKey,
  knownDocuments,
  readSearchFilter,
  searchKind,
} from '../engine/index.js'
import { fail, ok, type Result } from '../errors/index.js'
import type { SearchIndex } from '../match/index.js'
import { rank } from '../rank/index.js'
import type { AnswerFacts } from './answered.js'
import type { FacetSearchQuery } from './request/facet-search-body.js'
import type { SearchContext } from './search-context.js'

/** A search for facet values to be answered. */
export interface FacetSearchJob {
  readonly uid: string
  readonly query: FacetSearchQuery
}

/** Runs a facet search and writes its answer (spec 6 §7.4). */
export function writeFacetSearch(out: ByteWriter, job: FacetSearchJob, context: SearchContext): Result<AnswerFacts> {
  // Opening an index that nobody has searched yet is no part of the search.
  const opened = context.open(job.uid)
  if (!opened.ok) return opened
  const start = performance.now()
  const found = findFacetHits(job, context, context.isForShards)
  if (!found.ok) return found
  const elapsedMs = Math.floor(performance.now() - start)
  out.utf8(`{${printFacetHits(found.value, job.query.facetQuery, elapsedMs)}}`)
  return ok({ degraded: 0 })
}

/** Members of the answer, without braces. */
export function printFacetHits(found: readonly FacetHit[], facetQuery: string | null, elapsedMs: number): string {
  const hits = found.map(({ value, count }) => `{"value":${JSON.stringify(value)},"count":${count}}`)
  return `"facetHits":[${hits.join(',')}],"facetQuery":${JSON.stringify(facetQuery)},"processingTimeMs":${elapsedMs}`
}

/** As many as are shown; those that may be among them where other documents are searched elsewhere (`isPart`). */
export function findFacetHits(
  { uid, query }: FacetSearchJob,
  context: SearchContext,
  isPart: boolean,
): Result<FacetHit[]> {
  const opened = context.open(uid)
  if (!opened.ok) return opened
  const index = opened.value
  const candidates = findCandidates(index, query, context)
  if (!candidates.ok) return candidates
  const { facetName, facetQuery, locales } = query
  return facetSearch({ index, facetName, facetQuery, locales, candidates: candidates.value, isPart })
}

/** The documents whose values are counted. */
function findCandidates(index: SearchIndex, query: FacetSearchQuery, context: SearchContext): Result<Bitmap> {
  const deadline = deadlineOf(index)
  const kind = searchKind(index, query)
  if (!kind.ok) return kind
  const howToRead = { uid: index.uid, reading: 'once' } as const
  const filter = readSearchFilter(query.filter, howToRead, context)
  if (!filter.ok) return filter
  const network = checkNetwork(query.useNetwork, context)
  if (!network.ok) return network
  const enabled = checkFacetSearchEnabled(index)
  if (!enabled.ok) return enabled
  if (query.media !== null && !context.gates.multimodal)
    return fail('feature_not_enabled', 'Passing `media`', 'multimodal')
  const searched = checkSearchedAttributes(index, query.attributesToSearchOn)
  if (!searched.ok) return searched
  const key = filterKey(query.filter, howToRead, context)
  const filtered = knownDocuments(index, { filter: filter.value, key }, context)
  if (!filtered.ok) return filtered
  // What a document means says nothing about its values: then all of them are counted.
  if (kind.value !== 'keyword') return ok(filtered.value ?? index.docIds)
  const ranking = rank(index, {
    q: query.q,
    locales: query.locales,
    matchingStrategy: query.matchingStrategy,
    attributesToSearchOn: query.attributesToSearchOn,
    threshold: query.rankingScoreThreshold,
    sort: [],
    distinct: index.settings.distinctAttribute,
    filter: filtered.value,
    filterKey: key,
    // The duplicates among the first hits are left out, as a search with the default limit does.
    depth: DEFAULT_LIMIT,
    isExhaustive: query.exhaustiveFacetCount,
    deadline,
  })
  return ok(ranking.candidates())
}
