import { join } from 'node:path'
import { BackupExecutor, type Handover, type Watch, writePatiently } from '../backup/index.js'
import { createOutbound } from '../outbound/index.js'
import type { ExecutorOptions, Searching } from '../searching/index.js'
import { createInlineSearching } from '../searching/index.js'
import { NetworkStore } from '../state/index.js'
import { atEnd } from '../store/at-end.fixture.js'
import { Environment, LocalStateLog } from '../store/index.js'
import { type CatalogueEntry, createInlineIndexing, type Indexing, jobServices, TaskQueue } from '../tasks/index.js'
import { systemClock } from '../time/index.js'
import { IndexFolders } from './index-folders.js'
import { IndexReaders } from './index-readers.js'
import { networkAdmission } from './network/admission.js'
import { controlWrite } from './network/change-facts.js'
import { Forwarder } from './network/forwarder.js'
import { ServerTopology } from './network/server-topology.js'
import { indexStatistics, taskStatistics } from './queue-statistics.js'
import { routeTable } from './route-table.js'
import {
  type Received,
  type Sent,
  startTestServer,
  type TestServer,
  type TestServerOptions,
  temporaryFolder,
} from './test-server.fixture.js'

/** A task as `GET /tasks/{uid}` shows it. */
// biome-ignore lint/suspicious/noExplicitAny: tests compare tasks of every shape
type ShownTask = Record<string, any>

export interface IndexServer extends TestServer {
  /** Where tasks and the network are. */
  readonly environment: Environment
  /** The code of a refusal, or the status. */
  codeOf(method: string, path: string, sent?: Sent): Promise<string | number>
  /** Sends a request that must be accepted, and waits for the end of its task. */
  done(method: string, path: string, sent?: Sent): Promise<ShownTask>
  /** The same for an addition of documents. */
  add(index: string, documents: unknown, query?: string): Promise<ShownTask>
  ended(taskUid: number): Promise<ShownTask>
  /** All documents of an index that are on this server. */
  list(index: string): Promise<unknown[]>
  /** Requests sent by `register` wait in the queue until it is done, so that they can become one batch. */
  together(register: () => Promise<Received[]>): Promise<ShownTask[]>
}

/** A server with all its routes, whose batches are applied on this thread. */
export async function startIndexServer(
  options: Pick<TestServerOptions, 'args' | 'context' | 'masterKey'> & {
    readonly executor?: Partial<ExecutorOptions>
  } = {},
): Promise<IndexServer> {
  const folder = temporaryFolder()
  const queue = openQueue(folder, { ...DESK, ...options.executor })
  const { searching } = queue
  const indexes = new IndexReaders(queue.tasks.catalogue, queue.folders, join(folder, 'indexes'))
  const context = {
    tasks: queue.tasks,
    network: queue.network,
    topology: queue.topology,
    forwarder: queue.forwarder,
    indexes,
    searching,
    indexStatistics: indexStatistics(queue.tasks),
    taskStatistics: taskStatistics(queue.tasks),
    ...options.context,
  }
  const server = await startTestServer({ ...options, folder, routes: routeTable, context })
  queue.tasks.start()
  atEnd(async () => {
    await server.close()
    await queue.close()
  })
  return { ...server, environment: queue.environment, ...conveniences(server, queue) }
}

interface Queue {
  readonly tasks: TaskQueue
  readonly network: NetworkStore
  readonly topology: ServerTopology
  readonly forwarder: Forwarder
  readonly environment: Environment
  readonly folders: IndexFolders
  readonly searching: Searching
  hold(): void
  release(): void
  close(): Promise<void>
}

const DESK: ExecutorOptions = { networks: 'any', remoteTimeoutMs: 25_000, errorsUrl: 'https://example.org/errors' }

