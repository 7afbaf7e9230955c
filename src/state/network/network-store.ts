import { newUid, type SearchNetwork } from '../../answer/index.js'
import { sortedByName } from '../../byte-order/index.js'
import { ok, type Result } from '../../errors/index.js'
import type { JsonObject } from '../../json/index.js'
import { StateEntries, type StateLog } from '../../store/index.js'
import { Availability } from './availability.js'
import { readDumpedNetwork } from './dumped-network.js'
import { decodeNetwork, EMPTY_NETWORK, encodeNetwork, type Network, NIL_VERSION, networkView } from './network.js'
import {
  changeClusterNetwork,
  changeNetwork,
  followNetwork,
  type NetworkPatch,
  previousTopology,
} from './network-patch.js'
import { OwnerOrder } from './owner-order.js'
import { remotesToAsk } from './remotes-to-ask.js'
import type { TopologyChange } from './topology-change.js'

const KEY = 'network'
/** By which documents are spread, until a change of the network has moved them. Absent where nobody leads. */
const IN_FORCE = 'in force'
/** By which some servers may still search, just after a change. Only where servers share a log. */
const FORMER = 'former'

/** A change that another server leads. */
export interface LedChange {
  readonly networkVersion: string
  /** The version that is in force until then. */
  readonly formerVersion: string
}

export interface NetworkChange<T> {
  readonly patch: NetworkPatch
  /** Absent where somebody changes the network here. */
  readonly led: LedChange | undefined
  /** Called where the network is led afterwards, inside the transaction: what it answers counts, and a refusal undoes all. */
  readonly begin: (change: TopologyChange) => Result<T>
}

/** The servers of a cluster: they know each other without being told. */
export interface ClusterServers {
  readonly self: string
  /** All of them, this one included, with their addresses. */
  urls(): ReadonlyMap<string, string>
  isReady(name: string): boolean
  /** Who decides on batches; undefined while nobody does. */
  coordinator(): string | undefined
  /** What they let each other in by. */
  readonly key: string | null
}

/** The network that this server belongs to: in memory for asking, on disk for the next start. */
export class NetworkStore {
  readonly availability: Availability
  private readonly owners: OwnerOrder
  private readonly stored: StateEntries<Network>

  /** `cluster`: where servers share a log, and documents are divided among them. */
  constructor(
    log: StateLog,
    now?: () => number,
    private readonly cluster?: ClusterServers,
  ) {
    this.availability = new Availability(now)
    this.owners = new OwnerOrder(now)
    this.stored = new StateEntries(log, 'network', { encode: encodeNetwork, decode: decodeNetwork })
  }

  get current(): Network {
    return this.seenHere(this.stored.get(KEY) ?? EMPTY_NETWORK)
  }

  /** The same inside a transaction, with what was changed in it. */
  latest(): Network {
    return this.seenHere(this.stored.latest(KEY) ?? EMPTY_NETWORK)
  }

  /** Servers with one log have one network, which each of them sees from its own place. */
  private seenHere(network: Network): Network {
    const { cluster } = this
    if (cluster === undefined || network.leader === null) return network
    return { ...network, ...clusterView(cluster, network), leader: cluster.coordinator() ?? network.leader }
  }

  /**
   * What searches need to know of it. Until documents have moved they are where they were, be it on servers that are to
   * leave the network.
   */
  forSearch(): SearchNetwork {
    const { current, inForce } = this
    const { self } = current
    const remotes = new Map([...(inForce?.remotes ?? []), ...current.remotes])
    const isAvailable = (name: string): boolean => this.isAvailable(name, inForce !== undefined)
    return {
      self,
      everywhere: inForce === undefined ? remotesToAsk(current, isAvailable) : [],
      shards: inForce === undefined ? null : this.owners.ofShards({ ...inForce, self, remotes }),
      version: inForce?.version ?? null,
      away: [...remotes.keys()].filter((name) => !isAvailable(name)),
      remotes: new Map(
        Array.from(remotes, ([name, { url, searchApiKey }]) => [
          name,
          { url, searchApiKey: searchApiKey ?? this.keyOf(name) },
        ]),
      ),
    }
  }

  /** Servers with one log know of each other who can answer; others find out. */
  private isAvailable(name: string, isDivided: boolean): boolean {
    if (this.cluster !== undefined && isDivided) return this.cluster.isReady(name)
    return this.availability.statusOf(name) === 'available'
  }

  private keyOf(name: string): string | null {
    return this.cluster?.urls().has(name) ? this.cluster.key : null
  }

