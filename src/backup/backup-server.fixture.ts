import { join } from 'node:path'
import type { S3Config } from '../config/index.js'
import type { Result } from '../errors/index.js'
import { IndexFolder } from '../folder/index.js'
import { fromPlain, type JsonObject } from '../json/index.js'
import { receivePayload } from '../payload/index.js'
import { atEnd } from '../store/at-end.fixture.js'
import { Environment } from '../store/index.js'
import { temporaryFolder } from '../store/temporary.fixture.js'
import { createInlineIndexing, type Indexing, jobServices, type NewTask, type Task, TaskQueue } from '../tasks/index.js'
import { formatTimestamp, systemClock } from '../time/index.js'
import { BackupExecutor } from './backup-executor.js'
import { Backups } from './backups.js'
import { documentLines } from './dump/document-lines.js'
import { importDump } from './dump/import-dump.js'
import type { ServerState } from './dump/server-state.js'

/** Everything a server has besides HTTP and threads. */
export interface BackupServer {
  readonly folder: string
  readonly dbPath: string
  readonly queue: TaskQueue
  readonly backups: Backups
  /** What the stores besides indexes and tasks hold. */
  state: ServerState
  readonly reports: string[]
  /** Versions that the data folder was marked with. */
  readonly versions: string[]
  add(indexUid: string, documents: readonly object[]): Promise<Task>
  put(content: NewTask): Promise<Task>
  /** Until nothing is left to do. */
  settle(): Promise<void>
  /** Writes a dump and answers its path; on a server that is held, past its queue. */
  dump(): Promise<string>
  import(path: string): Promise<void>
  /** All documents of an index. */
  documents(indexUid: string): unknown[]
  close(): Promise<void>
}

export const NO_STATE: ServerState = {
  instanceUid: null,
  keys: [],
  features: null,
  network: null,
  webhooks: null,
  chats: new Map(),
  rules: [],
}

export interface BackupServerOptions {
  readonly folder?: string
  readonly state?: ServerState
  readonly indexing?: Indexing
  readonly s3?: S3Config
  /** Tasks stay enqueued. */
  readonly isHeld?: boolean
}

export function openBackupServer(options: BackupServerOptions = {}): BackupServer {
  const { folder = temporaryFolder(), isHeld = false } = options
  const dbPath = join(folder, 'db')
  const environment = Environment.open(join(dbPath, 'tasks'), { maxDatabases: 32 })
  const keys = Environment.open(join(dbPath, 'auth'))
  const indexing = options.indexing ?? createInlineIndexing(jobServices)
  const held = new Map<string, IndexFolder>()
  const hold = (path: string) => {
    if (!held.has(path)) held.set(path, IndexFolder.open(path))
    return () => {}
  }
  const versions: string[] = []
  const backups = new Backups({
    dbPath,
    dbVersion: '1.49.0',
    instanceUid: null,
    dumpsPath: join(folder, 'dumps'),
    snapshotsPath: join(folder, 'snapshots'),
    s3: options.s3 === undefined ? null : { config: options.s3, networks: 'any' },
    exports: { payloadBytes: 1000, networks: 'any', gates: () => GATES },
    state: () => server.state,
    writeVersion: (version) => void versions.push(version),
    hold,
    openExecutor: () => new BackupExecutor(),
  })
  const queue = new TaskQueue({
    environment,
    indexesPath: join(dbPath, 'indexes'),
    updatesPath: join(dbPath, 'updates'),
    indexing,
    serverJobs: backups,
    readers: { release: async () => {} },
    limits: { maxTasks: isHeld ? 0 : Number.POSITIVE_INFINITY, maxPayloadBytes: Number.POSITIVE_INFINITY },
    clock: systemClock,
    log: { error: (facts, message) => console.error(message, facts), warn: () => {} },
    errorsUrl: 'https://example.org/errors',
    notify: async () => {},
  })
  const put = async (content: NewTask) => must(await queue.enqueue(content))
  const settle = async () => {
    queue.start()
    const isBusy = () => queue.runningBatch !== undefined || !queue.store.ready().isEmpty
    while (isBusy()) await new Promise((resolve) => setImmediate(resolve))
  }
  const dumpPast = async (task: Task) => {
    const indexes = queue.catalogue.list()
    const job = { kind: 'dump', task, now: formatTimestamp(systemClock()), indexes, nextTaskUid: task.uid + 1 } as const
    return (await backups.run(job, () => {}).done).dumpUid
  }
  const dumpedBy = async (task: Task) => {
    await settle()
    return queue.store.get(task.uid)?.results?.dumpUid
  }
  const reports: string[] = []
  let isClosed = false
  const server: BackupServer = {
    folder,
    dbPath,
    queue,
    backups,
    state: options.state ?? NO_STATE,
    reports,
    versions,
    put,
    settle,
    async add(indexUid, documents) {
      const receiver = queue.receivePayload()
      await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], receiver)
      return put({ ...ADDITION, indexUid, documentsCount: documents.length, payload: await receiver.finish() })
    },
    async dump() {
      const task = await put({ type: 'dumpCreation', keys: '[]', instanceUid: server.state.instanceUid })
      const dumpUid = isHeld ? await dumpPast(task) : await dumpedBy(task)
      return join(folder, 'dumps', `${dumpUid}.dump`)
    },
    import: (path) =>
      importDump(path, join(dbPath, 'unpacked'), {
        queue,
        indexing,
        indexesPath: join(dbPath, 'indexes'),
        updatesPath: join(dbPath, 'updates'),
        batchBytes: 4096,
        version: '1.49.0',
        now: '2026-01-05T10:00:00Z',
        report: (line) => void reports.push(line),
        putState: async (state) => void (server.state = state),
      }),
    documents(indexUid) {
      const entry = queue.catalogue.get(indexUid)
      if (entry === undefined) throw new Error(`there is no index ${indexUid}`)
      return documentsIn(join(dbPath, 'indexes', entry.folder))
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await queue.stop()
      await indexing.close()
      for (const opened of held.values()) await opened.close()
      await environment.close()
      await keys.close()
    },
  }
  atEnd(() => server.close())
  return server
}

const GATES = { containsFilter: false, foreignKeys: false, network: false, multimodal: false, chatCompletions: false }

const ADDITION = {
  type: 'documentAdditionOrUpdate',
  method: 'replace',
  primaryKey: null,
  allowIndexCreation: true,
  skipCreation: false,
} as const

function documentsIn(path: string): unknown[] {
  const folder = IndexFolder.open(path)
  const watch = { progress: () => {}, isCancelled: () => false }
  const text = Buffer.concat([...documentLines(folder, 'any', watch)]).toString()
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.failure.code}, ${result.failure.message}`)
  return result.value
}

export const json = (plain: unknown): JsonObject => fromPlain(plain) as JsonObject
