import { Bitmap } from '../../bitmap/index.js'
import type { Timestamp } from '../../time/index.js'
import { globalTypes, type TaskStatus, type TaskType } from '../model/task.js'
import type { DateBounds, DateKind } from './date-index.js'
import type { TaskStore } from './task-store.js'

/** Which tasks or batches are meant. Absent or null: no restriction; an empty list matches nothing (spec 2 §2.1). */
export interface TaskFilter {
  readonly uids?: readonly number[] | null
  readonly batchUids?: readonly number[] | null
  readonly canceledBy?: readonly number[] | null
  readonly types?: readonly TaskType[] | null
  readonly statuses?: readonly TaskStatus[] | null
  readonly indexUids?: readonly string[] | null
  readonly enqueuedAt?: DateBounds
  readonly startedAt?: DateBounds
  readonly finishedAt?: DateBounds
}

/** A batch that is being processed. */
export interface RunningTasks {
  readonly batchUid: number
  readonly uids: Bitmap
  readonly startedAt: Timestamp
}

/** Which indexes the caller may see; null for all. */
export type IndexScope = ((indexUid: string) => boolean) | null

/** Tasks that match all given filters. */
export function matchingTasks(store: TaskStore, filter: TaskFilter, running: readonly RunningTasks[]): Bitmap {
  const parts: Bitmap[] = [store.all()]
  if (filter.uids) parts.push(Bitmap.fromUnsorted(filter.uids))
  if (filter.batchUids) parts.push(union(filter.batchUids, (uid) => tasksOfBatch(store, uid, running)))
  if (filter.canceledBy) parts.push(union(filter.canceledBy, (uid) => store.canceledBy(uid)))
  if (filter.types) parts.push(union(filter.types, (type) => store.withType(type)))
  if (filter.statuses) parts.push(union(filter.statuses, (status) => withStatus(store, status, running)))
  if (filter.indexUids) parts.push(union(filter.indexUids, (uid) => store.tiedTo(uid)))
  if (filter.enqueuedAt) parts.push(store.dates.between('taskEnqueued', filter.enqueuedAt))
  if (filter.startedAt) parts.push(startedTasks(store, filter.startedAt, running))
  if (filter.finishedAt) parts.push(store.dates.between('taskFinished', filter.finishedAt).andNot(uidsOf(running)))
  return Bitmap.andMany(parts)
}

const uidsOf = (running: readonly RunningTasks[]): Bitmap => union(running, ({ uids }) => uids)

function union<T>(items: readonly T[], read: (item: T) => Bitmap): Bitmap {
  return Bitmap.orMany(items.map(read))
}

function tasksOfBatch(store: TaskStore, batchUid: number, running: readonly RunningTasks[]): Bitmap {
  return running.find((batch) => batch.batchUid === batchUid)?.uids ?? store.ofBatch(batchUid)
}

function withStatus(store: TaskStore, status: TaskStatus, running: readonly RunningTasks[]): Bitmap {
  const processing = uidsOf(running)
  // Whatever is known of them already, the tasks of a running batch are processing until everybody may see their end.
  return status === 'processing' ? processing : store.withStatus(status).andNot(processing)
}

function startedTasks(store: TaskStore, bounds: DateBounds, running: readonly RunningTasks[]): Bitmap {
  const stored = store.dates.between('taskStarted', bounds)
  return stored.or(uidsOf(running.filter(({ startedAt }) => isWithin(startedAt, bounds))))
}

function isWithin(time: Timestamp, { after, before }: DateBounds): boolean {
  return (after === undefined || time > after) && (before === undefined || time < before)
}

/** Takes out what the caller must not see (spec 2 §2.2). */
export function visibleTasks(store: TaskStore, matching: Bitmap, filter: TaskFilter, scope: IndexScope): Bitmap {
  if (scope === null && !filter.indexUids) return matching
  let visible = matching.andNot(union(globalTypes, (type) => store.withType(type)))
  if (scope === null) return visible
  for (const uid of store.tiedIndexes()) if (!scope(uid)) visible = visible.andNot(store.tiedTo(uid))
  return visible
}

