import type { CatalogueEntry, TaskQueue } from '../tasks/index.js'
import { taskStatuses, taskTypes } from '../tasks/index.js'
import { parseTimestamp, type Timestamp } from '../time/index.js'
import type { IndexStatistics, IndexStatisticsSource, TaskStatistics, TaskStatisticsSource } from './statistics.js'

/** The nominal size of the task store (spec 1 §7.4). */
const TASK_STORE_BYTES = 20 * 1024 ** 3

/** What the catalogue knew of each index at the end of its last batch. */
export function indexStatistics(tasks: TaskQueue): IndexStatisticsSource {
  const { catalogue } = tasks
  return {
    all: async () => new Map(catalogue.list().map((entry) => [entry.uid, statisticsOf(tasks, entry)])),
    one: async (uid) => {
      const entry = catalogue.get(uid)
      return entry && statisticsOf(tasks, entry)
    },
    sizes: async () => {
      let [fileBytes, usedBytes] = [0, 0]
      for (const { stats } of catalogue.list()) {
        fileBytes += stats.sizeBytes
        usedBytes += stats.usedBytes
      }
      return { fileBytes, usedBytes }
    },
  }
}

function statisticsOf(tasks: TaskQueue, { uid, stats }: CatalogueEntry): IndexStatistics {
  return {
    updatedAt: parseTimestamp(stats.updatedAt)!,
    numberOfDocuments: stats.numberOfDocuments,
    rawDocumentDbBytes: stats.rawDocumentDbSize,
    avgDocumentBytes: stats.avgDocumentSize,
    isIndexing: tasks.isIndexing(uid),
    internalDatabaseBytes: stats.databaseBytes,
    numberOfEmbeddings: stats.numberOfEmbeddings,
    numberOfEmbeddedDocuments: stats.numberOfEmbeddedDocuments,
    fieldDistribution: new Map(stats.fieldDistribution),
  }
}

export function taskStatistics(tasks: TaskQueue): TaskStatisticsSource {
  return { read: async () => readTasks(tasks) }
}

function readTasks(tasks: TaskQueue): TaskStatistics {
  const { store, runningBatch } = tasks
  const processing = runningBatch?.tasks.length ?? 0
  const enqueued = store.withStatus('enqueued')
  const counts = taskStatuses.map((status): [string, number] => {
    if (status === 'processing') return [status, processing]
    const stored = store.withStatus(status)
    return [status, (runningBatch ? stored.andNot(runningBatch.filterView.uids) : stored).size]
  })
  return {
    byStatus: new Map(counts),
    byType: new Map(taskTypes.map((type) => [type, store.withType(type).size])),
    byIndex: new Map(store.tiedIndexes().map((uid) => [uid, store.tiedTo(uid).size])),
    isProcessing: processing > 0,
    oldestEnqueuedAt: enqueued.isEmpty ? undefined : enqueuedAt(tasks, enqueued.min),
    maxBytes: TASK_STORE_BYTES,
    usedBytes: store.usedBytes(),
    running: runningBatch && {
      batchUid: runningBatch.uid,
      steps: new Map(
        runningBatch.steps.map((step) => [step.currentStep, step.total === 0 ? 0 : step.finished / step.total]),
      ),
    },
    lastFinished: undefined,
    lastIndexed: undefined,
  }
}

function enqueuedAt(tasks: TaskQueue, uid: number): Timestamp | undefined {
  const task = tasks.store.get(uid)
  return task && parseTimestamp(task.enqueuedAt)
}
