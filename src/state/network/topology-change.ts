import { sortedUnique } from '../../byte-order/index.js'
import { isObject, type JsonObject, type JsonValue, parse, print } from '../../json/index.js'
import { EMPTY_NETWORK, type Network, networkView, readNetworkView } from './network.js'

/** What is known of a network that is about to be replaced. */
export type FormerNetwork = Pick<Network, 'remotes' | 'shards' | 'version'>

/** How documents were spread over servers, and how they are to be. */
export interface TopologyChange {
  /** Null where nobody led the network: all servers had documents of their own. */
  readonly before: FormerNetwork | null
  readonly after: Network
}

/** As a task keeps it: JSON text. */
export function topologyState({ before, after }: TopologyChange): string {
  const was = before === null ? null : networkView({ ...EMPTY_NETWORK, ...before })
  return print(
    new Map<string, JsonValue>([
      ['before', was],
      ['after', networkView(after)],
    ]),
  )
}

/** Undefined for the state of a task that another program wrote. */
export function readTopologyState(text: string): TopologyChange | undefined {
  const parsed = parse(text, 1024)
  const state = parsed.ok && isObject(parsed.value) ? parsed.value : undefined
  const after = state && networkOf(state, 'after')
  if (state === undefined || after === undefined) return undefined
  return { before: networkOf(state, 'before') ?? null, after }
}

function networkOf(state: JsonObject, member: string): Network | undefined {
  const view = state.get(member)
  return isObject(view) ? readNetworkView(print(view)) : undefined
}

/** All servers that take part in a change, but for one. In byte order. */
export function otherServers({ before, after }: TopologyChange, self: string | null): string[] {
  const names = sortedUnique([...(before?.remotes.keys() ?? []), ...after.remotes.keys()])
  return names.filter((name) => name !== self)
}
