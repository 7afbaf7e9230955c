import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { temporaryEnvironment } from '../../store/temporary.fixture.js'
import { formatTimestamp, parseTimestamp, type Timestamp } from '../../time/index.js'
import type { Batch } from '../model/batch.js'
import {
  globalTypes,
  type StoredStatus,
  type Task,
  type TaskContent,
  taskStatuses,
  tiedIndexes,
} from '../model/task.js'
import { exchangeNames } from '../run/exchange-names.js'
import { deleteIds, importOf, settingsOf, swapOf, taskOf, updateIndex } from '../task.fixture.js'
import type { DateBounds } from './date-index.js'
import {
  type IndexScope,
  matchingBatches,
  matchingTasks,
  type RunningTasks,
  type TaskFilter,
  visibleBatches,
  visibleTasks,
} from './task-filter.js'
import { TaskStore } from './task-store.js'

/**
 * Random histories and random filters: what the sets and dates of the store answer is compared with going through all
 * tasks one by one, as spec 2 §2.2 and §3.4 describe it.
 */

const START = parseTimestamp('2026-01-05T10:00:00Z')!
const at = (ns: number): Timestamp => (START + BigInt(ns)) as Timestamp
const textAt = (ns: number): string => formatTimestamp(at(ns))

const about = (type: 'taskCancelation' | 'taskDeletion'): TaskContent => ({ type, query: '?', matched: 0, tasks: '' })

const content: fc.Arbitrary<TaskContent> = fc.constantFrom<TaskContent[]>(
  importOf('a'),
  importOf('b'),
  deleteIds('a'),
  settingsOf('c'),
  updateIndex('a', 'b'),
  swapOf(['a', 'b']),
  swapOf(['b', 'c']),
  about('taskCancelation'),
  about('taskDeletion'),
)

interface Draft {
  readonly content: TaskContent
  readonly status: StoredStatus
  readonly batchUid: number
  readonly canceledBy: number
  readonly enqueuedNs: number
  readonly isDeleted: boolean
  /** Index names are exchanged in it later on. */
  readonly isRenamed: boolean
}

const draft: fc.Arbitrary<Draft> = fc.record({
  content,
  status: fc.constantFrom<StoredStatus[]>('enqueued', 'enqueued', 'succeeded', 'failed', 'canceled'),
  batchUid: fc.nat(3),
  canceledBy: fc.nat(4),
  enqueuedNs: fc.nat(9),
  isDeleted: fc.boolean(),
  isRenamed: fc.boolean(),
})

interface History {
  /** Without the deleted ones. */
  readonly tasks: readonly Task[]
  readonly batches: readonly Batch[]
  readonly running:
    | { readonly batchUid: number; readonly uids: readonly number[]; readonly startedAt: Timestamp }
    | undefined
}

function taskOfDraft(uid: number, { content, status, batchUid, canceledBy, enqueuedNs }: Draft): Task {
  const enqueuedAt = textAt(enqueuedNs)
  if (status === 'enqueued') return taskOf(uid, content, { enqueuedAt })
  const times = { startedAt: textAt(10 + batchUid), finishedAt: textAt(20 + batchUid) }
  return taskOf(uid, content, {
    status,
    batchUid,
    enqueuedAt,
    ...times,
    canceledBy: status === 'canceled' ? canceledBy : null,
  })
}

const renamed = (task: Task): Task => ({ ...task, content: exchangeNames(task.content, 'a', 'b') })

function batchOf(uid: number, tasks: readonly Task[]): Batch {
  const enqueued = tasks.map((task) => parseTimestamp(task.enqueuedAt)!).sort((a, b) => (a < b ? -1 : 1))
  return {
    uid,
    details: {},
    stats: { totalNbTasks: tasks.length, status: {}, types: {}, indexUids: {} },
    startedAt: textAt(10 + uid),
    finishedAt: textAt(20 + uid),
    enqueuedAt: { earliest: formatTimestamp(enqueued[0]!), latest: formatTimestamp(enqueued.at(-1)!) },
    strategy: '',
  }
}

const environment = temporaryEnvironment()
const databases = ['tasks', 'batches', 'payloads', 'taskSets', 'batchSets', 'dates'].map((name) =>
  environment.database(name),
)