/** Batches that match all given filters (spec 2 §3.4). */
export function matchingBatches(store: TaskStore, filter: TaskFilter, running: readonly RunningTasks[]): Bitmap {
  const all = store.allBatches().clone()
  for (const { batchUid } of running) all.add(batchUid)
  const parts: Bitmap[] = [all]
  if (filter.uids) parts.push(batchesOf(store, Bitmap.fromUnsorted(filter.uids)))
  if (filter.batchUids) parts.push(Bitmap.fromUnsorted(filter.batchUids))
  if (filter.canceledBy) parts.push(batchesOf(store, succeededCancelations(store, filter.canceledBy)))
  if (filter.types) parts.push(batchesOfTypes(store, filter.types, running))
  if (filter.statuses) parts.push(batchesWithStatuses(store, filter.statuses, running))
  if (filter.indexUids) parts.push(batchesTiedTo(store, filter.indexUids, running))
  if (filter.enqueuedAt) parts.push(batchDates(store, 'batchEnqueued', filter.enqueuedAt))
  if (filter.startedAt) parts.push(startedBatches(store, filter.startedAt, running))
  if (filter.finishedAt) parts.push(finishedBatches(store, filter.finishedAt, running))
  return Bitmap.andMany(parts)
}

const batchDates = (store: TaskStore, kind: DateKind, bounds: DateBounds): Bitmap => store.dates.between(kind, bounds)

function succeededCancelations(store: TaskStore, uids: readonly number[]): Bitmap {
  return Bitmap.andMany([Bitmap.fromUnsorted(uids), store.withType('taskCancelation'), store.withStatus('succeeded')])
}

/** The stored batches of tasks. */
function batchesOf(store: TaskStore, tasks: Bitmap): Bitmap {
  const batches: number[] = []
  for (const uid of tasks.and(store.all())) {
    const batchUid = store.get(uid)?.batchUid
    if (batchUid !== null && batchUid !== undefined) batches.push(batchUid)
  }
  return Bitmap.fromUnsorted(batches)
}

function batchesOfTypes(store: TaskStore, types: readonly TaskType[], running: readonly RunningTasks[]): Bitmap {
  const batches = union(types, (type) => store.batchIndex.withType(type))
  const tasks = union(types, (type) => store.withType(type))
  for (const { uids, batchUid } of running) if (uids.intersects(tasks)) batches.add(batchUid)
  return batches
}

function batchesTiedTo(store: TaskStore, indexUids: readonly string[], running: readonly RunningTasks[]): Bitmap {
  const batches = union(indexUids, (uid) => store.batchIndex.tiedTo(uid))
  const tasks = union(indexUids, (uid) => store.tiedTo(uid))
  for (const { uids, batchUid } of running) if (uids.intersects(tasks)) batches.add(batchUid)
  return batches
}

function batchesWithStatuses(
  store: TaskStore,
  statuses: readonly TaskStatus[],
  running: readonly RunningTasks[],
): Bitmap {
  const batches = union(statuses, (status) => store.batchIndex.withStatus(status))
  const processing = batchUidsOf(running)
  return statuses.includes('processing') ? batches.or(processing) : batches.andNot(processing)
}

function startedBatches(store: TaskStore, bounds: DateBounds, running: readonly RunningTasks[]): Bitmap {
  const batches = batchDates(store, 'batchStarted', bounds)
  return batches.or(batchUidsOf(running.filter(({ startedAt }) => isWithin(startedAt, bounds))))
}

function finishedBatches(store: TaskStore, bounds: DateBounds, running: readonly RunningTasks[]): Bitmap {
  return batchDates(store, 'batchFinished', bounds).andNot(batchUidsOf(running))
}

const batchUidsOf = (running: readonly RunningTasks[]): Bitmap =>
  Bitmap.fromUnsorted(running.map(({ batchUid }) => batchUid))

/** Scoped callers, and everybody who asks for indexes, see batches with at least one task they may see. */
export function visibleBatches(
  store: TaskStore,
  matching: Bitmap,
  filter: TaskFilter,
  view: { scope: IndexScope; running: readonly RunningTasks[] },
): Bitmap {
  const { scope, running } = view
  if (scope === null && !filter.indexUids) return matching
  const allowed = store.tiedIndexes().filter((uid) => scope === null || scope(uid))
  const batches = union(allowed, (uid) => store.batchIndex.ofIndex(uid))
  const tasks = tasksOfIndexes(store, allowed)
  for (const { uids, batchUid } of running) if (uids.intersects(tasks)) batches.add(batchUid)
  return matching.and(batches)
}

function tasksOfIndexes(store: TaskStore, indexUids: readonly string[]): Bitmap {
  const tied = union(indexUids, (uid) => store.tiedTo(uid))
  return tied.andNot(union(globalTypes, (type) => store.withType(type)))
}
