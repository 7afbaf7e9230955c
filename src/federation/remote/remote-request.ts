import type { Federation, SearchContext } from '../../answer/index.js'
import { DEFAULT_LIMIT, readSearchFilter, type SearchQuery } from '../../engine/index.js'
import { ok, type Result } from '../../errors/index.js'
import { Float, fromPlain, type JsonObject, type JsonValue, print } from '../../json/index.js'
import type { Reading } from '../../match/index.js'
import { printFilter } from '../../match/index.js'
import { type RemoteQuery, readingOf } from '../plan.js'
import { type Knowledge, printKnowledge } from '../shards/collection.js'

/** The body that another server is sent: its queries and the paging from the first hit on (spec 8 §3.7). */
export function remoteBody(
  queries: readonly RemoteQuery[],
  { federation, knowledge, context }: Forwarding,
): Result<string> {
  const forwarded: JsonValue[] = []
  const reading = readingOf(context)
  for (const query of queries) {
    const filter = forwardedFilter(query.search.filter, { uid: query.indexUid, reading }, context)
    if (!filter.ok) return filter
    forwarded.push(forwardedQuery(query, filter.value, { federation, knowledge, context }))
  }
  return ok(
    print(
      new Map<string, JsonValue>([
        ['queries', forwarded],
        ['federation', forwardedFederation(federation)],
      ]),
    ),
  )
}

/** What a tenant token adds is part of it: the other server does not know the token. */
export function forwardedFilter(
  requested: JsonValue,
  { uid, reading }: { uid: string; reading: Reading },
  context: SearchContext,
): Result<string | null> {
  const filter = readSearchFilter(requested, { uid, reading }, context)
  if (!filter.ok) return filter
  return ok(filter.value === undefined ? null : printFilter(filter.value, reading))
}

/** The parameters of queries that are sent as they came. Paging, facets and `distinct` are handled apart. */
const FORWARDED = [
  'q',
  'attributesToRetrieve',
  'attributesToCrop',
  'cropLength',
  'cropMarker',
  'attributesToHighlight',
  'highlightPreTag',
  'highlightPostTag',
  'showMatchesPosition',
  'sort',
  'matchingStrategy',
  'attributesToSearchOn',
  'rankingScoreThreshold',
  'locales',
  'vector',
  'media',
  'retrieveVectors',
  'showRankingScore',
  'showRankingScoreDetails',
] as const satisfies readonly (keyof SearchQuery)[]

/** What all queries are forwarded with. */
export interface Forwarding {
  readonly federation: Federation
  /** What all servers together know of queries. */
  readonly knowledge: Knowledge
  readonly context: SearchContext
}

function forwardedQuery(query: RemoteQuery, filter: string | null, forwarding: Forwarding): JsonObject {
  const { federation, knowledge, context } = forwarding
  const { indexUid, search, weight, position, shards, distinct } = query
  const body: JsonObject = new Map([['indexUid', indexUid]])
  for (const name of FORWARDED) if (search[name] !== null) body.set(name, fromPlain(search[name]))
  if (filter !== null) body.set('filter', filter)
  if (search.hybrid !== null) body.set('hybrid', fromPlain(search.hybrid))
  if (federation.distinct === null && search.distinct !== null) body.set('distinct', search.distinct)
  // Under a leader searches are those of the network unless they say otherwise.
  if (context.network?.shards != null) body.set('useNetwork', false)
  body.set(
    'federationOptions',
    new Map<string, JsonValue>([
      ['weight', new Float(weight)],
      ['queryPosition', position],
      ...(shards === undefined ? [] : [['shards', [...shards]] satisfies [string, JsonValue]]),
      ...printKnowledge(knowledge.get(position) ?? null),
      ...(distinct === undefined ? [] : [['distinct', fromPlain(distinct)] satisfies [string, JsonValue]]),
    ]),
  )
  return body
}

function forwardedFederation(federation: Federation): JsonObject {
  const { facetsByIndex, distinct, showPerformanceDetails } = federation
  const body: JsonObject = forwardedPaging(federation)
  body.set('facetsByIndex', new Map(Array.from(facetsByIndex, ([uid, names]) => [uid, names && [...names]])))
  if (distinct !== null) body.set('distinct', distinct)
  if (showPerformanceDetails) body.set('showPerformanceDetails', true)
  return body
}

/** From the first hit on: which of them are on the page shows after the merge. */
function forwardedPaging({ offset, limit, page, hitsPerPage }: Federation): JsonObject {
  if (page === null && hitsPerPage === null) return paging({ limit: limit + offset, offset: 0 })
  if (page === 0) return paging({ page, hitsPerPage: hitsPerPage ?? DEFAULT_LIMIT })
  return paging({ page: 1, hitsPerPage: (page ?? 1) * (hitsPerPage ?? DEFAULT_LIMIT) })
}

const paging = (members: Record<string, number>): JsonObject =>
  new Map(Object.entries(members).map(([name, value]) => [name, Math.min(value, Number.MAX_SAFE_INTEGER)]))