/** Writes a history into an empty store, part of whose tasks is deleted afterwards. */
function write(drafts: readonly Draft[], runsFirst: number | null): { store: TaskStore; history: History } {
  environment.writeSync(() => {
    for (const database of databases) database.clear()
  })
  const store = new TaskStore(environment)
  const all = drafts.map((draft, uid) => taskOfDraft(uid, draft))
  const ofBatch = (uid: number) => all.filter((task) => task.batchUid === uid)
  const kept = all.filter((task, i) => task.status === 'enqueued' || !drafts[i]!.isDeleted)
  const left = kept.map((task) => (drafts[task.uid]!.isRenamed ? renamed(task) : task))
  const recorded = [0, 1, 2, 3].flatMap((uid) => (ofBatch(uid).length > 0 ? [batchOf(uid, ofBatch(uid))] : []))
  const batches = recorded.filter(({ uid }) => left.some((task) => task.batchUid === uid))
  environment.writeSync(() => {
    store.change(all.map((after) => ({ after })))
    for (const batch of recorded) store.putBatch(batch)
  })
  environment.writeSync(() => {
    store.change(all.filter((task) => !kept.includes(task)).map((before) => ({ before })))
    store.change(kept.map((before, i) => ({ before, after: left[i]! })))
    for (const batch of recorded) if (!batches.includes(batch)) store.deleteBatch(batch.uid)
  })
  const waiting = all.filter((task) => task.status === 'enqueued').map((task) => task.uid)
  const isRunning = runsFirst !== null && waiting.length > 0
  const running = isRunning ? { batchUid: 4, uids: waiting.slice(0, runsFirst + 1), startedAt: at(14) } : undefined
  return { store, history: { tasks: left, batches, running } }
}

// ---- the plain twin

const isIn = <T>(list: readonly T[] | null | undefined, value: T | null): boolean =>
  list === null || list === undefined || (value !== null && list.includes(value))

function isWithin(bounds: DateBounds | undefined, time: Timestamp | null): boolean {
  if (bounds === undefined) return true
  const { after, before } = bounds
  return time !== null && (after === undefined || time > after) && (before === undefined || time < before)
}

const instant = (text: string | null): Timestamp | null => (text === null ? null : parseTimestamp(text)!)

const isTied = (filter: TaskFilter, task: Task): boolean =>
  !filter.indexUids || tiedIndexes(task.content).some((uid) => filter.indexUids!.includes(uid))

const isGlobal = (task: Task): boolean => globalTypes.includes(task.content.type)

function plainTasks({ tasks, running }: History, filter: TaskFilter): Task[] {
  return tasks.filter((task) => {
    const isRunning = running?.uids.includes(task.uid) ?? false
    return (
      isIn(filter.uids, task.uid) &&
      isIn(filter.batchUids, isRunning ? running!.batchUid : task.batchUid) &&
      isIn(filter.canceledBy, task.canceledBy) &&
      isIn(filter.types, task.content.type) &&
      isIn(filter.statuses, isRunning ? 'processing' : task.status) &&
      isTied(filter, task) &&
      isWithin(filter.enqueuedAt, instant(task.enqueuedAt)) &&
      isWithin(filter.startedAt, isRunning ? running!.startedAt : instant(task.startedAt)) &&
      isWithin(filter.finishedAt, instant(task.finishedAt))
    )
  })
}

function isTaskVisible(task: Task, filter: TaskFilter, scope: IndexScope): boolean {
  if (scope === null && !filter.indexUids) return true
  return !isGlobal(task) && (scope === null || tiedIndexes(task.content).every(scope))
}

interface PlainBatch {
  readonly uid: number
  readonly record: Batch | undefined
  readonly tasks: readonly Task[]
}

function plainBatches({ tasks, batches, running }: History): PlainBatch[] {
  const stored = batches.map((record) => ({
    uid: record.uid,
    record,
    tasks: tasks.filter((task) => task.batchUid === record.uid),
  }))
  if (running === undefined) return stored
  return [
    ...stored,
    { uid: running.batchUid, record: undefined, tasks: tasks.filter((task) => running.uids.includes(task.uid)) },
  ]
}

function isBatchMatching({ uid, record, tasks }: PlainBatch, filter: TaskFilter, running: History['running']): boolean {
  const isStored = record !== undefined
  const ranCancelation = (task: Task) =>
    isStored &&
    task.content.type === 'taskCancelation' &&
    task.status === 'succeeded' &&
    filter.canceledBy!.includes(task.uid)
  const enqueued = isStored ? [record.enqueuedAt!.earliest, record.enqueuedAt!.latest].map(instant) : []
  return (
    (!filter.uids || (isStored && tasks.some((task) => filter.uids!.includes(task.uid)))) &&
    isIn(filter.batchUids, uid) &&
    (!filter.canceledBy || tasks.some(ranCancelation)) &&
    (!filter.types || tasks.some((task) => filter.types!.includes(task.content.type))) &&
    (!filter.statuses || tasks.some((task) => filter.statuses!.includes(isStored ? task.status : 'processing'))) &&
    (!filter.indexUids || tasks.some((task) => isTied(filter, task))) &&
    (!filter.enqueuedAt || enqueued.some((time) => isWithin(filter.enqueuedAt, time))) &&
    isWithin(filter.startedAt, isStored ? instant(record.startedAt) : running!.startedAt) &&
    isWithin(filter.finishedAt, isStored ? instant(record.finishedAt) : null)
  )
}

