import type { Network } from './network.js'

/** How long the order stays: pages that somebody turns come from the same servers, which have equals in one order. */
const PERIOD_MS = 60_000

/** In which order the owners of shards are asked: by chance, so that they share the work. */
export class OwnerOrder {
  private places = new Map<string, number>()
  private until = Number.NEGATIVE_INFINITY

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * The owners of each shard, this server before all others. All shards have them in the same order, so that few servers
   * are asked.
   */
  ofShards({ self, remotes, shards }: Network): Map<string, string[]> {
    if (this.now() >= this.until) this.shuffle()
    const placeOf = (name: string): number => (name === self ? -1 : this.placeOf(name))
    const inOrder = (owners: readonly string[]) =>
      owners.filter((owner) => remotes.has(owner)).sort((a, b) => placeOf(a) - placeOf(b))
    return new Map(Array.from(shards, ([shard, owners]) => [shard, inOrder(owners)]))
  }

  private shuffle(): void {
    this.places.clear()
    this.until = this.now() + PERIOD_MS
  }

  private placeOf(name: string): number {
    const place = this.places.get(name) ?? this.random()
    this.places.set(name, place)
    return place
  }
}
