import type { SearchNetwork } from '../../answer/index.js'

/** The shards of a network under a leader, by where their documents are searched. */
export interface DividedShards {
  /** This server has them. */
  readonly own: readonly string[]
  readonly others: readonly string[]
}

/** Undefined without a leader. */
export function divideShards({ self, shards }: SearchNetwork): DividedShards | undefined {
  if (shards === null) return undefined
  const isOwn = ([, owners]: readonly [string, readonly string[]]) => self !== null && owners.includes(self)
  const nameOf = ([shard]: readonly [string, unknown]) => shard
  return { own: [...shards].filter(isOwn).map(nameOf), others: [...shards].filter((each) => !isOwn(each)).map(nameOf) }
}

/** Where a question to the whole network has to be answered. */
export interface NetworkShares {
  /** The shards of this server, null for all its documents; undefined where it is not asked. */
  readonly here: readonly string[] | null | undefined
  /** Servers that are asked for all their documents. */
  readonly named: readonly string[]
  /** Shards that others are asked for. */
  readonly shards: readonly string[]
}

export function sharesOf(network: SearchNetwork): NetworkShares {
  const { self, everywhere } = network
  const divided = divideShards(network)
  if (divided !== undefined) {
    return { here: divided.own.length === 0 ? undefined : divided.own, named: [], shards: divided.others }
  }
  const isHere = self !== null && everywhere.includes(self)
  return { here: isHere ? null : undefined, named: everywhere.filter((name) => name !== self), shards: [] }
}

/** Who is asked for which shards. */
export interface OwnerChoice {
  /** By the name of the server, in the order of the first shard of each. */
  readonly byServer: ReadonlyMap<string, readonly string[]>
  /** Shards that nobody is left to ask for. */
  readonly lost: readonly string[]
}

/** The first owner of each shard that can be asked; one that is slow only where there is no other. */
export function chooseOwners(
  shards: readonly string[],
  network: SearchNetwork,
  { tried, isSlow }: { readonly tried: ReadonlySet<string>; isSlow(server: string): boolean },
): OwnerChoice {
  const byServer = new Map<string, string[]>()
  const lost: string[] = []
  for (const shard of shards) {
    const left = ownersOf(shard, network).filter((owner) => !tried.has(owner) && !network.away.includes(owner))
    const server = left.find((owner) => !isSlow(owner)) ?? left[0]
    if (server === undefined) lost.push(shard)
    else byServer.set(server, [...(byServer.get(server) ?? []), shard])
  }
  return { byServer, lost }
}

/** Those whose addresses are known. */
export function ownersOf(shard: string, { shards, remotes }: SearchNetwork): readonly string[] {
  return (shards?.get(shard) ?? []).filter((owner) => remotes.has(owner))
}
