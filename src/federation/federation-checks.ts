import type { Federation, MultiSearch, MultiSearchQuery, SearchContext } from '../answer/index.js'
import { readSearchFilter } from '../engine/index.js'
import { excerpt, type Failure, failure, failureSaying, ok, quoted, type Result } from '../errors/index.js'
import { isForNetwork, positionOf, readingOf } from './plan.js'

/** A failure of one query says which one it was. */
export function atPosition(position: number, { code, message }: Failure): { ok: false; failure: Failure } {
  return { ok: false, failure: failureSaying(code, `\`.queries[${position}]\`: ${message}`) }
}

/**
 * What can be refused before any index is opened: first all filters, then query by query (spec 8 §1.5.3). Answers the
 * distinct attribute of the whole request: that of a query that is sent to all servers becomes it.
 */
export function checkFederated(
  queries: MultiSearch['queries'],
  federation: Federation,
  context: SearchContext,
): Result<string | null> {
  const reading = readingOf(context)
  for (const [i, { indexUid, search, federationOptions }] of queries.entries()) {
    const filter = readSearchFilter(search.filter, { uid: indexUid, reading }, context)
    if (!filter.ok) return atPosition(positionOf(federationOptions, i), filter.failure)
  }
  let { distinct } = federation
  for (const [i, query] of queries.entries()) {
    for (const check of CHECKS) {
      const refusal = check(query, distinct, context)
      if (refusal !== undefined) return atPosition(positionOf(query.federationOptions, i), refusal)
    }
    if (isForNetwork(query.search, context) && (query.federationOptions?.remote ?? null) === null) {
      distinct ??= query.search.distinct
    }
  }
  return ok(distinct)
}

type Check = (query: MultiSearchQuery, distinct: string | null, context: SearchContext) => Failure | undefined

/** In their order: the first that refuses decides. */
const CHECKS: readonly Check[] = [
  refusePaging,
  refuseFacets,
  ({ search }) =>
    search.personalize === null
      ? undefined
      : failure('invalid_multi_search_query_personalization', byQuery('personalize', '`personalize`')),
  ({ search, federationOptions }) =>
    typeof federationOptions?.remote === 'string' && search.useNetwork === true
      ? failure(
          'invalid_multi_search_federation_options',
          '`federationOptions.remote` and `useNetwork` cannot be given together.',
        )
      : undefined,
  ({ given }) =>
    given.showPerformanceDetails === null
      ? undefined
      : failure(
          'invalid_multi_search_query_show_performance_details',
          byQuery('showPerformanceDetails', '`showPerformanceDetails`'),
        ),
  ({ search }, distinct) =>
    search.distinct === null || distinct === null
      ? undefined
      : failure('invalid_multi_search_distinct', '`distinct` is given by the query and by `federation`.'),
  requireNetwork,
  refuseUnknownRemote,
]

const byQuery = (name: string, instead: string): string =>
  `\`${name}\` cannot be given by query: \`federation\` has ${instead}.`

function refusePaging({ given, search }: MultiSearchQuery): Failure | undefined {
  const paging = { offset: given.offset, limit: given.limit, page: search.page, hitsPerPage: search.hitsPerPage }
  const name = Object.entries(paging).find(([, value]) => value !== null)?.[0]
  return name === undefined
    ? undefined
    : failure('invalid_multi_search_query_pagination', byQuery(name, '`limit` and `offset`'))
}

/** How much of the facets a message shows. */
const SHOWN_CHARACTERS = 120

function refuseFacets({ indexUid, search }: MultiSearchQuery): Failure | undefined {
  if (search.facets === null || search.facets.length === 0) return undefined
  const facets = excerpt(search.facets.join(', '), SHOWN_CHARACTERS)
  const message = `Index \`${indexUid}\`, facets ${facets}: ${byQuery('facets', '`facetsByIndex`')}`
  return failure('invalid_multi_search_query_facets', message)
}

function requireNetwork(
  { search, federationOptions }: MultiSearchQuery,
  _distinct: string | null,
  { gates }: SearchContext,
): Failure | undefined {
  if (gates.network) return undefined
  const given = {
    useNetwork: search.useNetwork,
    'federationOptions.remote': federationOptions?.remote ?? null,
    'federationOptions.queryPosition': federationOptions?.queryPosition ?? null,
    'federationOptions.knowledge': federationOptions?.knowledge ?? null,
  }
  const name = Object.entries(given).find(([, value]) => value !== null)?.[0]
  return name === undefined ? undefined : failure('feature_not_enabled', `Passing \`${name}\``, 'network')
}

function refuseUnknownRemote(
  { federationOptions }: MultiSearchQuery,
  _distinct: string | null,
  { network }: SearchContext,
): Failure | undefined {
  const remote = federationOptions?.remote ?? null
  if (remote === null || network?.self === remote || network?.remotes.has(remote)) return undefined
  const reason = `the network has no remote ${quoted(remote)}`
  return failure('invalid_multi_search_remote', `\`.federationOptions.remote\`: ${reason}.`)
}
