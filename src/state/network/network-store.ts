import { newUid, type SearchNetwork } from '../../answer/index.js'
import { ok, type Result } from '../../errors/index.js'
import type { JsonObject } from '../../json/index.js'
import { type Database, type Environment, WrittenValue } from '../../store/index.js'
import { Availability } from './availability.js'
import { readDumpedNetwork } from './dumped-network.js'
import { decodeNetwork, EMPTY_NETWORK, encodeNetwork, type Network, networkView } from './network.js'
import { changeNetwork, type NetworkPatch } from './network-patch.js'
import { remotesToAsk } from './remotes-to-ask.js'

const KEY = Buffer.from('network')

/** The network that this server belongs to: in memory for asking, on disk for the next start. */
export class NetworkStore {
  readonly availability: Availability
  private readonly database: Database
  private readonly network: WrittenValue<Network>

  constructor(environment: Environment, now?: () => number) {
    this.availability = new Availability(now)
    this.database = environment.database('network')
    const stored = this.database.get(KEY)
    this.network = new WrittenValue(environment, stored === undefined ? EMPTY_NETWORK : decodeNetwork(stored))
  }

  get current(): Network {
    return this.network.current
  }

  /** What searches need to know of it. */
  forSearch(): SearchNetwork {
    const { self, remotes } = this.current
    return {
      self,
      everywhere: remotesToAsk(this.current, (name) => this.availability.statusOf(name) === 'available'),
      remotes: new Map(Array.from(remotes, ([name, { url, searchApiKey }]) => [name, { url, searchApiKey }])),
    }
  }

  /** Answers what the network is then. */
  async change(patch: NetworkPatch): Promise<Result<JsonObject>> {
    const changed = changeNetwork(this.current, patch, newUid())
    if (!changed.ok) return changed
    await this.replace(changed.value)
    return ok(this.view())
  }

  /** The network as people and dumps see it. */
  view(): JsonObject {
    return networkView(this.current, (name) => [['status', this.availability.statusOf(name)]])
  }

  /** Takes the network of a dump in place of this one. */
  async restore(dumped: JsonObject | null): Promise<void> {
    await this.replace(dumped === null ? EMPTY_NETWORK : readDumpedNetwork(dumped))
  }

  private replace(network: Network): Promise<void> {
    return this.network.replace(network, () => this.database.put(KEY, encodeNetwork(network)))
  }

  /** Remotes that failed in a search rest for a while. Only those of shards can be replaced by others meanwhile. */
  failed(names: readonly string[]): void {
    if (this.current.shards.size > 0) for (const name of names) this.availability.fail(name)
  }
}
