import type { EmbedderRequests } from '../../embed/index.js'
import { IndexFolder, OpenFolders } from '../../folder/index.js'
import {
  completeNames,
  type IndexJob,
  type IndexStats,
  type JobOutcome,
  type JobServices,
  type PreparedJob,
  prepareIndexJob,
  refreshSets,
  runIndexJob,
  upgradeFolder,
} from '../../index/index.js'
import { JobCancelled } from '../../threads/index.js'
import { Turns } from './turns.js'

/** A job under way. */
export interface RunningJob<Outcome = JobOutcome> {
  readonly done: Promise<Outcome>
  /** Asks it to stop; `done` then rejects with `JobCancelled` unless it was finished already. */
  cancel(): void
}

export type ProgressListener = (step: string, finished: number, total: number) => void

/** Hears how many requests to embedders there were so far, and once more at the end; nothing where there were none. */
export type RequestListener = (requests: EmbedderRequests) => void

/** Where batches are applied to indexes: a thread of its own in the server, this thread in tests and scripts. */
export interface Indexing {
  /** Makes ready what the first job would wait for, without waiting. */
  start(): void
  run(job: IndexJob, onProgress: ProgressListener, onRequests?: RequestListener): RunningJob
  /**
   * The same up to the commit: `done` resolves while the transaction is open, and until it has been committed or aborted
   * everything else that is asked for waits. Canceling has no effect any more then. `close` aborts it.
   */
  prepare(job: IndexJob, onProgress: ProgressListener, onRequests?: RequestListener): RunningJob<PreparedJob>
  /** Copies an index without its holes into a new folder; answers both sizes in bytes. */
  compact(fromPath: string, toPath: string): Promise<{ before: number; after: number }>
  /**
   * Copies an index of an older format into a new folder, in the newest one, and answers what is known of the copy;
   * undefined when it has that format already. Whoever asked deletes the new folder when this fails.
   */
  upgrade(fromPath: string, toPath: string): RunningJob<IndexStats | undefined>
  /** Renews what an index keeps of its frequent words, or a part of it: see `refreshSets`. */
  refreshSets(path: string): RunningJob<IndexStats>
  /** Makes the names known that an older version left out; does nothing where there are none: see `lacksNames`. */
  completeNames(path: string): Promise<void>
  /** Closes the folder, so that it can be deleted. */
  release(path: string): Promise<void>
  close(): Promise<void>
}

const MAX_OPEN_FOLDERS = 16

/** The folders that stay open between jobs. */
export const openJobFolders = (): OpenFolders<IndexFolder> =>
  new OpenFolders({
    max: MAX_OPEN_FOLDERS,
    open: (path) => IndexFolder.open(path),
    close: async (folder) => folder?.close(),
  })

/** Applies jobs on the thread that asks. */
export function createInlineIndexing(services: JobServices): Indexing {
  const folders = openJobFolders()
  const turns = new Turns()
  return {
    start() {},
    run: (job, progress) =>
      stoppable((isCancelled) =>
        turns.take(async () => {
          if (isCancelled()) throw new JobCancelled()
          const outcome = runIndexJob(folders.get(job.path), job, services, { progress, isCancelled })
          await folders.closeSurplus()
          return outcome
        }),
      ),
    prepare(job, progress) {
      let held: PreparedJob | undefined
      return stoppable((isCancelled) =>
        turns.takeUntilDecided({
          async prepare() {
            if (isCancelled()) throw new JobCancelled()
            held = prepareIndexJob(folders.get(job.path), job, services, { progress, isCancelled })
            return held.outcome
          },
          commit: () => held!.commit(),
          abort: () => held!.abort(),
        }),
      )
    },
    compact: (fromPath, toPath) => turns.take(() => compactFolder(folders.get(fromPath), toPath)),
    upgrade: (fromPath, toPath) =>
      stoppable((isCancelled) => turns.take(async () => upgradeFolder(folders.get(fromPath), toPath, isCancelled))),
    refreshSets: (path) =>
      stoppable((isCancelled) => turns.take(async () => refreshSets(folders.get(path), isCancelled))),
    completeNames: (path) => turns.take(async () => completeNames(folders.get(path))),
    release: (path) => turns.take(() => folders.release(path)),
    close: () => turns.takeLast(() => folders.closeAll()),
  }
}

function stoppable<Outcome>(begin: (isCancelled: () => boolean) => Promise<Outcome>): RunningJob<Outcome> {
  let isCancelled = false
  return { done: begin(() => isCancelled), cancel: () => void (isCancelled = true) }
}

export async function compactFolder(folder: IndexFolder, toPath: string): Promise<{ before: number; after: number }> {
  const before = folder.environment.fileBytes()
  await folder.environment.copyCompacted(toPath)
  // Opening writes to the new file, and so takes all of it to disk.
  const copy = IndexFolder.open(toPath)
  copy.environment.syncNames()
  const after = copy.environment.fileBytes()
  await copy.close()
  return { before, after }
}
