import type {
  DistinctQuestion,
  Federation,
  FederationOptions,
  MultiSearchQuery,
  SearchContext,
} from '../answer/index.js'
import { sortedByName } from '../byte-order/index.js'
import type { SearchQuery } from '../engine/index.js'
import type { Reading } from '../match/index.js'
import { withShards } from './shards/shard-filter.js'
import { type DividedShards, divideShards } from './shards/shard-owners.js'

/** A query that is run here. */
export interface LocalQuery {
  /** Its place in the request, or the one that another server gave it. */
  readonly position: number
  readonly weight: number
  readonly search: SearchQuery
  /** The shards that it is for, which is part of its filter, where other servers are asked for others. */
  readonly shards?: readonly string[] | undefined
  /** What is known of the documents of the others, where each value of an attribute comes once. */
  readonly distinct?: DistinctQuestion | undefined
}

/** A query that another server is asked. */
export interface RemoteQuery extends LocalQuery {
  readonly indexUid: string
}

/** Which queries run where (spec 8 §3.7). */
export interface Plan {
  /** By index, in byte order of the uids; the queries of one in the order of the request. */
  readonly local: ReadonlyMap<string, readonly LocalQuery[]>
  /** What no other server than the named one is asked, in byte order of the names. */
  readonly remote: ReadonlyMap<string, readonly RemoteQuery[]>
  /** Queries of all shards. Here they are run for the shards of this server, which is part of `local`. */
  readonly spread: readonly RemoteQuery[]
  /** The shards that others are asked for. */
  readonly shards: readonly string[]
  /** Some query names a remote, if only this server, or is sent to all. Hits tell where they come from then. */
  readonly usesNetwork: boolean
}

export type PlannedQuery = Pick<MultiSearchQuery, 'indexUid' | 'search' | 'federationOptions'>

/** The place of a query, which messages and hits name. */
export function positionOf(options: FederationOptions | null, index: number): number {
  return options?.queryPosition ?? index
}

/** What of the context decides where queries run. */
export type PlanContext = Pick<SearchContext, 'network' | 'gates' | 'isProxied'>

/** Whether a search is one of all servers of the network. Under a leader it is unless it says otherwise (spec 8 §3.7). */
export function isForNetwork(
  { useNetwork }: Pick<SearchQuery, 'useNetwork'>,
  { network, gates, isProxied }: PlanContext,
): boolean {
  if (!gates.network) return false
  return useNetwork ?? (network !== null && network.shards !== null && !isProxied)
}

/** Queries with the paging and the distinct attribute of `federation` instead of their own. */
export function planQueries(queries: readonly PlannedQuery[], federation: Federation, context: PlanContext): Plan {
  const planner = new Planner(context)
  for (const [i, { indexUid, search, federationOptions }] of queries.entries()) {
    planner.add(
      {
        indexUid,
        position: positionOf(federationOptions, i),
        weight: federationOptions?.weight ?? 1,
        search: withFederation(search, federation),
        shards: federationOptions?.shards ?? undefined,
        distinct: federationOptions?.distinct ?? undefined,
      },
      federationOptions?.remote ?? undefined,
      isForNetwork(search, context),
    )
  }
  return planner.plan()
}

class Planner {
  private readonly local = new Map<string, RemoteQuery[]>()
  private readonly remote = new Map<string, RemoteQuery[]>()
  private readonly spread: RemoteQuery[] = []
  private readonly divided: DividedShards | undefined
  private usesNetwork = false

  constructor(private readonly context: PlanContext) {
    const { network } = context
    this.divided = network === null ? undefined : divideShards(network)
  }

  add(query: RemoteQuery, remote: string | undefined, isForNetwork: boolean): void {
    const { network } = this.context
    if (remote !== undefined) this.addNamed([remote], query)
    else if (!isForNetwork || network === null) append(this.local, query.indexUid, query)
    else if (this.divided === undefined) this.addNamed(network.everywhere, query)
    else this.addSpread(query, this.divided)
  }

  private addNamed(names: readonly string[], query: RemoteQuery): void {
    if (names.length > 0) this.usesNetwork = true
    for (const name of names) {
      if (name === this.context.network?.self) append(this.local, query.indexUid, query)
      else append(this.remote, name, query)
    }
  }

  private addSpread(query: RemoteQuery, { own }: DividedShards): void {
    this.usesNetwork = true
    this.spread.push(query)
    if (own.length > 0) append(this.local, query.indexUid, ofShards(query, own, readingOf(this.context)))
  }

  plan(): Plan {
    const { spread, usesNetwork, divided } = this
    const shards = spread.length === 0 ? [] : (divided?.others ?? [])
    return { local: sortedByName(this.local), remote: sortedByName(this.remote), spread, shards, usesNetwork }
  }
}

/** How filters of searches are read here and on other servers. */
export const readingOf = ({ gates }: Pick<SearchContext, 'gates'>): Reading => (gates.legacySearch ? 'once' : 'twice')

/** The same query for the documents of some shards. */
export function ofShards(query: RemoteQuery, shards: readonly string[], reading: Reading): RemoteQuery {
  const filter = withShards(query.search.filter, shards, reading)
  return { ...query, search: { ...query.search, filter }, shards }
}

function withFederation(search: SearchQuery, federation: Federation): SearchQuery {
  const { offset, limit, page, hitsPerPage, distinct } = federation
  return { ...search, offset, limit, page, hitsPerPage, distinct: distinct ?? search.distinct, useNetwork: null }
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}
