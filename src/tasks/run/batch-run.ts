import { type Failure, FailureError, failure, failureFromSystemError } from '../../errors/index.js'
import { JobCancelled } from '../../threads/index.js'
import type { Task } from '../model/task.js'
import type { Plan } from '../schedule/plan.js'
import type { CatalogueEntry } from '../store/index-catalogue.js'
import { type BatchContext, BatchJobs, type RunServices } from './batch-jobs.js'
import { type BatchOutcome, type Ending, outcomeOf } from './batch-outcome.js'
import { compact, upgrade } from './index-copies.js'
import { createIndex, deleteIndex, editDocuments, swapIndexes, updateIndex } from './index-tasks.js'
import { runIndexWork } from './index-work.js'
import type { ServerJob, Surroundings } from './server-jobs.js'
import { cancelTasks, deleteTasks } from './task-tasks.js'

/**
 * Runs one planned batch. Whatever goes wrong ends in the tasks, except a cancelation, which rejects with
 * `JobCancelled` and leaves everything as it was.
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
      if (error instanceof FailureError) return this.allFailed(error.failure)
      const { tasks } = this.plan
      this.services.log.error({ tasks: tasks.map(({ uid }) => uid), error }, 'a batch failed unexpectedly')
      return this.allFailed(failureFromSystemError(error))
    }
  }

  /** Everything fails for one reason. An index made for these tasks stays, empty. */
  private async allFailed(reason: Failure): Promise<BatchOutcome> {
    const { jobs, plan, services } = this
    const endings = plan.tasks.map((): Ending => ({ ok: false, failure: reason }))
    const made = await jobs.madeIndex()
    if (made !== undefined) return outcomeOf(endings, { commit: () => services.catalogue.put(made) })
    // What an upgrade left half done must not be worked on (spec 2 §8.2), but the upgrade can be taken back.
    const permits = plan.kind === 'upgrade' ? 'cancelations' : 'everything'
    return outcomeOf(endings, { permits, obsoleteFolders: jobs.made === undefined ? [] : [jobs.made.folder] })
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
      // Only a dump can hold one that waits: this server is no part of a cluster.
      case 'networkTopologyChange':
        throw new FailureError(failure('internal', 'this server does not move documents to other servers.'))
      default:
        return runIndexWork(jobs, plan)
    }
  }

  private async serverJob(work: ServerJob): Promise<BatchOutcome> {
    const { serverJobs } = this.services
    const results = await this.jobs.begin(() => serverJobs.run(work, this.context.onProgress)).done
    return outcomeOf(this.plan.tasks.map((): Ending => ({ ok: true, results })))
  }

  private surroundings(): Surroundings {
    const { catalogue, store } = this.services
    return { now: this.context.now, indexes: catalogue.list(), nextTaskUid: store.nextTaskUid() }
  }
}
