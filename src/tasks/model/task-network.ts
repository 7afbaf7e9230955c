import type { ErrorBody } from '../../errors/index.js'

/** The task of another server that this one comes from. */
export interface TaskOrigin {
  readonly remoteName: string
  readonly taskUid: number
  readonly networkVersion: string
}

/** Documents that another server hands over, since this one owns their shard now. */
export interface TaskImport {
  readonly remoteName: string
  readonly indexName: string
  readonly documentCount: number
  /** The same request again has the same key. */
  readonly taskKey: string
  /** Documents that are here already stay as they are: whoever sends them does not lead. */
  readonly ifAbsent?: true
  /** When the documents came to the sender: see `ArrivalList`. Absent where it does not say. */
  readonly arrivals?: string
}

/** What a task has to do with other servers of the network (spec 8 §3.5). */
export type TaskNetwork =
  /** The leader of the network sends it on to these. */
  | { readonly kind: 'leader'; readonly remotes: readonly string[]; readonly networkVersion: string }
  | { readonly kind: 'origin'; readonly origin: TaskOrigin }
  | { readonly kind: 'import'; readonly from: TaskImport; readonly change: TaskOrigin }

/** What became of a task on another server. */
export interface RemoteOutcome {
  readonly taskUid?: number
  readonly error: ErrorBody | null
}

/** What only the leader of a network takes from clients, and then sends to all others. */
const LED: ReadonlySet<string> = new Set([
  'documentAdditionOrUpdate',
  'documentDeletion',
  'documentEdition',
  'settingsUpdate',
  'indexCreation',
  'indexUpdate',
  'indexDeletion',
  'indexSwap',
])

export const isLed = ({ type }: { readonly type: string }): boolean => LED.has(type)

/** As clients see it. The outer names really are in another style than the inner ones. */
export function shownNetwork(network: TaskNetwork, outcomes: Readonly<Record<string, RemoteOutcome>>): object {
  switch (network.kind) {
    case 'leader':
      return { remote_tasks: outcomes, network_version: network.networkVersion }
    case 'origin':
      return { origin: network.origin }
    case 'import': {
      const { remoteName, indexName, documentCount } = network.from
      return { import_from: { remoteName, indexName, documentCount }, network_change: network.change }
    }
  }
}
