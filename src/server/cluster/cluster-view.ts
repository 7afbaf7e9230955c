import type { LogHealth, MemberStatus, ReplicaHealth } from '../../cluster/index.js'

/** What a member shows of its cluster. */
export interface ClusterView {
  readonly enabled: true
  readonly name: string
  /** The server that answers. */
  readonly node: string
  readonly isReady: boolean
  readonly coordinator: string | null
  /** By name, the server that answers among them. */
  readonly members: readonly MemberView[]
  readonly log: LogView
  readonly problem: string | null
  /** Who has the documents of which shard, by its name; absent where every server has all of them. */
  readonly shards?: Readonly<Record<string, readonly string[]>>
  /** The task that is changing that; null: none. */
  readonly shardChange?: number | null
}

interface MemberView {
  readonly name: string
  readonly url: string | null
  readonly version: string
  readonly self: boolean
  readonly isReady: boolean
  readonly isCoordinator: boolean
  readonly registered: number
  readonly carriedOut: number
  /** Entries of the log that it has not read yet. */
  readonly lag: number
  readonly silentMs: number
}

/** Null is what nobody could tell: without a majority nobody answers for the log. */
interface LogView {
  readonly lastSequence: number
  readonly firstSequence: number | null
  readonly leader: string | null
  readonly replicas: readonly ReplicaHealth[] | null
  readonly bytes: number | null
  readonly blobBytes: number | null
  readonly silentMs: number | null
}

/** Reports come twice a second: whoever missed six of them in a row is down, or cut off. */
const SILENCE_MS = 3_000

export function clusterView(name: string, status: MemberStatus, health: LogHealth | undefined): ClusterView {
  const { self, others, coordinator, logSilentMs, problem } = status
  const reports = [{ ...self, silentMs: 0 }, ...others]
  // Members are asked and heard at different moments: none of them can be ahead of the log.
  const registered = reports.map((report) => report.registered)
  const lastSequence = Math.max(status.lastSequence, health?.lastSequence ?? 0, ...registered)
  const members = reports.map((report): MemberView => {
    const { name, url, version, registered, carriedOut, silentMs } = report
    const lag = lastSequence - registered
    // What a silent server said of itself is not so any more.
    const isHeard = silentMs < SILENCE_MS
    const isReady = isHeard && report.isReady
    const isCoordinator = isHeard && report.isCoordinator
    const facts = { name, url, version, self: name === self.name, isReady, isCoordinator }
    return { ...facts, registered, carriedOut, lag, silentMs: Math.round(silentMs) }
  })
  return {
    enabled: true,
    name,
    node: self.name,
    isReady: self.isReady,
    coordinator: coordinator ?? null,
    members: members.sort((a, b) => (a.name < b.name ? -1 : 1)),
    log: {
      lastSequence,
      firstSequence: health?.firstSequence ?? null,
      leader: health?.leader ?? null,
      replicas: health?.replicas ?? null,
      bytes: health?.bytes ?? null,
      blobBytes: health?.blobBytes ?? null,
      silentMs: logSilentMs === undefined ? null : Math.round(logSilentMs),
    },
    problem: problem ?? null,
  }
}
