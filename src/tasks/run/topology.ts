import { Bitmap } from '../../bitmap/index.js'
import type { ShardMap } from '../../sharding/index.js'
import type { Task, TaskResults } from '../model/task.js'
import type { ProgressListener } from './indexing.js'

/**
 * How documents are spread over servers, and how that changes: known to a room above this one, handed in.
 *
 * A change is a task like others, and stands in their order: tasks before it keep documents by the map there was, tasks
 * behind it wait for its end and go by the new one. Meanwhile servers send each other documents, which come as tasks too.
 */
export interface Topology {
  /** Which documents this server keeps at present; undefined: all. */
  shards(): ShardMap | undefined
  /** Whether the change can go on; otherwise it waits for other servers, and the queue is woken when they have spoken. */
  isReady(change: Task): boolean
  /** Tasks with documents that belong to the change: done as soon as they come, although they stand behind it. */
  imports(change: Task): Bitmap
  /** What a change that is not finished says of itself. */
  progress(change: Task): TaskResults
  /** Does what can be done at present, and answers what is to be done with all indexes next. */
  advance(change: Task, onProgress: ProgressListener): RunningStep
  /** What `advance` answered has been done with all indexes. */
  done(change: Task, step: TopologyStep): Promise<void>
  /** Whether it can still be taken back. */
  canBeCanceled(change: Task): boolean
  /** The change was canceled here: others need not wait for this server. */
  abandoned(change: Task): void
}

/** What is to be done with every index. */
export interface TopologyStep {
  /** Assigns documents to the shards of the map, or deletes those that others own by it. The latter is the last step. */
  readonly kind: 'shards' | 'dropForeign'
  readonly map: ShardMap
}

export interface RunningStep {
  /** Throws `FailureError` when the change has failed: everything stays as it was before it. */
  readonly done: Promise<'waiting' | TopologyStep>
  /** Asks it to stop; `done` then rejects with `JobCancelled` unless it was finished already. */
  cancel(): void
}

/** Of a server that has no network. */
export const NO_TOPOLOGY: Topology = {
  shards: () => undefined,
  isReady: () => true,
  imports: () => Bitmap.empty(),
  progress: () => ({}),
  advance: () => ({
    done: Promise.reject(new Error('this server does not move documents to other servers')),
    cancel: () => {},
  }),
  done: async () => {},
  canBeCanceled: () => true,
  abandoned: () => {},
}
