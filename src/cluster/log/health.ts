import type { LogHealth, ReplicaHealth } from './model.js'
import type { Session } from './session.js'
import type { StreamNames } from './streams.js'

export async function readHealth({ manager }: Session, names: StreamNames): Promise<LogHealth> {
  const [{ cluster, state }, blobs] = await Promise.all([
    manager.streams.info(names.entries),
    manager.streams.info(names.blobs),
  ])
  const leader = cluster?.leader || undefined
  const followers = cluster?.replicas?.map(
    ({ name, current, offline, lag }): ReplicaHealth => ({
      name,
      isLeader: false,
      isCurrent: current,
      isOffline: offline ?? false,
      lag: lag ?? 0,
    }),
  )
  return {
    leader,
    replicas: [...(leader === undefined ? [] : [leaderHealth(leader)]), ...(followers ?? [])],
    firstSequence: state.first_seq,
    lastSequence: state.last_seq,
    messages: state.messages,
    bytes: state.bytes,
    blobBytes: blobs.state.bytes,
  }
}

function leaderHealth(name: string): ReplicaHealth {
  return { name, isLeader: true, isCurrent: true, isOffline: false, lag: 0 }
}
