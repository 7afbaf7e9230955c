import type { Federation, FederationOptions, MultiSearchQuery, SearchNetwork } from '../answer/index.js'
import { compareBytes } from '../byte-order/index.js'
import type { SearchQuery } from '../engine/index.js'

/** A query that is run here. */
export interface LocalQuery {
  /** Its place in the request, or the one that another server gave it. */
  readonly position: number
  readonly weight: number
  readonly search: SearchQuery
}

/** A query that another server is asked. */
export interface RemoteQuery extends LocalQuery {
  readonly indexUid: string
}

/** Which queries run where (spec 8 §3.7). */
export interface Plan {
  /** By index, in byte order of the uids; the queries of one in the order of the request. */
  readonly local: ReadonlyMap<string, readonly LocalQuery[]>
  /** By remote, in byte order of the names. */
  readonly remote: ReadonlyMap<string, readonly RemoteQuery[]>
  /** Some query names a remote, if only this server, or is sent to all. Hits tell where they come from then. */
  readonly usesNetwork: boolean
}

export type PlannedQuery = Pick<MultiSearchQuery, 'indexUid' | 'search' | 'federationOptions'>

/** The place of a query, which messages and hits name. */
export function positionOf(options: FederationOptions | null, index: number): number {
  return options?.queryPosition ?? index
}

/** Queries with the paging and the distinct attribute of `federation` instead of their own. */
export function planQueries(
  queries: readonly PlannedQuery[],
  federation: Federation,
  network: SearchNetwork | null,
): Plan {
  const local = new Map<string, LocalQuery[]>()
  const remote = new Map<string, RemoteQuery[]>()
  let usesNetwork = false
  for (const [i, { indexUid, search, federationOptions }] of queries.entries()) {
    const position = positionOf(federationOptions, i)
    const query = { position, weight: federationOptions?.weight ?? 1, search: withFederation(search, federation) }
    const places = placesOf(federationOptions?.remote ?? null, search, network)
    if (places !== undefined && places.length > 0) usesNetwork = true
    for (const place of places ?? [HERE]) {
      if (place === HERE) append(local, indexUid, query)
      else append(remote, place, { ...query, indexUid })
    }
  }
  return { local: sorted(local), remote: sorted(remote), usesNetwork }
}

const HERE = Symbol('this server')

/** Undefined where the network plays no part. */
function placesOf(
  remote: string | null,
  { useNetwork }: SearchQuery,
  network: SearchNetwork | null,
): (string | typeof HERE)[] | undefined {
  const self = network?.self ?? null
  const placeOf = (name: string) => (name === self ? HERE : name)
  if (remote !== null) return [placeOf(remote)]
  if (useNetwork !== true || network === null) return undefined
  return network.everywhere.map(placeOf)
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

const sorted = <T>(lists: Map<string, T>): Map<string, T> => new Map([...lists].sort(([a], [b]) => compareBytes(a, b)))
