import { FailureError, failure } from '../../errors/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { type WordThread, WordThreadLost } from '../../postings/index.js'
import { EntrySum } from '../../store/index.js'
import { type RecordedEmbedders, recordedEmbedders } from '../../vectors/index.js'
import { leaveLocalOut } from '../digest/local-entries.js'
import { addMissingNames, lacksNames } from '../fields/complete-names.js'
import { indexStats } from '../index-stats.js'
import { inSlices } from './in-slices.js'
import type { IndexJob, IndexWork, JobHooks, JobOutcome, PreparedJob, TaskOutcome } from './job.js'
import { type JobServices, JobWork } from './job-work.js'
import { sizeOfSource } from './payload-source.js'

/**
 * Does the work of one batch on one index in a single transaction: all of it or nothing. Throws `FailureError` when
 * the whole batch fails and `JobCancelled` when it was stopped; either way the index is as before.
 */
export function runIndexJob(folder: IndexFolder, job: IndexJob, services: JobServices, hooks: JobHooks): JobOutcome {
  const done = outcomeBefore(folder, job)
  if (done !== undefined) return done
  const run = new JobTransaction(folder, job, services, hooks)
  const outcomes = run.complete((work) => folder.write(work))
  folder.environment.forgetFreePages()
  return run.outcome(outcomes)
}

/**
 * The same up to the commit. Statistics of the outcome are those after the batch, except for the size of the file, which
 * grows with the commit. One that was done before is not done again, and nothing is left to decide about it.
 */
export function prepareIndexJob(
  folder: IndexFolder,
  job: IndexJob,
  services: JobServices,
  hooks: JobHooks,
): PreparedJob {
  const done = outcomeBefore(folder, job)
  if (done !== undefined) return { outcome: done, commit: async () => done, abort: async () => {} }
  const run = new JobTransaction(folder, job, services, hooks)
  const held = run.complete((work) => folder.hold(() => run.outcome(work())))
  return {
    outcome: held.result,
    async commit() {
      await held.commit()
      folder.environment.forgetFreePages()
      return { ...held.result, stats: indexStats(folder) }
    },
    abort: held.abort,
  }
}

/** What became of a batch that was done already. One that was not finds its index there, or may create it. */
function outcomeBefore(folder: IndexFolder, job: IndexJob): JobOutcome | undefined {
  folder.nameAs(job.indexUid)
  const done = folder.meta()?.lastBatch
  if (done?.key === job.batchKey) return { outcomes: done.outcome as TaskOutcome[], stats: indexStats(folder) }
  createIfMissing(folder, job)
  return undefined
}

const WITH_DOCUMENTS: ReadonlySet<IndexWork['kind']> = new Set(['documents', 'deletions', 'clear', 'settings', 'edit'])

/** The transaction of a job, as often as it has to be begun. */
class JobTransaction {
  private readonly thread: WordThread | undefined
  private readonly vectors: RecordedEmbedders
  private digest: string | undefined
  private hasRecord = false

  constructor(
    private readonly folder: IndexFolder,
    private readonly job: IndexJob,
    private readonly services: JobServices,
    private readonly hooks: JobHooks,
  ) {
    this.vectors = recordedEmbedders(job.vectors, services.embedders)
    this.thread = services.words?.thread
    this.thread?.countFromZero()
  }

  /** Done again when it failed for something that it can do without. */
  complete<T>(write: (work: () => TaskOutcome[]) => T): T {
    const { folder, job, thread, services, hooks, vectors } = this
    if (payloadBytes(job.work) > MOST_SLICED_BYTES) folder.environment.avoidSlices()
    const { embedders } = vectors
    const withVectors = embedders === undefined ? services : { ...services, embedders }
    const run = () => new JobWork(folder, job, withVectors, hooks).run()
    const work = () => {
      // Not counted into the digest: others may have done it before.
      if (lacksNames(folder)) addMissingNames(folder)
      const outcomes = job.digest ? this.digested(run) : run()
      this.hasRecord = vectors.finish()
      return outcomes
    }
    for (;;) {
      try {
        return inSlices(
          () => write(work),
          () => thread?.abandon(),
        )
      } catch (error) {
        if (!(error instanceof WordThreadLost)) {
          thread?.abandon()
          vectors.discard()
          throw error
        }
        hooks.warn?.(error)
        thread?.giveUp()
      }
    }
  }

  private digested<T>(work: () => T): T {
    const sum = new EntrySum()
    const end = this.folder.environment.watch(sum, leaveLocalOut)
    try {
      const result = work()
      this.digest = sum.toString()
      return result
    } finally {
      end()
    }
  }

  outcome(outcomes: TaskOutcome[]): JobOutcome {
    const handed = this.thread?.handed ?? { attempts: 0, waits: 0 }
    const { digest, folder, hasRecord, job } = this
    return {
      outcomes,
      stats: indexStats(folder),
      ...(WITH_DOCUMENTS.has(job.work.kind) ? { handed } : {}),
      ...(digest !== undefined && { digest }),
      ...(hasRecord && { recordedVectors: true }),
    }
  }
}

/** Payloads of more bytes change so many pages that slices of the transaction would find no room in the end. */
const MOST_SLICED_BYTES = 384 * 2 ** 20

function payloadBytes(work: IndexWork): number {
  if (work.kind !== 'documents') return 0
  return work.operations.reduce((sum, each) => sum + (each.kind === 'import' ? sizeOfSource(each.payload) : 0), 0)
}

/** In a transaction of its own: an index made for a task that then fails stays, empty (spec 2 §1.8). */
function createIfMissing(folder: IndexFolder, job: IndexJob): void {
  if (folder.meta() !== undefined) return
  const { create } = job
  if (create === null) throw new FailureError(failure('index_not_found', job.indexUid))
  folder.write(() => folder.create(job.now, create.primaryKey))
}
