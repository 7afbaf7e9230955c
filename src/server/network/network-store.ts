import { ok, type Result } from '../../errors/index.js'
import type { JsonObject } from '../../json/index.js'
import { newUid, type SearchNetwork } from '../../search/index.js'
import type { Database, Environment } from '../../store/index.js'
import { Availability } from './availability.js'
import { readDumpedNetwork } from './dumped-network.js'
import { decodeNetwork, EMPTY_NETWORK, encodeNetwork, type Network, networkView } from './network.js'
import { changeNetwork, type NetworkPatch } from './network-patch.js'

const KEY = Buffer.from('network')

/** The network that this server belongs to: in memory for asking, on disk for the next start. */
export class NetworkStore {
  readonly availability: Availability
  private readonly database: Database
  private network: Network

  constructor(
    private readonly environment: Environment,
    now?: () => number,
  ) {
    this.availability = new Availability(now)
    this.database = environment.database('network')
    const stored = this.database.get(KEY)
    this.network = stored === undefined ? EMPTY_NETWORK : decodeNetwork(stored)
  }

  get current(): Network {
    return this.network
  }

  /** What searches need to know of it. */
  forSearch(): SearchNetwork {
    const { self, remotes } = this.network
    return {
      self,
      remotes: new Map(Array.from(remotes, ([name, { url, searchApiKey }]) => [name, { url, searchApiKey }])),
    }
  }

  /** Answers what the network is then. */
  async change(patch: NetworkPatch): Promise<Result<JsonObject>> {
    const changed = changeNetwork(this.network, patch, newUid())
    if (!changed.ok) return changed
    await this.replace(changed.value)
    return ok(this.view())
  }

  /** The network as people and dumps see it. */
  view(): JsonObject {
    return networkView(this.network, (name) => [['status', this.availability.statusOf(name)]])
  }

  /** Takes the network of a dump in place of this one. */
  async restore(dumped: JsonObject | null): Promise<void> {
    await this.replace(dumped === null ? EMPTY_NETWORK : readDumpedNetwork(dumped))
  }

  private async replace(network: Network): Promise<void> {
    const before = this.network
    // In memory first: a change that comes while this one is being written must build on it.
    this.network = network
    try {
      await this.environment.write(() => this.database.put(KEY, encodeNetwork(network)))
    } catch (error) {
      if (this.network === network) this.network = before
      throw error
    }
  }

  /** Remotes that failed in a search rest for a while. Only those of shards can be replaced by others meanwhile. */
  failed(names: readonly string[]): void {
    if (this.network.shards.size > 0) for (const name of names) this.availability.fail(name)
  }
}
