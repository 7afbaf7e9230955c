import { type Failure, FailureError, failure, failureFromSystemError } from '../../errors/index.js'
import { JobCancelled } from '../../threads/index.js'
import { indexUidOf, type Task } from '../model/task.js'
import type { Plan } from '../schedule/plan.js'
import type { CatalogueEntry } from '../store/index-catalogue.js'
import { mergeEndings, objection, type Poll, type Vote } from './ballot.js'
import { type DecidedBatch, Divergence } from './batch-decision.js'
import { type BatchContext, BatchJobs, type RunServices } from './batch-jobs.js'
import { type BatchOutcome, type Ending, effects, outcomeOf } from './batch-outcome.js'
import { changeShares, followShares } from './change-shares.js'
import { changeTopology } from './change-topology.js'
import { compact, upgrade } from './index-copies.js'
import { createIndex, deleteIndex, editDocuments, swapIndexes, updateIndex } from './index-tasks.js'
import { runIndexWork } from './index-work.js'
import type { ServerJob, Surroundings } from './server-jobs.js'
import { cancelTasks, deleteTasks } from './task-tasks.js'

/** What a server that was asked says of a batch that it has prepared. */
export const voteOf = ({ endings, failed }: BatchOutcome): Vote => ({
  endings,
  ...(failed && { failed: failed.reason }),
})

/**
 * Runs one planned batch. Whatever goes wrong ends in the tasks, except a cancelation, which rejects with
 * `JobCancelled` and leaves everything as it was. Where servers share a log, so does trouble of this server alone.
 */
export class BatchRun {
  private readonly jobs: BatchJobs

  constructor(
    private readonly services: RunServices,
    private readonly plan: Plan,
    private readonly context: BatchContext,
  ) {
    this.jobs = new BatchJobs(services, context)
  }

  cancel(): void {
    this.jobs.cancel()
  }

  /** The index that this batch brought to life, without what the batch did to it. */
  madeIndex(): Promise<CatalogueEntry | undefined> {
    return this.jobs.madeIndex()
  }

  async run(): Promise<BatchOutcome> {
    try {
      return await this.execute()
    } catch (error) {
      if (error instanceof JobCancelled) throw error
      const reason = error instanceof FailureError ? error.failure : failureFromSystemError(error)
      if (this.isShared && isLocalTrouble(error, reason)) throw error
      if (!(error instanceof FailureError)) this.logUnexpected(error)
      return this.allFailed(reason)
    }
  }

  /** Does what another server decided: its results count, and what this one writes has to be the same. */
  async repeat(decided: DecidedBatch): Promise<BatchOutcome> {
    const { failed, endings, digest, kind } = decided
    if (failed !== undefined) return this.repeatFailure(decided, failed.reason)
    if (kind === 'dump' || kind === 'snapshot' || kind === 'export') return outcomeOf(endings)
    const outcome = this.isChangeOfShares
      ? followShares(this.jobs, this.plan.tasks[0]!)
      : await this.executeAgain(digest === undefined)
    // Without one it was done before, and this server was stopped before it could say so; or each server has other documents.
    if (outcome.digest !== undefined && outcome.digest !== digest) {
      await this.abandon()
      throw new Divergence(`batch ${decided.batch.uid} wrote something else to its index`)
    }
    return { ...outcome, endings }
  }

  /** Other servers prepare it too, and what they find counts as much as what this one did. */
  async agree(outcome: BatchOutcome, poll: Poll): Promise<BatchOutcome> {
    if (outcome.failed !== undefined) return outcome
    const votes = await this.jobs.begin(() => ({ done: poll.votes, cancel: () => poll.end() })).done
    const reason = objection(outcome.endings, votes)
    if (reason === undefined) return { ...outcome, endings: mergeEndings(outcome.endings, votes) }
    await this.abandon()
    return this.allFailed(reason)
  }

  /** Takes back what was prepared. */
  abandon(): Promise<void> {
    return this.jobs.abandon()
  }

  private get isChangeOfShares(): boolean {
    return this.isShared && this.plan.tasks[0]!.content.type === 'networkTopologyChange'
  }

  /** `asksModels`: others did not ask them for the documents of this server. */
  private async executeAgain(asksModels: boolean): Promise<BatchOutcome> {
    try {
      return await this.execute()
    } catch (error) {
      if (!(error instanceof FailureError) || isLocalTrouble(error, error.failure)) throw error
      if (asksModels && error.failure.code === MODEL_FAILED) throw error
      throw new Divergence(`a batch failed that another server could carry out (${error.failure.message})`)
    }
  }

