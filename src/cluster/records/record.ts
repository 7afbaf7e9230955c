import type { BatchDecision, EnqueueOptions, NewTask } from '../../tasks/index.js'
import type { BlobRef } from '../log/model.js'

/** Tasks were accepted by one server at about the same time. Their uids follow from their places in the log. */
export interface TaskRecord {
  readonly kind: 'task'
  readonly tasks: readonly AcceptedTask[]
}

export interface AcceptedTask {
  /** RFC 3339. */
  readonly enqueuedAt: string
  readonly content: NewTask
  readonly options: EnqueueOptions
  /** The payload, where it is a file. */
  readonly blob?: BlobRef
}

/** Where small state lives: each of these is an LMDB folder. */
export type StatePlace = 'system' | 'auth'

/** Entries of a database of small state changed. */
export interface StateRecord {
  readonly kind: 'state'
  readonly place: StatePlace
  readonly database: string
  /** All other entries are deleted. */
  readonly clears: boolean
  /** Without a value: deleted. */
  readonly entries: readonly (readonly [key: Uint8Array, value: Uint8Array | undefined])[]
}

/** The coordinator carried out a batch, and everybody does. */
export interface BatchRecord {
  readonly kind: 'batch'
  readonly decision: BatchDecision
  /** What models answered. */
  readonly vectors?: BlobRef
  /** What the coordinator had read of the log: whoever read something else finds out here. */
  readonly chain: ChainLink
}

/** Everything up to a place in the log, in one hash. */
export interface ChainLink {
  readonly sequence: number
  /** In hexadecimal. */
  readonly hash: string
}

export type ClusterRecord = TaskRecord | StateRecord | BatchRecord
