import type { Network } from './network.js'

/**
 * The remotes that a query of the whole network is sent to, in byte order of their names. A shard that several of them
 * hold is asked of one: of this server if it holds it, else of an available one; where there is none, it is left out.
 * Remotes without shards have documents of their own and are always asked.
 *
 * A remote answers for all of its shards. Where no choice of remotes has every shard just once, some are asked twice.
 */
export function remotesToAsk(network: Network, isAvailable: (name: string) => boolean): string[] {
  const { self, remotes, shards } = network
  const names = [...remotes.keys()]
  if (shards.size === 0) return names
  const holdings = shardsByOwner(network)
  const asked = new Set(names.filter((name) => !holdings.has(name)))
  const covered = new Set<string>()
  const ask = (name: string): void => {
    asked.add(name)
    for (const shard of holdings.get(name)!) covered.add(shard)
  }
  const asksTwice = (name: string): number => holdings.get(name)!.filter((shard) => covered.has(shard)).length
  if (self !== null && holdings.has(self)) ask(self)
  for (const [shard, owners] of fewestOwnersFirst(network, isAvailable)) {
    if (!covered.has(shard)) ask(minimumBy(owners, asksTwice))
  }
  return names.filter((name) => asked.has(name))
}

/** The shards of each remote that has some. Owners that are no remotes cannot be asked. */
function shardsByOwner({ remotes, shards }: Network): Map<string, string[]> {
  const holdings = new Map<string, string[]>()
  for (const [shard, owners] of shards) {
    for (const owner of owners) {
      if (remotes.has(owner)) holdings.set(owner, [...(holdings.get(owner) ?? []), shard])
    }
  }
  return holdings
}

/** Shards with the owners that can be asked. Those that leave no choice decide what is left for the others. */
function fewestOwnersFirst(
  { remotes, shards }: Network,
  isAvailable: (name: string) => boolean,
): (readonly [shard: string, owners: readonly string[]])[] {
  return Array.from(
    shards,
    ([shard, owners]) => [shard, owners.filter((owner) => remotes.has(owner) && isAvailable(owner))] as const,
  )
    .filter(([, owners]) => owners.length > 0)
    .sort(([, a], [, b]) => a.length - b.length)
}

/** The first of equals, so that the pages of a list come from the same servers. */
function minimumBy(names: readonly string[], cost: (name: string) => number): string {
  return names.reduce((best, name) => (cost(name) < cost(best) ? name : best))
}
