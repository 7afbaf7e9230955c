import type { Handover, RemoteWrite } from '../../backup/index.js'
import { fail, type Result } from '../../errors/index.js'
import { type ShardMap, shardMap } from '../../sharding/index.js'
import { otherServers, type Remote, readTopologyState, type TopologyChange } from '../../state/index.js'
import type { Task, TaskOrigin } from '../../tasks/index.js'

/** The change that a task makes. Undefined for other tasks, and for those that another program wrote. */
export function stateOf({ content }: Task): TopologyChange | undefined {
  return content.type === 'networkTopologyChange' ? readTopologyState(content.state) : undefined
}

export const namesOfOthers = (change: TopologyChange): string[] => otherServers(change, change.after.self)

export const isLeading = ({ after }: TopologyChange): boolean => after.leader === after.self

/** By which documents are kept while servers change over, one after the other. */
export function mapOfBoth({ before, after }: TopologyChange): ShardMap {
  return shardMap(after, before, after.self)
}

export function originOf({ uid: taskUid }: Task, { after }: TopologyChange): TaskOrigin {
  return { remoteName: after.self ?? '', taskUid, networkVersion: after.version }
}

export function receiversOf({ before, after }: TopologyChange): { readonly name: string; readonly remote: Remote }[] {
  const known = new Map([...(before?.remotes ?? []), ...after.remotes])
  known.delete(after.self ?? '')
  return Array.from(known, ([name, remote]) => ({ name, remote }))
}

/** Settings come from the leader, for those who have not heard of them by its writes. */
export function handoverOf(change: TopologyChange, origin: TaskOrigin): Handover {
  const { before, after } = change
  const isLeader = isLeading(change)
  return {
    before: before && [...before.shards],
    after: [...after.shards],
    staying: [...after.remotes.keys()],
    receivers: receiversOf(change).map((receiver) => ({
      ...receiver,
      needsSettings: isLeader && !before?.remotes.has(receiver.name),
    })),
    origin,
  }
}

/** One change at a time. */
export const changeUnderWay = ({ uid }: Task): Result<never> =>
  fail('unprocessed_network_task', `The network is being changed by task ${uid}: wait for its end, or cancel it.`)

/** The request that tells another server something about a change. */
export const controlWrite = (body: string): RemoteWrite => ({
  method: 'POST',
  path: '/network/control',
  headers: [['Content-Type', 'application/json']],
  body,
})

export const failedServers = (finished: Readonly<Record<string, boolean>>): string[] =>
  Object.keys(finished).filter((name) => !finished[name])
