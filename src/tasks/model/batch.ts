import type { EmbedderRequests } from '../../embed/index.js'
import type { TaskStatus, TaskType } from './task.js'

export interface BatchStats {
  readonly totalNbTasks: number
  readonly status: Readonly<Partial<Record<TaskStatus, number>>>
  readonly types: Readonly<Partial<Record<TaskType, number>>>
  readonly indexUids: Readonly<Record<string, number>>
  /** Step path to time spent. */
  readonly progressTrace?: Readonly<Record<string, string>>
  /** How often documents were handed to another thread, and how often that had to wait; absent without documents. */
  readonly writeChannelCongestion?: {
    readonly attempts: number
    readonly blocking_attempts: number
    readonly blocking_ratio: number
  }
  /** Databases of another size than before, with the change. */
  readonly internalDatabaseSizes?: Readonly<Record<string, string>>
  /** Absent where no provider was asked. */
  readonly embedderRequests?: EmbedderRequests
}

/** A finished batch. Times are RFC 3339 text. */
export interface Batch {
  readonly uid: number
  /** Members that are long are null here. */
  readonly details: Readonly<Record<string, unknown>>
  /** Their JSON text: a record with a long text is quick to read, one with a hundred thousand values is not. */
  readonly longDetails?: Readonly<Record<string, string>>
  readonly stats: BatchStats
  readonly startedAt: string
  readonly finishedAt: string
  readonly enqueuedAt: { readonly earliest: string; readonly latest: string } | null
  /** Why the batch stopped growing. */
  readonly strategy: string
}

export interface ProgressStep {
  readonly currentStep: string
  readonly finished: number
  readonly total: number
}
