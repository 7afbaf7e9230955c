/**
 * What happens, in which order, and what survives a crash: the task log, batches, the catalogue of indexes, and the
 * thread that applies batches.
 */
export type { Batch, BatchStats } from './model/batch.js'
export {
  type DeletionSelection,
  type ExportedIndex,
  type ExportRule,
  type PayloadRef,
  payloadRefOf,
  type Swap,
  type Task,
  type TaskContent,
  type TaskResults,
  type TaskStatus,
  type TaskType,
  taskStatuses,
  taskTypes,
} from './model/task.js'
export { isLed, type RemoteOutcome, type TaskImport, type TaskNetwork, type TaskOrigin } from './model/task-network.js'
export type { Page, PageRequest } from './queue/page.js'
export {
  type Admission,
  type EnqueueOptions,
  type LoggedAdmission,
  type LoggedTask,
  type NewTask,
  type ProxyFacts,
  receivedWith,
  withPayload,
} from './queue/registrar.js'
export type { QueueReplication } from './queue/replication.js'
export { type EnqueueNow, TaskQueue, type TaskQueueOptions } from './queue/task-queue.js'
export type { Ballot, Poll, Vote, Voters } from './run/ballot.js'
export { type BatchDecision, type DecidedBatch, Divergence, type UnconfirmedBatch } from './run/batch-decision.js'
export { createInlineIndexing, type Indexing, type ProgressListener } from './run/indexing.js'
export { IndexingThread } from './run/indexing-thread.js'
export { jobServices } from './run/job-services.js'
export type { RunningServerJob, ServerJob, ServerJobs, Surroundings } from './run/server-jobs.js'
export type { RunningExchange, ShardShares } from './run/shard-shares.js'
export { NO_TOPOLOGY, type RunningStep, type Topology, type TopologyStep } from './run/topology.js'
export type { DateBounds } from './store/date-index.js'
export type { Forward } from './store/forward-store.js'
export { type CatalogueEntry, IndexCatalogue, newFolderName } from './store/index-catalogue.js'
export type { IndexScope, TaskFilter } from './store/task-filter.js'
export { TaskStore } from './store/task-store.js'
export { shownDetails } from './view/batch-details.js'
export { taskSummary, taskView } from './view/task-view.js'
