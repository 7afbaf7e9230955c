import { join } from 'node:path'
import { Bitmap } from '../bitmap/index.js'
import { FailureError, failure, type Result } from '../errors/index.js'
import type { JobServices } from '../index/index.js'
import { receivePayload } from '../payload/index.js'
import { Environment } from '../store/index.js'
import { temporaryFolder } from '../store/temporary.fixture.js'
import { JobCancelled } from '../threads/index.js'
import { parseTimestamp, type Timestamp } from '../time/index.js'
import type { Task } from './model/task.js'
import type { EnqueueOptions, NewAddition, NewTask } from './queue/registrar.js'
import { TaskQueue, type TaskQueueOptions } from './queue/task-queue.js'
import { createInlineIndexing, type Indexing, openJobFolders, type RunningJob } from './run/indexing.js'
import { importOf } from './task.fixture.js'

const START = parseTimestamp('2026-01-05T10:00:00Z')!

/** A filter is a list of docIds in quotes, or nonsense. */
const services: JobServices = {
  selectByFilter(_, { filter }) {
    const ids = /^"([\d,]*)"$/.exec(filter)
    if (ids === null) throw new FailureError(failure('invalid_document_filter', `no such filter: ${filter}`))
    return Bitmap.fromUnsorted(ids[1]!.split(',').filter(Boolean).map(Number))
  },
}

/** Indexing that can be told to wait before each job, so that tests can look at a batch that runs. */
export class HeldIndexing implements Indexing {
  private readonly inner = createInlineIndexing(services)
  private gate: Promise<void> | undefined
  private openGate: () => void = () => {}

  start(): void {}

  hold(): void {
    this.gate = new Promise((resolve) => {
      this.openGate = resolve
    })
  }

  release(path: string): Promise<void>
  release(): void
  release(path?: string): Promise<void> | undefined {
    if (path !== undefined) return this.inner.release(path)
    this.gate = undefined
    this.openGate()
    return undefined
  }

  run(...args: Parameters<Indexing['run']>): RunningJob {
    let stop: () => void = () => {}
    let inner: RunningJob | undefined
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new JobCancelled())
    })
    stopped.catch(() => {})
    const start = () => {
      inner = this.inner.run(...args)
      return inner.done
    }
    const done = this.gate === undefined ? start() : Promise.race([this.gate, stopped]).then(start)
    return { done, cancel: () => (inner === undefined ? stop() : inner.cancel()) }
  }

  prepare(...args: Parameters<Indexing['prepare']>) {
    return this.inner.prepare(...args)
  }

  compact(...args: Parameters<Indexing['compact']>) {
    return this.inner.compact(...args)
  }

  refreshSets(path: string) {
    return this.inner.refreshSets(path)
  }

  completeNames(path: string) {
    return this.inner.completeNames(path)
  }

  upgrade(...args: Parameters<Indexing['upgrade']>) {
    return this.inner.upgrade(...args)
  }

  close(): Promise<void> {
    return this.inner.close()
  }
}

