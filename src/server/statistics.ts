import type { Timestamp } from '../time/index.js'

/** What is told about an index (spec 1 §5.4). Sizes are in bytes. */
export interface IndexStatistics {
  readonly updatedAt: Timestamp
  readonly numberOfDocuments: number
  readonly rawDocumentDbBytes: number
  readonly avgDocumentBytes: number
  readonly isIndexing: boolean
  /** By name; zero sizes and order do not matter. */
  readonly internalDatabaseBytes: Readonly<Record<string, number>>
  readonly numberOfEmbeddings: number
  readonly numberOfEmbeddedDocuments: number
  readonly fieldDistribution: ReadonlyMap<string, number>
}

/** Who knows about indexes. */
export interface IndexStatisticsSource {
  /** By uid. */
  all(): Promise<ReadonlyMap<string, IndexStatistics>>
  one(uid: string): Promise<IndexStatistics | undefined>
  /** Of the stores of all indexes. */
  sizes(): Promise<StoreSizes>
}

export interface StoreSizes {
  readonly fileBytes: number
  readonly usedBytes: number
}

/** What is told about tasks in GET /metrics (spec 1 §5.5). */
export interface TaskStatistics {
  /** All statuses; `enqueued` without those being processed. */
  readonly byStatus: ReadonlyMap<string, number>
  /** All types, zeros included. */
  readonly byType: ReadonlyMap<string, number>
  readonly byIndex: ReadonlyMap<string, number>
  readonly isProcessing: boolean
  /** Of the oldest task that is enqueued or being processed. */
  readonly oldestEnqueuedAt: Timestamp | undefined
  readonly maxBytes: number
  readonly usedBytes: number
  /** Finished and total of each step of the batch that is running. */
  readonly running: BatchTrace | undefined
  /** Durations in milliseconds of the last batch that succeeded or failed. */
  readonly lastFinished: BatchTrace | undefined
  readonly lastIndexed: IndexedBatch | undefined
}

export interface BatchTrace {
  readonly batchUid: number
  readonly steps: ReadonlyMap<string, number>
}

/** The last succeeded batch of documents: indexed, edited and deleted ones together. */
export interface IndexedBatch {
  readonly batchUid: number
  readonly index: string
  readonly documents: number
  readonly durationMs: number
  readonly finishedAt: Timestamp
}

export interface TaskStatisticsSource {
  read(): Promise<TaskStatistics>
}

export const NO_INDEXES: IndexStatisticsSource = {
  all: async () => new Map(),
  one: async () => undefined,
  sizes: async () => ({ fileBytes: 0, usedBytes: 0 }),
}

export const NO_TASKS: TaskStatisticsSource = {
  read: async () => ({
    byStatus: new Map(),
    byType: new Map(),
    byIndex: new Map(),
    isProcessing: false,
    oldestEnqueuedAt: undefined,
    maxBytes: 0,
    usedBytes: 0,
    running: undefined,
    lastFinished: undefined,
    lastIndexed: undefined,
  }),
}
