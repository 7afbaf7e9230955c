import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { writePatiently } from '../backup/index.js'
import { BodyRoom, BodyThread } from '../bodies/index.js'
import { WorkspaceStore } from '../chat/index.js'
import type { LossListener } from '../cluster/index.js'
import { type Config, LaunchError } from '../config/index.js'
import type { Log } from '../log/index.js'
import { createOutbound, type Outbound } from '../outbound/index.js'
import type { ThreadSignals } from '../searching/index.js'
import { createSearchWorker, SearchQueue, SearchThread, SearchThreads } from '../searching/index.js'
import { FeatureStore, KeyStore, NetworkStore, RuleStore } from '../state/index.js'
import { Environment, LocalStateLog, type StateLog } from '../store/index.js'
import { type Indexing, IndexingThread, TaskQueue } from '../tasks/index.js'
import { type Clock, systemClock } from '../time/index.js'
import { commandLineWebhook, WebhookRegistry, WebhookSender } from '../webhooks/index.js'
import { AnswerFiles } from './answers/answer-files.js'
import { KnownRequests } from './answers/known-requests.js'
import { RememberedAnswers } from './answers/remembered-answers.js'
import { readInstanceUid } from './backup/instance-uid.js'
import { openBackups, prepareBackupFolders } from './backup/open-backups.js'
import { readState } from './backup/server-state.js'
import { type SnapshotSchedule, scheduleSnapshots } from './backup/snapshot-schedule.js'
import { openCluster } from './cluster/open-cluster.js'
import type { ServerContext } from './context.js'
import { IndexFolders } from './index-folders.js'
import { IndexReaders } from './index-readers.js'
import { EventCounters } from './metrics/events.js'
import { RequestMetrics } from './metrics/request-metrics.js'
import { networkAdmission } from './network/admission.js'
import { controlWrite } from './network/change-facts.js'
import { Forwarder } from './network/forwarder.js'
import { ServerTopology } from './network/server-topology.js'
import { indexStatistics, taskStatistics } from './queue-statistics.js'
import { clusterServers } from './shards/cluster-servers.js'
import { openDivided } from './shards/open-divided.js'

export interface OpenedContext {
  readonly context: ServerContext
  /** For work before the start. */
  readonly indexing: Indexing
  /**
   * Loads what the first searches need, where other servers answer meanwhile: whoever is connected to this one would wait
   * for it. To be awaited before the server listens. Alone it answers what it can at once.
   */
  prepare(): Promise<void>
  /** Begins with the tasks that wait, and starts what the first searches need. To be called once the server listens. */
  start(): void
  /** Call when no request is left. */
  close(): Promise<void>
}

export interface OpenOptions {
  readonly config: Config
  readonly log: Log
  readonly closing: AbortSignal
  readonly clock?: Clock
  readonly onLost?: LossListener
  /** A dump is going to be imported: keys come with it, or not at all until the next start (spec 2 §6.3). */
  readonly importsDump?: boolean
}

/**
 * Where there are indexes, the search thread starts on its own so much after the server: whoever started it gets the first
 * answers before the processors are busy with loading code. All other threads start when they are needed: each takes some
 * twenty megabytes.
 */
const SEARCHING_AFTER_MS = 500

/** All but the first, when they have nothing to do. */
const SEARCH_THREAD_ENDS_AFTER_MS = 60_000

