import type { AnswerFacts, FacetSearchQuery, SearchContext } from '../answer/index.js'
import { type FacetSearchJob, findFacetHits, printFacetHits } from '../answer/index.js'
import type { ByteWriter } from '../bytes/index.js'
import type { FacetHit } from '../engine/index.js'
import { mergeFacetHits, readSearchFilter } from '../engine/index.js'
import { ok, type Result } from '../errors/index.js'
import { fromPlain, isObject, type JsonObject, type JsonValue, print, toDouble } from '../json/index.js'
import type { Settings } from '../settings/index.js'
import { printRemoteErrors } from './answer-federated.js'
import { facetOrder } from './facet-table.js'
import { FacetTally } from './facet-tally.js'
import { askRemotes, NOBODY_ASKED, type PendingRemotes } from './remote/ask-remotes.js'
import type { AnswerProblem } from './remote/remote-exchange.js'
import { forwardedFilter } from './remote/remote-request.js'
import { withShards } from './shards/shard-filter.js'
import { sharesOf } from './shards/shard-owners.js'

/** Looks for facet values on all servers and writes the answer (spec 8 §3.7). */
export async function writeNetworkFacetSearch(
  out: ByteWriter,
  job: FacetSearchJob,
  context: SearchContext,
): Promise<Result<AnswerFacts>> {
  const start = performance.now()
  // Said here, whether anybody is asked or not.
  const filter = readSearchFilter(job.query.filter, { uid: job.uid, reading: 'once' }, context)
  if (!filter.ok) return filter
  const asked = askOthers(job, context)
  const local = findHere(job, context)
  if (!local.ok) {
    asked?.giveUp()
    return local
  }
  const localMs = performance.now() - start
  const { answers, errors, failed } = (await asked?.answered) ?? NOBODY_ASKED
  const { hits, merge } = local.value
  const found = merge([hits, ...answers])
  out.utf8(`{${printFacetHits(found, job.query.facetQuery, Math.floor(localMs))}`)
  out.utf8(`${printRemoteErrors({ remoteErrors: errors }, context)}}`)
  return ok({ degraded: 0, failedRemotes: failed })
}

type FacetHits = readonly FacetHit[]

interface FoundHere {
  readonly hits: FacetHits
  /** The values of all servers in the order of this one, as many as it shows. */
  readonly merge: (found: readonly FacetHits[]) => FacetHits
}

/** A server that is not asked has nothing to say, but knows how values are shown. */
function findHere(job: FacetSearchJob, context: SearchContext): Result<FoundHere> {
  const opened = context.open(job.uid)
  if (!opened.ok) return opened
  const { here, shards } = sharesOf(context.network!)
  const found = here === undefined ? ok([]) : findFacetHits(ofShards(job, here), context, shards.length > 0)
  if (!found.ok) return found
  const { settings, roles } = opened.value
  const { facetName, facetQuery } = job.query
  const isInParts = context.network!.shards !== null
  const merge = (all: readonly FacetHits[]): FacetHits =>
    isInParts
      ? mergeFacetHits({ index: { settings, roles }, facetName, facetQuery }, all)
      : addUp(all, settings.faceting, facetName)
  return ok({ hits: found.value, merge })
}

/** Servers that know nothing of each other may spell values differently: then both are shown. */
function addUp(all: readonly FacetHits[], faceting: Settings['faceting'], facetName: string): FacetHit[] {
  const merged = new FacetTally()
  for (const hits of all) {
    merged.add(
      hits.map(({ value, count }) => [value, count] as const),
      null,
    )
  }
  merged.arrange(facetOrder(faceting, facetName), faceting.maxValuesPerFacet)
  return merged.entries().map(([value, count]) => ({ value, count }))
}

function askOthers(job: FacetSearchJob, context: SearchContext): PendingRemotes<FacetHit[]> | undefined {
  const { named, shards } = sharesOf(context.network!)
  return askRemotes(
    {
      path: `/indexes/${job.uid}/facet-search`,
      named,
      shards,
      bodyFor: (part) => forwardedQuery(ofShards(job, part.shards), context),
      read: readFacetHits,
    },
    context,
  )
}

const ofShards = ({ uid, query }: FacetSearchJob, shards: readonly string[] | null): FacetSearchJob => ({
  uid,
  query: { ...query, filter: withShards(query.filter, shards, 'once') },
})

/** The parameters that are sent as they came. */
const FORWARDED = [
  'facetName',
  'facetQuery',
  'q',
  'matchingStrategy',
  'attributesToSearchOn',
  'rankingScoreThreshold',
  'locales',
  'hybrid',
  'vector',
  'media',
  'exhaustiveFacetCount',
] as const satisfies readonly (keyof FacetSearchQuery)[]

function forwardedQuery({ uid, query }: FacetSearchJob, context: SearchContext): Result<string> {
  const filter = forwardedFilter(query.filter, { uid, reading: 'once' }, context)
  if (!filter.ok) return filter
  const body: JsonObject = new Map()
  for (const name of FORWARDED) if (query[name] !== null) body.set(name, fromPlain(query[name]))
  if (filter.value !== null) body.set('filter', filter.value)
  if (context.network?.shards != null) body.set('useNetwork', false)
  return ok(print(body))
}

function readFacetHits(_name: string, answer: JsonValue): FacetHit[] | AnswerProblem {
  const hits = isObject(answer) ? answer.get('facetHits') : undefined
  if (!Array.isArray(hits)) return 'of another kind'
  const read: FacetHit[] = []
  for (const hit of hits) {
    const value = isObject(hit) ? hit.get('value') : undefined
    const count = isObject(hit) ? toDouble(hit.get('count') ?? null) : undefined
    if (typeof value !== 'string' || count === undefined) return 'of another kind'
    read.push({ value, count })
  }
  return read
}