  private repeatFailure({ failed }: DecidedBatch, reason: Failure): Promise<BatchOutcome> {
    const uid = indexUidOf(this.plan.tasks[0]!.content)
    if (failed?.makesIndex && uid !== null) this.jobs.make(uid)
    return this.allFailed(reason)
  }

  private get isShared(): boolean {
    return this.context.preparing !== undefined
  }

  private logUnexpected(error: unknown): void {
    const tasks = this.plan.tasks.map(({ uid }) => uid)
    this.services.log.error({ tasks, error }, 'a batch failed unexpectedly')
  }

  /** Everything fails for one reason. An index made for these tasks stays, empty. */
  private async allFailed(reason: Failure): Promise<BatchOutcome> {
    const { jobs, plan, services } = this
    const endings = plan.tasks.map((): Ending => ({ ok: false, failure: reason }))
    const made = await jobs.madeIndex()
    const failed = { reason, makesIndex: made !== undefined }
    if (made !== undefined) {
      const put = effects({ commit: () => services.catalogue.put(made) })
      return outcomeOf(endings, { failed, bytesAfter: made.stats.databaseBytes, ...put })
    }
    if (this.isChangeOfShares) return outcomeOf(endings, { failed, ...this.sharesStay() })
    // What an upgrade left half done must not be worked on (spec 2 §8.2), but the upgrade can be taken back.
    const permits = plan.kind === 'upgrade' ? 'cancelations' : 'everything'
    const obsoleteFolders = jobs.made === undefined ? [] : [jobs.made.folder]
    return outcomeOf(endings, { failed, permits, ...effects({ obsoleteFolders }) })
  }

  private sharesStay() {
    const { services, plan } = this
    return effects({
      commit: () => services.shares?.end(plan.tasks[0]!, this.context.batchKey, false),
      committed: () => services.shares?.ended(),
    })
  }

  private execute(): Promise<BatchOutcome> | BatchOutcome {
    const { jobs, plan, services } = this
    const { kind, tasks } = plan
    switch (kind) {
      case 'cancelation':
        return cancelTasks(services, plan)
      case 'deletion':
        return deleteTasks(services, plan)
      case 'compaction':
        return compact(jobs, plan)
      case 'upgrade':
        return upgrade(jobs, plan)
      case 'export':
      case 'dump':
        return this.serverJob({ kind, task: tasks[0]!, ...this.surroundings() })
      case 'snapshot':
        return this.serverJob({ kind, tasks, ...this.surroundings() })
      case 'deleteIndex':
        return deleteIndex(jobs, plan)
      case 'alone':
        return this.alone(tasks[0]!)
      default:
        return runIndexWork(jobs, plan)
    }
  }

  private alone(task: Task): Promise<BatchOutcome> | BatchOutcome {
    const { jobs, plan } = this
    const { content } = task
    switch (content.type) {
      case 'indexCreation':
        return createIndex(jobs, content)
      case 'indexUpdate':
        return updateIndex(jobs, task, content)
      case 'indexSwap':
        return swapIndexes(jobs, task, content.swaps)
      case 'indexDeletion':
        return deleteIndex(jobs, plan)
      case 'documentEdition':
        return editDocuments(jobs, content)
      case 'networkTopologyChange':
        return this.isShared ? changeShares(jobs, task) : changeTopology(jobs, task)
      default:
        return runIndexWork(jobs, plan)
    }
  }

  private async serverJob(work: ServerJob): Promise<BatchOutcome> {
    const { serverJobs, topology } = this.services
    if (this.isShared && topology.shards() !== undefined) throw new FailureError(failure('internal', partial(work)))
    const results = await this.jobs.begin(() => serverJobs.run(work, this.context.onProgress)).done
    return outcomeOf(this.plan.tasks.map((): Ending => ({ ok: true, results })))
  }

  private surroundings(): Surroundings {
    const { catalogue, store } = this.services
    return { now: this.context.now, indexes: catalogue.list(), nextTaskUid: store.nextTaskUid() }
  }
}

/** Where each server has other documents. */
const partial = ({ kind }: ServerJob): string =>
  `no ${kind} was made, since the documents of this cluster are divided among its servers and no server has all of them`

const MODEL_FAILED = 'vector_embedding_error'

/** The code of `CorruptBytes`, also of one that was thrown by another thread. */
const DAMAGED = 'CORRUPT_BYTES'

/** Codes of what went wrong on one server and may go well on another. */
const LOCAL_TROUBLE: ReadonlySet<string> = new Set([
  'io_error',
  'no_space_left_on_device',
  'too_many_open_files',
  'database_size_limit_reached',
  'invalid_store_file',
])

function isLocalTrouble(error: unknown, { code }: Failure): boolean {
  return LOCAL_TROUBLE.has(code) || (error as { code?: unknown }).code === DAMAGED
}