  /** The network after a change of one that servers with one log have, which counts when their log holds it. */
  planned(patch: NetworkPatch): Result<TopologyChange> {
    const current = this.withoutGone(this.stored.get(KEY) ?? EMPTY_NETWORK)
    const cluster = this.cluster!
    const base = { ...current, ...clusterView(cluster, current), leader: current.leader && cluster.self }
    const after = changeClusterNetwork(base, patch, newUid())
    return after.ok ? ok({ before: this.stored.get(IN_FORCE) ?? null, after: after.value }) : after
  }

  /** The network without servers that were removed from the cluster: nobody must wait for documents from them. */
  withoutGone(network: Network): Network {
    const members = this.cluster?.urls()
    const owners = new Set(
      [network, this.stored.get(IN_FORCE)].flatMap((each) => [...(each?.shards.values() ?? [])].flat()),
    )
    const isGone = (name: string): boolean => owners.has(name) && members?.has(name) === false
    return { ...network, remotes: new Map([...network.remotes].filter(([name]) => !isGone(name))) }
  }

  /** Inside the transaction that registers the change. */
  begin({ after }: TopologyChange): void {
    this.stored.putWithin(KEY, after)
  }

  /** Inside the transaction that ends it. */
  end({ before, after }: TopologyChange, isMade: boolean): void {
    if (!isMade) {
      if (before === null) this.stored.deleteWithin(KEY)
      else this.stored.putWithin(KEY, this.stored.latest(IN_FORCE) ?? EMPTY_NETWORK)
      return
    }
    this.stored.putWithin(IN_FORCE, after)
    this.stored.putWithin(FORMER, { ...after, ...(before ?? { shards: new Map(), version: NIL_VERSION }) })
  }

  /** How documents were divided before the last change, as long as somebody may search by that. */
  get former(): Network | undefined {
    return this.stored.get(FORMER)
  }

  /** Inside a transaction: everybody searches by the new one. */
  forgetFormer(): void {
    this.stored.deleteWithin(FORMER)
  }

  /** What such a transaction changed is on disk. */
  reload(): void {
    for (const key of [KEY, IN_FORCE, FORMER]) this.stored.reload(key)
  }

  /** Answers what came of `begin`; undefined where nobody leads the network afterwards. */
  change<T>({ patch, led, begin }: NetworkChange<T>): Promise<Result<T | undefined>> {
    return this.stored.change(({ get, put, delete: remove }) => {
      const current = get(KEY) ?? EMPTY_NETWORK
      const network = led ? followNetwork(current, patch, led.networkVersion) : changeNetwork(current, patch, newUid())
      if (!network.ok) return network
      if (network.value.leader === null) {
        put(KEY, network.value)
        remove(IN_FORCE)
        return ok(undefined)
      }
      const before = led ? previousTopology(patch, led.formerVersion) : (get(IN_FORCE) ?? null)
      const begun = begin({ before, after: network.value })
      if (!begun.ok) return begun
      put(KEY, network.value)
      // Whoever joins has no documents yet, but can be asked for those that others have.
      if (led && before !== null && get(IN_FORCE)?.version !== before.version)
        put(IN_FORCE, { ...network.value, ...before })
      return begun
    })
  }

  /** How documents are spread at present; undefined where they are not. */
  get inForce(): Network | undefined {
    const stored = this.current.leader === null ? undefined : this.stored.get(IN_FORCE)
    return stored && this.seenHere(stored)
  }

  /** A change has moved all documents. One that was overtaken by another is of no interest any more. */
  async apply({ after }: TopologyChange): Promise<void> {
    await this.stored.change(({ get, put }) => {
      if (get(KEY)?.version === after.version) put(IN_FORCE, after)
    })
  }

  /** The network as people and dumps see it. */
  view(): JsonObject {
    return networkView(this.current, (name) => [['status', this.availability.statusOf(name)]])
  }

  /** Takes the network of a dump in place of this one. */
  async restore(dumped: JsonObject | null): Promise<void> {
    const network = dumped === null ? EMPTY_NETWORK : readDumpedNetwork(dumped)
    await this.stored.change(({ put, delete: remove }) => {
      put(KEY, network)
      remove(IN_FORCE)
    })
  }

  /** Remotes that failed in a search rest for a while. Only those of shards can be replaced by others meanwhile. */
  failed(names: readonly string[]): void {
    if (this.current.shards.size > 0) for (const name of names) this.availability.fail(name)
  }
}

/** Addresses are what the servers say of themselves. What they let each other in by is not shown. */
function clusterView({ self, urls }: ClusterServers, { remotes }: Network): Pick<Network, 'self' | 'remotes'> {
  const servers = Array.from(urls(), ([name, url]) => [name, { url, searchApiKey: null, writeApiKey: null }] as const)
  return { self, remotes: sortedByName([...remotes, ...servers]) }
}
