import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Config, LaunchError } from '../config/index.js'
import type { Log } from '../log/index.js'
import { createOutbound, type Outbound } from '../outbound/index.js'
import { Environment } from '../store/index.js'
import { IndexingThread, TaskQueue } from '../tasks/index.js'
import { type Clock, systemClock } from '../time/index.js'
import { commandLineWebhook, WebhookRegistry, WebhookSender } from '../webhooks/index.js'
import { KeyStore } from './auth/key-store.js'
import type { ServerContext } from './context.js'
import { FeatureStore } from './features/feature-store.js'
import { IndexFolders } from './index-folders.js'
import { IndexReaders } from './index-readers.js'
import { EventCounters } from './metrics/events.js'
import { RequestMetrics } from './metrics/request-metrics.js'
import { indexStatistics, taskStatistics } from './queue-statistics.js'
import { SearchThreads } from './search/search-threads.js'
import { SearchQueue } from './search-queue.js'

export interface OpenedContext {
  readonly context: ServerContext
  /** Starts the threads and begins with the tasks that wait. To be called once the server listens. */
  start(): void
  /** Call when no request is left. */
  close(): Promise<void>
}

/** Opens the stores of a data folder and everything that lives as long as the server does. */
export async function openContext(options: {
  config: Config
  log: Log
  closing: AbortSignal
  clock?: Clock
}): Promise<OpenedContext> {
  const { config, log, closing, clock = systemClock } = options
  const systemEnvironment = Environment.open(join(config.dbPath, 'tasks'), { maxDatabases: 32 })
  const authEnvironment = Environment.open(join(config.dbPath, 'auth'))
  const outbound = createOutbound({ networks: config.outgoing.allowedNetworks, userAgent: 'findling' })
  const webhooks = openWebhooks(config, systemEnvironment)
  const sender = openSender({ config, log, webhooks, outbound })
  const searching = new SearchThreads(availableParallelism())
  const folders = new IndexFolders(searching)
  const indexing = new IndexingThread()
  const tasks = new TaskQueue({
    environment: systemEnvironment,
    indexesPath: join(config.dbPath, 'indexes'),
    updatesPath: join(config.dbPath, 'updates'),
    indexing: folders.heldBy(indexing),
    readers: folders,
    limits: { maxTasks: config.indexing.maxBatchedTasks, maxPayloadBytes: config.indexing.maxBatchedBytes },
    clock,
    log: log.child('tasks'),
    errorsUrl: config.errorsUrl,
    notify: (lines) => sender.notify(lines),
    ...(config.indexing.replicationParameters ? { cleanUp: null } : {}),
  })
  const context: ServerContext = {
    config,
    log,
    clock,
    closing,
    systemEnvironment,
    authEnvironment,
    keys: await KeyStore.open({ environment: authEnvironment, masterKey: config.masterKey, clock }),
    features: new FeatureStore(systemEnvironment, config.features),
    tasks,
    indexes: new IndexReaders(tasks.catalogue, folders, join(config.dbPath, 'indexes')),
    webhooks,
    outbound,
    searchQueue: new SearchQueue({
      permits: availableParallelism() * config.search.searchesPerCore,
      queueSize: config.search.queueSize,
      dropAfterMs: config.search.dropAfterMs,
    }),
    searching,
    requestMetrics: new RequestMetrics(),
    events: new EventCounters(),
    indexStatistics: indexStatistics(tasks),
    taskStatistics: taskStatistics(tasks),
    health: { mustRestart: false },
  }
  return {
    context,
    start() {
      tasks.start()
      void searching.start()
      indexing.start()
    },
    async close() {
      await tasks.stop()
      await indexing.close()
      await searching.close()
      await sender.close()
      await outbound.close()
      await folders.closeAll()
      await authEnvironment.close()
      await systemEnvironment.close()
    },
  }
}

function openWebhooks({ webhooks }: Config, environment: Environment): WebhookRegistry {
  if (webhooks.commandLine === null) return new WebhookRegistry({ environment })
  const commandLine = commandLineWebhook(webhooks.commandLine)
  if (!commandLine.ok) throw new LaunchError(commandLine.failure.message)
  return new WebhookRegistry({ environment, commandLine: commandLine.value })
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
