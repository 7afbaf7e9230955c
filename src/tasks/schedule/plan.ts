import { Bitmap } from '../../bitmap/index.js'
import { indexUidOf, payloadRefOf, type Task, type TaskType, tiedIndexes } from '../model/task.js'
import type { TaskStore } from '../store/task-store.js'
import { type BatchKind, growBatch, type IndexFacts } from './autobatch.js'

/** The next thing to do. */
export interface Plan {
  readonly kind: BatchKind | 'cancelation' | 'upgrade' | 'deletion' | 'compaction' | 'export' | 'snapshot' | 'dump'
  readonly tasks: readonly Task[]
  /** Of an earlier attempt, whose record this one replaces. */
  readonly batchUid?: number
  /** The sentence that `batchStrategy` shows. */
  readonly strategy: string
}

export interface PlanLimits {
  /** Candidates of one batch; 0 stops all processing. */
  readonly maxTasks: number
  /** Sum of the payloads of one batch; its first task is always taken. */
  readonly maxPayloadBytes: number
}

/** How far a change of the network is: see `Topology`. */
export interface PlannedTopology {
  isReady(change: Task): boolean
  imports(change: Task): Bitmap
}

const NO_CHANGE: PlannedTopology = { isReady: () => true, imports: () => Bitmap.empty() }

/** Chooses the next batch in the order of priority of spec 2 §4.1, or undefined when nothing waits. */
export function planNext(
  store: TaskStore,
  facts: (indexUid: string) => IndexFacts,
  limits: PlanLimits,
  topology: PlannedTopology = NO_CHANGE,
): Plan | undefined {
  if (limits.maxTasks === 0) return undefined
  const enqueued = store.ready()
  const first = nextCancelation(store, enqueued) ?? planUpgrade(store, enqueued)
  if (first !== undefined || enqueued.isEmpty) return first
  return (
    planTogether({ store, enqueued }, 'taskDeletion', 'deletion') ??
    planAlone({ store, enqueued }, 'indexCompaction', 'compaction') ??
    planAlone({ store, enqueued }, 'export', 'export') ??
    planTogether({ store, enqueued }, 'snapshotCreation', 'snapshot') ??
    planAlone({ store, enqueued }, 'dumpCreation', 'dump') ??
    planAroundChange({ store, enqueued, facts, limits }, topology)
  )
}

/** The same where nothing but cancelations may be processed. */
export function planCancelation(store: TaskStore, { maxTasks }: PlanLimits): Plan | undefined {
  return maxTasks === 0 ? undefined : nextCancelation(store, store.ready())
}

function nextCancelation(store: TaskStore, enqueued: Bitmap): Plan | undefined {
  const waiting = enqueued.and(store.withType('taskCancelation'))
  if (waiting.isEmpty) return undefined
  const uid = waiting.max
  return { kind: 'cancelation', tasks: [read(store, uid)], strategy: aloneText('taskCancelation', uid) }
}

/** Those that wait, and those that failed before this start: they are tried again, in their batch (spec 2 §8.2). */
function planUpgrade(store: TaskStore, enqueued: Bitmap): Plan | undefined {
  const wanted = store.withType('upgradeDatabase').and(enqueued.or(store.withStatus('failed')))
  if (wanted.isEmpty) return undefined
  const tasks = [...wanted.toArray()].map((uid) => read(store, uid))
  const batchUid = tasks.find((task) => task.batchUid !== null)?.batchUid ?? undefined
  return {
    kind: 'upgrade',
    tasks,
    ...(batchUid === undefined ? {} : { batchUid }),
    strategy: 'stopped after the last task of type upgradeDatabase, which is only batched with its own type',
  }
}

interface Waiting {
  readonly store: TaskStore
  readonly enqueued: Bitmap
}

/** All waiting tasks of a type that is only batched with itself. */
function planTogether({ store, enqueued }: Waiting, type: TaskType, kind: Plan['kind']): Plan | undefined {
  const waiting = enqueued.and(store.withType(type))
  if (waiting.isEmpty) return undefined
  const tasks = [...waiting.toArray()].map((uid) => read(store, uid))
  return {
    kind,
    tasks,
    strategy: `stopped after the last task of type ${type}, which is only batched with its own type`,
  }
}

/** The oldest waiting task of a type that is never batched. */
function planAlone({ store, enqueued }: Waiting, type: TaskType, kind: Plan['kind']): Plan | undefined {
  const waiting = enqueued.and(store.withType(type))
  if (waiting.isEmpty) return undefined
  const uid = waiting.min
  return { kind, tasks: [read(store, uid)], strategy: aloneText(type, uid) }
}

interface IndexPlanning extends Waiting {
  readonly facts: (indexUid: string) => IndexFacts
  readonly limits: PlanLimits
}

/**
 * A change of the network stands between the tasks before it and those behind it: documents are kept by another map then.
 * Only what belongs to the change itself, documents that other servers send, is done while it waits for them.
 */
function planAroundChange(planning: IndexPlanning, topology: PlannedTopology): Plan | undefined {
  const { store, enqueued } = planning
  const changes = enqueued.and(store.withType('networkTopologyChange'))
  if (changes.isEmpty) return planIndexWork(planning)
  const change = read(store, changes.min)
  const older = enqueued.and(Bitmap.range(0, change.uid))
  const first = older.isEmpty ? enqueued.and(topology.imports(change)) : older
  if (!first.isEmpty) return planIndexWork({ ...planning, enqueued: first })
  return topology.isReady(change) ? alone(change) : undefined
}

const alone = (task: Task): Plan => ({
  kind: 'alone',
  tasks: [task],
  strategy: aloneText(task.content.type, task.uid),
})

function planIndexWork({ store, enqueued, facts, limits }: IndexPlanning): Plan {
  const first = read(store, enqueued.min)
  const target = indexUidOf(first.content) ?? tiedIndexes(first.content)[0]
  if (target === undefined || first.content.type === 'indexSwap') {
    return alone(first)
  }
  const uids = enqueued.and(store.tiedTo(target))
  const candidates = new LimitedCandidates(store, uids, limits)
  const { kind, tasks, stopped } = growBatch(candidates, facts(target))
  const everything =
    tasks.length === enqueued.size
      ? 'all enqueued tasks were batched'
      : `all enqueued tasks of index "${target}" were batched`
  return { kind, tasks, strategy: stopped ?? candidates.reached ?? everything }
}

/** Tasks in uid order until a limit is reached. */
class LimitedCandidates implements Iterable<Task> {
  /** The limit that ended it, in words. */
  reached: string | undefined

  constructor(
    private readonly store: TaskStore,
    private readonly uids: Bitmap,
    private readonly limits: PlanLimits,
  ) {}

  *[Symbol.iterator](): IterableIterator<Task> {
    let count = 0
    let bytes = 0
    for (const uid of this.uids) {
      const task = read(this.store, uid)
      bytes += payloadRefOf(task.content)?.bytes ?? 0
      if (count > 0 && bytes > this.limits.maxPayloadBytes) {
        this.reached = `the payloads would exceed the limit of ${this.limits.maxPayloadBytes} bytes (${bytes} bytes with the next task)`
        return
      }
      if (count === this.limits.maxTasks) {
        this.reached = `the limit of ${this.limits.maxTasks} tasks in a batch was reached`
        return
      }
      count++
      yield task
    }
  }
}

const aloneText = (type: string, uid: number): string =>
  `a task of type ${type} (task ${uid}) is always processed alone`

function read(store: TaskStore, uid: number): Task {
  const task = store.get(uid)
  if (task === undefined) throw new Error(`task ${uid} is listed but not stored`)
  return task
}