export interface TestQueue {
  readonly queue: TaskQueue
  readonly environment: Environment
  readonly indexing: HeldIndexing
  readonly folder: string
  /** What the webhooks were told: for each batch the lines. */
  readonly notified: string[][]
  readonly logged: string[]
  /** Registers an addition of these documents. */
  add(indexUid: string, documents: unknown, facts?: Partial<NewAddition>, options?: EnqueueOptions): Promise<Task>
  put(content: NewTask, options?: EnqueueOptions): Promise<Task>
  cancel(uids: readonly number[]): Promise<Task>
  forget(uids: readonly number[]): Promise<Task>
  /** Until nothing is left to do. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** A queue on a folder, with everything but threads. Its clock moves on by a millisecond each time it is read. */
export function openQueue(options: Partial<TaskQueueOptions> & { folder?: string } = {}): TestQueue {
  const { folder = temporaryFolder(), ...changed } = options
  const environment = Environment.open(join(folder, 'tasks'), { maxDatabases: 32 })
  const indexing = new HeldIndexing()
  const readers = openJobFolders()
  const notified: string[][] = []
  const logged: string[] = []
  let now = START
  const log = (facts: object, message: string) =>
    void logged.push(`${message} ${String((facts as { error?: unknown }).error)}`)
  const queue = new TaskQueue({
    environment,
    indexesPath: join(folder, 'indexes'),
    updatesPath: join(folder, 'updates'),
    indexing,
    serverJobs: { run: () => ({ done: Promise.resolve({}), cancel: () => {} }), undoUpgrade: async () => {} },
    readers,
    limits: { maxTasks: Number.POSITIVE_INFINITY, maxPayloadBytes: Number.POSITIVE_INFINITY },
    clock: () => (now = (now + 1_000_000n) as Timestamp),
    log: { error: log, warn: log },
    errorsUrl: 'https://example.org/errors',
    notify: async (lines) => void notified.push([...lines]),
    retryMs: 0,
    ...changed,
  })
  const put = async (content: NewTask, options?: EnqueueOptions) => must(await queue.enqueue(content, options))
  const aboutTasks = async (type: 'taskCancelation' | 'taskDeletion', uids: readonly number[]) => {
    const request = { filter: { uids }, scope: null, query: `?uids=${uids.join(',')}` }
    return must(await queue.enqueueAboutTasks(type, request))
  }
  return {
    queue,
    environment,
    indexing,
    folder,
    notified,
    logged,
    put,
    async add(indexUid, documents, facts = {}, options = {}) {
      const receiver = queue.receivePayload()
      const documentsCount = must(
        await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], receiver),
      )
      return put({ ...importOf(indexUid), documentsCount, ...facts, payload: await receiver.finish() }, options)
    },
    cancel: (uids) => aboutTasks('taskCancelation', uids),
    forget: (uids) => aboutTasks('taskDeletion', uids),
    settle: () => until(() => queue.runningBatch === undefined && queue.store.withStatus('enqueued').isEmpty),
    async close() {
      await queue.stop()
      await indexing.close()
      await readers.closeAll()
      await environment.close()
    },
  }
}

/** Registers tasks while nothing is processed, then starts again and processes them all. */
export async function runTogether(
  register: (held: TestQueue) => Promise<void>,
  folder = temporaryFolder(),
): Promise<TestQueue> {
  const held = openQueue({ folder, limits: { maxTasks: 0, maxPayloadBytes: 0 } })
  await register(held)
  await held.close()
  const running = openQueue({ folder })
  running.queue.start()
  await running.settle()
  return running
}

/** Gives way to others until something is true. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
}

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.failure.code}, ${result.failure.message}`)
  return result.value
}

/** Some members of the views of all tasks, oldest first. */
export function views({ queue }: TestQueue, ...members: string[]): unknown[] {
  const { results } = queue.tasks({}, { limit: 100, from: null, reverse: true }, null)
  return results.map((view) => Object.fromEntries(members.map((member) => [member, view[member]])))
}

export const statuses = (run: TestQueue): unknown[] =>
  views(run, 'status').map((view) => (view as { status: string }).status)
export const batchUids = (run: TestQueue): unknown[] =>
  views(run, 'batchUid').map((view) => (view as { batchUid: number }).batchUid)
export const errorCodes = (run: TestQueue): unknown[] =>
  views(run, 'error').map((view) => (view as { error: { code: string } | null }).error?.code ?? null)
export const details = ({ queue }: TestQueue, uid: number) => queue.task(uid, null)?.details
export const countOf = ({ queue }: TestQueue, uid: string) => queue.catalogue.get(uid)?.stats.numberOfDocuments

/** A queue whose tasks are processed as they come, with this done first. */
export async function queueAfter(...contents: Parameters<TestQueue['put']>[0][]): Promise<TestQueue> {
  const run = openQueue()
  for (const content of contents) await run.put(content)
  await run.settle()
  return run
}
