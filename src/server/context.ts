import type { Backups } from '../backup/index.js'
import type { Bodies, BodyRoom } from '../bodies/index.js'
import type { WorkspaceStore } from '../chat/index.js'
import type { Member } from '../cluster/index.js'
import type { Config } from '../config/index.js'
import type { Log } from '../log/index.js'
import type { Outbound } from '../outbound/index.js'
import type { Searching, SearchQueue } from '../searching/index.js'
import type { FeatureStore, KeyStore, NetworkStore, RuleStore } from '../state/index.js'
import type { Environment } from '../store/index.js'
import type { TaskQueue } from '../tasks/index.js'
import type { Clock } from '../time/index.js'
import type { WebhookRegistry } from '../webhooks/index.js'
import type { AnswerFiles } from './answers/answer-files.js'
import type { KnownRequests } from './answers/known-requests.js'
import type { RememberedAnswers } from './answers/remembered-answers.js'
import type { IndexReaders } from './index-readers.js'
import type { EventCounters } from './metrics/events.js'
import type { RequestMetrics } from './metrics/request-metrics.js'
import type { Forwarder } from './network/forwarder.js'
import type { ServerTopology } from './network/server-topology.js'
import type { ClusterShares } from './shards/cluster-shares.js'
import type { IndexStatisticsSource, TaskStatisticsSource } from './statistics.js'

/** Everything a route handler can reach. One for each running server. */
export interface ServerContext {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  /** `<db-path>/tasks`: tasks, features and all other small state. */
  readonly systemEnvironment: Environment
  /** `<db-path>/auth` */
  readonly authEnvironment: Environment
  readonly keys: KeyStore
  readonly features: FeatureStore
  readonly network: NetworkStore
  readonly topology: ServerTopology
  /** Sends tasks to the other servers of a network that this one leads. */
  readonly forwarder: Forwarder
  /** Where documents are divided among the servers of a cluster; undefined for a server of its own. */
  readonly shares: ClusterShares | undefined
  readonly rules: RuleStore
  readonly chats: WorkspaceStore
  readonly tasks: TaskQueue
  readonly indexes: IndexReaders
  readonly webhooks: WebhookRegistry
  readonly outbound: Outbound
  /** Reads large bodies. */
  readonly bodies: Bodies
  /** Where bodies are kept meanwhile. */
  readonly bodyRoom: BodyRoom
  readonly searchQueue: SearchQueue
  /** For parts of searches that other servers have begun. */
  readonly partQueue: SearchQueue
  readonly searching: Searching
  readonly rememberedAnswers: RememberedAnswers
  readonly knownRequests: KnownRequests
  readonly answerFiles: AnswerFiles
  readonly requestMetrics: RequestMetrics
  readonly events: EventCounters
  readonly indexStatistics: IndexStatisticsSource
  readonly taskStatistics: TaskStatisticsSource
  readonly health: Health
  readonly backups: Pick<Backups, 'copyTo'>
  /** Undefined for a server of its own. */
  readonly cluster: Member | undefined
  /** Made up by the server that wrote the dump this one began with, if it did. */
  readonly instanceUid: string | null
  /** Aborts when the server starts to close: endless answers must end then. */
  readonly closing: AbortSignal
}

export interface Health {
  /** The task store was compacted, and the process must be started again (spec 1 §5.2). */
  mustRestart: boolean
}
