import { join } from 'node:path'
import { receivePayload } from '../../payload/index.js'
import { atEnd } from '../../store/at-end.fixture.js'
import { Environment, LocalStateLog } from '../../store/index.js'
import { createInlineIndexing, jobServices, type NewTask, type Task, TaskQueue } from '../../tasks/index.js'
import { systemClock } from '../../time/index.js'
import { commandLineWebhook, WebhookRegistry } from '../../webhooks/index.js'
import { startTestServer, type TestServer, type TestServerOptions, temporaryFolder } from '../test-server.fixture.js'
import { routes as batches } from './batches.js'
import { routes as features } from './features.js'
import { routes as keys } from './keys.js'
import { routes as swapIndexes } from './swap-indexes.js'
import { routes as tasks } from './tasks.js'
import { routes as webhooks } from './webhooks.js'

export interface TaskServer extends TestServer {
  readonly queue: TaskQueue
  /** Registers a task, past HTTP. */
  put(content: NewTask): Promise<Task>
  /** Registers an addition, past HTTP. */
  add(indexUid: string, documents: readonly object[]): Promise<Task>
  /** Until nothing is left to do. */
  settle(): Promise<void>
}

export interface TaskServerOptions extends TestServerOptions {
  /** Tasks stay enqueued. */
  readonly isHeld?: boolean
  readonly webhook?: { readonly url: string; readonly authorization: string | null }
}

/** A server with tasks that are processed on this thread. */
export async function startTaskServer(options: TaskServerOptions = {}): Promise<TaskServer> {
  const { folder = temporaryFolder(), isHeld = false, webhook } = options
  const environment = Environment.open(join(folder, 'db', 'system'), { maxDatabases: 32 })
  const indexing = createInlineIndexing(jobServices)
  const queue = new TaskQueue({
    environment,
    indexesPath: join(folder, 'db', 'indexes'),
    updatesPath: join(folder, 'db', 'updates'),
    indexing,
    serverJobs: { run: () => ({ done: Promise.resolve({}), cancel: () => {} }), undoUpgrade: async () => {} },
    readers: { release: async () => {} },
    limits: { maxTasks: isHeld ? 0 : Number.POSITIVE_INFINITY, maxPayloadBytes: Number.POSITIVE_INFINITY },
    clock: systemClock,
    log: { error: () => {}, warn: () => {} },
    errorsUrl: 'https://example.org/errors',
    notify: async () => {},
  })
  const commandLine = webhook && commandLineWebhook(webhook)
  const registry = new WebhookRegistry({
    log: new LocalStateLog(environment),
    commandLine: commandLine?.ok ? commandLine.value : null,
  })
  const server = await startTestServer({
    ...options,
    folder,
    routes: [...tasks, ...batches, ...webhooks, ...swapIndexes, ...features, ...keys],
    context: { tasks: queue, webhooks: registry, systemEnvironment: environment },
  })
  const put = async (content: NewTask): Promise<Task> => {
    const task = await queue.enqueue(content)
    if (!task.ok) throw new Error(task.failure.message)
    return task.value
  }
  atEnd(async () => {
    await server.close()
    await queue.stop()
    await indexing.close()
    await environment.close()
  })
  return {
    ...server,
    queue,
    put,
    async add(indexUid, documents) {
      const receiver = queue.receivePayload()
      await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], receiver)
      return put({
        type: 'documentAdditionOrUpdate',
        indexUid,
        method: 'replace',
        primaryKey: null,
        documentsCount: documents.length,
        allowIndexCreation: true,
        skipCreation: false,
        payload: await receiver.finish(),
      })
    },
    async settle() {
      const isBusy = () => queue.runningBatch !== undefined || !queue.store.withStatus('enqueued').isEmpty
      while (isBusy()) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