/** Opens the stores of a data folder and everything that lives as long as the server does. */
export async function openContext(options: OpenOptions): Promise<OpenedContext> {
  const { config, log, closing, clock = systemClock, importsDump = false, onLost = () => {} } = options
  await prepareBackupFolders(config, log)
  const systemEnvironment = Environment.open(join(config.dbPath, 'tasks'), { maxDatabases: 32 })
  const authEnvironment = Environment.open(join(config.dbPath, 'auth'))
  const outbound = createOutbound({ networks: config.outgoing.allowedNetworks, userAgent: 'findling' })
  // One transaction: in a new folder each of them makes a database, and would wait for the disk alone.
  const cluster = await openCluster({ config, systemEnvironment, authEnvironment, log, clock, onLost })
  const servers = cluster && clusterServers(cluster, config.masterKey)
  const stateLog = cluster?.states.system ?? new LocalStateLog(systemEnvironment)
  const { webhooks, features, network, rules, chats } = systemEnvironment.writeSync(() => ({
    webhooks: openWebhooks(config, stateLog),
    features: new FeatureStore(stateLog, config.features),
    network: new NetworkStore(stateLog, undefined, servers),
    rules: new RuleStore(stateLog),
    chats: new WorkspaceStore(stateLog),
  }))
  const sender = openSender({ config, log, webhooks, outbound })
  const { masterKey } = config
  const keys = await KeyStore.open({
    log: cluster?.states.auth ?? new LocalStateLog(authEnvironment),
    masterKey,
    clock,
    makesDefaults: !importsDump && cluster === undefined,
  })
  const searching = openSearching(config, log)
  const folders = new IndexFolders(searching, (path) => {
    heldIndexing.completeNames(path).catch((error) => log.warn({ error, path }, 'names of fields could not be read'))
  })
  const indexing = openIndexing(config, log)
  const bodies = new BodyThread()
  const heldIndexing = folders.heldBy(indexing)
  const backups = openBackups(config, {
    folders,
    state: () => readState({ keys, features, webhooks, network, rules, chats }),
    gates: () => features.current,
  })
  const topology = new ServerTopology({
    network,
    environment: systemEnvironment,
    tasks: () => tasks,
    handOver: (handover, indexes, watch) => backups.handOver(handover, indexes, watch),
    tell: (target, body, watch) => writePatiently(target, controlWrite(body), { outbound, signal: closing, watch }),
  })
  const divided =
    cluster &&
    servers &&
    openDivided({
      member: cluster,
      servers,
      network,
      environment: systemEnvironment,
      tasks: () => tasks,
      indexing: heldIndexing,
      indexesPath: join(config.dbPath, 'indexes'),
      handOver: (handover, indexes, watch) => backups.handOver(handover, indexes, watch),
      log,
    })
  const tasks: TaskQueue = new TaskQueue({
    environment: systemEnvironment,
    indexesPath: join(config.dbPath, 'indexes'),
    updatesPath: join(config.dbPath, 'updates'),
    // Whoever writes is going to search: both threads start with the first batch.
    indexing: {
      ...heldIndexing,
      start() {
        indexing.start()
        if (!searching.isRunning) void searching.start()
      },
    },
    serverJobs: backups,
    readers: folders,
    limits: { maxTasks: config.indexing.maxBatchedTasks, maxPayloadBytes: config.indexing.maxBatchedBytes },
    clock,
    log: log.child('tasks'),
    errorsUrl: config.errorsUrl,
    // Another server of the cluster may send it again: receivers know it by its id.
    notify: (lines, batch) => sender.notify(lines, config.cluster ? `${config.cluster.name}-${batch}` : undefined),
    topology,
    ...(divided?.queue ?? { admission: networkAdmission(network, topology) }),
    ...(config.indexing.replicationParameters ? { cleanUp: null } : {}),
    ...(cluster && { replication: cluster }),
  })
  const forwarder = new Forwarder({ tasks, network, outbound, log: log.child('network'), errorsUrl: config.errorsUrl })
  const context: ServerContext = {
    config,
    log,
    clock,
    closing,
    systemEnvironment,
    authEnvironment,
    keys,
    features,
    network,
    topology,
    forwarder,
    shares: divided?.shares,
    rules,
    chats,
    tasks,
    indexes: new IndexReaders(tasks.catalogue, folders, join(config.dbPath, 'indexes')),
    webhooks,
    outbound,
    bodies,
    bodyRoom: new BodyRoom(),
    searchQueue: openSearchQueue(config),
    partQueue: openSearchQueue(config),
    searching,
    rememberedAnswers: new RememberedAnswers(),
    knownRequests: new KnownRequests(),
    answerFiles: new AnswerFiles(),
    requestMetrics: new RequestMetrics(),
    events: new EventCounters(),
    indexStatistics: indexStatistics(tasks),
    taskStatistics: taskStatistics(tasks),
    health: { mustRestart: false },
    backups,
    cluster,
    instanceUid: readInstanceUid(config.dbPath),
  }
  let schedule: SnapshotSchedule | undefined
  let startSearching: NodeJS.Timeout | undefined
  return {
    context,
    indexing: heldIndexing,
    async prepare() {
      const isOneOfSeveral = cluster !== undefined || network.current.leader !== null
      if (isOneOfSeveral && !tasks.catalogue.isEmpty) await searching.start()
    },
    start() {
      schedule = startSchedule({ config, log, tasks, isOurs: () => cluster?.isCoordinator ?? true })
      if (divided !== undefined) cluster?.start(divided.followed(tasks))
      divided?.start()
      void cluster
        ?.firstCaughtUp()
        .then(() => keys.makeDefaults())
        .catch((error) =>
          log.child('cluster').warn({ error }, 'default keys could not be made: the next start tries again'),
        )
      tasks.start()
      forwarder.wake()
      if (tasks.catalogue.isEmpty) return
      startSearching = setTimeout(() => void searching.start(), SEARCHING_AFTER_MS)
    },
    async close() {
      clearTimeout(startSearching)
      schedule?.stop()
      divided?.close()
      await cluster?.close()
      await forwarder.close()
      await tasks.stop()
      await indexing.close()
      await searching.close()
      await bodies.close()
      await sender.close()
      await outbound.close()
      await folders.closeAll()
      await authEnvironment.close()
      await systemEnvironment.close()
    },
  }
}