function openQueue(folder: string, executor: ExecutorOptions): Queue {
  const environment = Environment.open(join(folder, 'queue'), { maxDatabases: 32 })
  const network = new NetworkStore(new LocalStateLog(environment))
  const searching = createInlineSearching(executor)
  const folders = new IndexFolders(searching)
  const inline = createInlineIndexing(jobServices)
  let gate = Promise.resolve()
  let release = () => {}
  const run: Indexing['run'] = (...args) => ({
    done: gate.then(() => inline.run(...args).done),
    cancel: () => {},
  })
  const outbound = createOutbound({ networks: 'any', userAgent: 'test' })
  const closing = new AbortController()
  const limits = { firstMs: 10, longestMs: 50, giveUpMs: Number.POSITIVE_INFINITY }
  const topology = new ServerTopology({
    network,
    environment,
    tasks: () => tasks,
    handOver: (handover, indexes, watch) => handOverAll({ handover, indexes, watch }, join(folder, 'indexes')),
    tell: (target, body, watch) =>
      writePatiently(target, controlWrite(body), { outbound, signal: closing.signal, watch, limits }),
    graceMs: 50,
  })
  const tasks: TaskQueue = new TaskQueue({
    environment,
    indexesPath: join(folder, 'indexes'),
    updatesPath: join(folder, 'updates'),
    indexing: folders.heldBy({ ...inline, run }),
    serverJobs: { run: () => ({ done: Promise.resolve({}), cancel: () => {} }), undoUpgrade: async () => {} },
    readers: folders,
    limits: { maxTasks: 1000, maxPayloadBytes: 1e9 },
    clock: systemClock,
    log: { error: unexpected, warn: unexpected },
    errorsUrl: 'https://example.org/errors',
    notify: async () => {},
    topology,
    admission: networkAdmission(network, topology),
  })
  const log = { warn: unexpected }
  const forwarder = new Forwarder({
    tasks,
    network,
    outbound,
    log,
    errorsUrl: 'https://example.org/errors',
    pausesMs: [10, 50],
  })
  return {
    network,
    topology,
    forwarder,
    environment,
    tasks,
    folders,
    searching,
    hold() {
      gate = new Promise((resolve) => {
        release = resolve
      })
    },
    release: () => release(),
    async close() {
      closing.abort()
      await forwarder.close()
      await tasks.stop()
      await outbound.close()
      await inline.close()
      await searching.close()
      await folders.closeAll()
      await environment.close()
    },
  }
}

interface Moving {
  readonly handover: Handover
  readonly indexes: readonly CatalogueEntry[]
  readonly watch: Watch
}

async function handOverAll({ handover, indexes, watch }: Moving, indexesPath: string): Promise<number> {
  const executor = new BackupExecutor()
  const gates = { chatCompletions: false, foreignKeys: false }
  let moved = 0
  for (const { uid, folder } of indexes) {
    const order = { ...handover, uid, path: join(indexesPath, folder), indexCount: indexes.length, payloadBytes: 1000 }
    moved += await executor.do('handOverIndex', { ...order, gates, networks: 'any' }, watch)
  }
  await executor.close()
  return moved
}

function unexpected(facts: object, message: string): void {
  console.error(message, facts)
}

function conveniences(server: TestServer, queue: Queue): Omit<IndexServer, keyof TestServer | 'environment'> {
  const ended = async (taskUid: number): Promise<ShownTask> => {
    for (;;) {
      const { json } = await server.send('GET', `/tasks/${taskUid}`)
      if (json.status !== 'enqueued' && json.status !== 'processing') return json
    }
  }
  const done = async (method: string, path: string, sent?: Sent) => {
    const answer = await server.send(method, path, sent)
    if (answer.status !== 202) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return ended(answer.json.taskUid)
  }
  return {
    ended,
    done,
    async codeOf(method, path, sent) {
      const { status, json } = await server.send(method, path, sent)
      return json?.code ?? status
    },
    add: (index, documents, query = '') =>
      done('POST', `/indexes/${index}/documents${query}`, { body: documents as object }),
    async list(index) {
      const own = server.context.features.current.network ? '&useNetwork=false' : ''
      const { status, text, json } = await server.send('GET', `/indexes/${index}/documents?limit=1000${own}`)
      if (status !== 200) throw new Error(text)
      return json.results
    },
    async together(register) {
      queue.hold()
      await server.send('POST', '/indexes', { body: { uid: `held-${Math.random().toString(36).slice(2)}` } })
      const answers = await register()
      queue.release()
      return Promise.all(answers.map(({ json }) => ended(json.taskUid)))
    },
  }
}
