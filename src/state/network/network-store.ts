import { newUid, type SearchNetwork } from '../../answer/index.js'
import { ok, type Result } from '../../errors/index.js'
import type { JsonObject } from '../../json/index.js'
import { StateEntries, type StateLog } from '../../store/index.js'
import { Availability } from './availability.js'
import { readDumpedNetwork } from './dumped-network.js'
import { decodeNetwork, EMPTY_NETWORK, encodeNetwork, type Network, networkView } from './network.js'
import { changeNetwork, type NetworkPatch } from './network-patch.js'
import { remotesToAsk } from './remotes-to-ask.js'

const KEY = 'network'

/** The network that this server belongs to: in memory for asking, on disk for the next start. */
export class NetworkStore {
  readonly availability: Availability
  private readonly stored: StateEntries<Network>

  constructor(log: StateLog, now?: () => number) {
    this.availability = new Availability(now)
    this.stored = new StateEntries(log, 'network', { encode: encodeNetwork, decode: decodeNetwork })
  }

  get current(): Network {
    return this.stored.get(KEY) ?? EMPTY_NETWORK
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
    const changed = await this.stored.change(({ get, put }) => {
      const network = changeNetwork(get(KEY) ?? EMPTY_NETWORK, patch, newUid())
      if (network.ok) put(KEY, network.value)
      return network
    })
    return changed.ok ? ok(this.view()) : changed
  }

  /** The network as people and dumps see it. */
  view(): JsonObject {
    return networkView(this.current, (name) => [['status', this.availability.statusOf(name)]])
  }

  /** Takes the network of a dump in place of this one. */
  async restore(dumped: JsonObject | null): Promise<void> {
    const network = dumped === null ? EMPTY_NETWORK : readDumpedNetwork(dumped)
    await this.stored.change(({ put }) => put(KEY, network))
  }

  /** Remotes that failed in a search rest for a while. Only those of shards can be replaced by others meanwhile. */
  failed(names: readonly string[]): void {
    if (this.current.shards.size > 0) for (const name of names) this.availability.fail(name)
  }
}