function isBatchVisible({ tasks }: PlainBatch, filter: TaskFilter, scope: IndexScope): boolean {
  if (scope === null && !filter.indexUids) return true
  return tasks.some((task) => !isGlobal(task) && tiedIndexes(task.content).some((uid) => scope === null || scope(uid)))
}

// ---- the comparison

/** Mostly no restriction, so that filters leave something to compare. */
const given = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary },
  )

const bounds = fc
  .oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    {
      weight: 2,
      arbitrary: fc.record({
        after: fc.option(fc.integer({ min: -1, max: 25 }), { nil: undefined }),
        before: fc.option(fc.integer({ min: -1, max: 25 }), { nil: undefined }),
      }),
    },
  )
  .map(
    (range) =>
      range && {
        after: range.after === undefined ? undefined : at(range.after),
        before: range.before === undefined ? undefined : at(range.before),
      },
  )

const someOf = <T>(...values: T[]) => fc.array(fc.constantFrom(...values), { maxLength: 3 })

const filter: fc.Arbitrary<TaskFilter> = fc.record({
  uids: given(someOf(0, 1, 2, 3, 4, 99)),
  batchUids: given(someOf(0, 1, 2, 3, 4, 5)),
  canceledBy: given(someOf(0, 1, 2, 3, 4)),
  types: given(someOf('documentAdditionOrUpdate', 'indexSwap', 'taskCancelation', 'export', 'indexUpdate')),
  statuses: given(someOf(...taskStatuses)),
  indexUids: given(someOf('a', 'b', 'c', 'd')),
  enqueuedAt: bounds,
  startedAt: bounds,
  finishedAt: bounds,
})

const scope: fc.Arbitrary<IndexScope> = fc.oneof(
  fc.constant(null),
  fc.subarray(['a', 'b', 'c']).map((allowed) => (uid: string) => allowed.includes(uid)),
)

const list = (bitmap: Bitmap): number[] => [...bitmap.toArray()]

test('filters choose the tasks and batches that going through all of them would', () => {
  const questions = fc.array(fc.tuple(filter, scope), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(fc.array(draft, { maxLength: 8 }), fc.option(fc.nat(2)), questions, (drafts, runsFirst, asked) => {
      const { store, history } = write(drafts, runsFirst)
      const running: RunningTasks[] =
        history.running === undefined ? [] : [{ ...history.running, uids: Bitmap.fromUnsorted(history.running.uids) }]
      for (const [filter, scope] of asked) {
        const tasks = plainTasks(history, filter)
        const matching = matchingTasks(store, filter, running)
        expect(list(matching)).toEqual(tasks.map((task) => task.uid))
        const visible = tasks.filter((task) => isTaskVisible(task, filter, scope)).map((task) => task.uid)
        expect(list(visibleTasks(store, matching, filter, scope))).toEqual(visible)

        const batches = plainBatches(history).filter((batch) => isBatchMatching(batch, filter, history.running))
        const matchingUids = matchingBatches(store, filter, running)
        expect(list(matchingUids)).toEqual(batches.map((batch) => batch.uid))
        const seen = batches.filter((batch) => isBatchVisible(batch, filter, scope)).map((batch) => batch.uid)
        expect(list(visibleBatches(store, matchingUids, filter, { scope, running }))).toEqual(seen)
      }
    }),
    { numRuns: 80 },
  )
})

test('an empty list matches nothing, and no list at all matches everything', () => {
  const { store } = write(
    [
      {
        content: importOf('a'),
        status: 'enqueued',
        batchUid: 0,
        canceledBy: 0,
        enqueuedNs: 0,
        isDeleted: false,
        isRenamed: false,
      },
    ],
    null,
  )
  expect(list(matchingTasks(store, { uids: [] }, []))).toEqual([])
  expect(list(matchingTasks(store, { uids: null, types: undefined }, []))).toEqual([0])
})