function openSearching({ dbPath, outgoing, errorsUrl, embedding, search }: Config, log: Log): SearchThreads {
  const { allowedNetworks: networks, remoteSearchTimeoutMs: remoteTimeoutMs } = outgoing
  const { personalizationApiKey: apiKey } = search
  const personalization = apiKey === null ? {} : { personalization: { apiKey } }
  const overflowPath = join(dbPath, 'updates')
  const options = { networks, remoteTimeoutMs, errorsUrl, embedding, overflowPath, ...personalization }
  const care = { log: log.child('search') }
  const createWorker = (signals: ThreadSignals) => createSearchWorker(options, signals)
  const createThread = (place: number) =>
    new SearchThread(createWorker, { ...care, endAfterMs: place === 0 ? undefined : SEARCH_THREAD_ENDS_AFTER_MS })
  // The server thread needs a core too, and V8, which optimizes code and collects garbage beside the threads.
  return new SearchThreads({ count: Math.max(1, availableParallelism() - 1), createThread })
}

function openIndexing({ indexing, embedding, outgoing }: Config, log: Log): IndexingThread {
  const { ignoresTemplateFailures } = embedding
  const { warn } = log.child('tasks')
  return new IndexingThread({
    limits: indexing,
    embedding: { embedding, ignoresTemplateFailures, networks: outgoing.allowedNetworks, userAgent: 'findling' },
    onWarning: (error) => warn({ error }, 'something failed while indexing, which goes on without it'),
  })
}

interface ScheduleParts {
  readonly config: Config
  readonly log: Log
  readonly tasks: TaskQueue
  readonly isOurs: () => boolean
}

function startSchedule({ config, log, tasks, isOurs }: ScheduleParts): SnapshotSchedule | undefined {
  const { snapshotIntervalMs: intervalMs } = config.backups
  if (intervalMs === null) return undefined
  const refused = (reason: unknown) => log.child('snapshots').error({ reason }, 'a snapshot could not be registered')
  return scheduleSnapshots({ intervalMs, tasks, refused, isOurs })
}

function openWebhooks({ webhooks }: Config, log: StateLog): WebhookRegistry {
  if (webhooks.commandLine === null) return new WebhookRegistry({ log })
  const commandLine = commandLineWebhook(webhooks.commandLine)
  if (!commandLine.ok) throw new LaunchError(commandLine.failure.message)
  return new WebhookRegistry({ log, commandLine: commandLine.value })
}

interface SenderParts {
  readonly config: Config
  readonly log: Log
  readonly webhooks: WebhookRegistry
  readonly outbound: Outbound
}

function openSender({ config, log, webhooks, outbound }: SenderParts): WebhookSender {
  const { signingKey, maxRetries } = config.webhooks
  return new WebhookSender({ registry: webhooks, outbound, log: log.child('webhooks'), signingKey, maxRetries })
}

const openSearchQueue = ({ search: { searchesPerCore, queueSize, dropAfterMs } }: Config): SearchQueue =>
  new SearchQueue({ permits: availableParallelism() * searchesPerCore, queueSize, dropAfterMs })
