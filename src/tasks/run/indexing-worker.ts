import { parentPort, workerData } from 'node:worker_threads'
import {
  completeNames,
  type IndexJob,
  type JobOutcome,
  type PreparedJob,
  prepareIndexJob,
  refreshSets,
  runIndexJob,
  upgradeFolder,
} from '../../index/index.js'
import { answerQuestions, giveNotice, IdleCollection, stepBack, toProblem } from '../../threads/index.js'
import { KeptCentres } from '../../vectors/index.js'
import { openDocumentEmbedders } from './document-embedders.js'
import { compactFolder, openJobFolders } from './indexing.js'
import { type IndexingThreadData, type Notice, OPEN_TRANSACTION, type Request, STOP } from './indexing-protocol.js'
import { jobServices, wordResources } from './job-services.js'
import { RequestReports } from './request-reports.js'

/**
 * The indexing thread: one request after the other. The flag in shared memory is raised to stop the job that runs,
 * since a job never looks at messages.
 */
const { flags: memory, embedding, limits } = workerData as IndexingThreadData
stepBack()
const flags = new Int32Array(memory)
const folders = openJobFolders()
const embedders = embedding && openDocumentEmbedders(embedding)
const words = wordResources(limits)
const keptCentres = new KeptCentres()
const idleCollection = new IdleCollection()
/** The job that waits to be committed or aborted. */
let held: PreparedJob | undefined
const services = { ...jobServices, words, keptCentres, ...(embedders && { embedders }) }

/** Progress is told at most this often. */
const PROGRESS_EVERY_MS = 50

const isStopped = (): boolean => Atomics.load(flags, STOP) === 1

const tell = (notice: Notice): void => giveNotice(notice)

answerQuestions<Request, unknown>({ answer: handle })

async function handle(request: Request): Promise<unknown> {
  switch (request.kind) {
    case 'run': {
      const outcome = transacting(() => watched(request.job, runIndexJob))
      await rest()
      return outcome
    }
    case 'prepare':
      return transacting(() => {
        held = watched(request.job, prepareIndexJob)
        return held.outcome
      })
    case 'commit':
    case 'abort':
      return decided(request.kind)
    case 'compact':
      return compactFolder(folders.get(request.fromPath), request.toPath)
    case 'upgrade':
      return upgradeFolder(folders.get(request.fromPath), request.toPath, isStopped)
    case 'refreshSets':
      return transacting(() => refreshSets(folders.get(request.path), isStopped))
    case 'completeNames':
      completeNames(folders.get(request.path))
      return folders.closeSurplus()
    case 'release':
      return folders.release(request.path)
    case 'close':
      await embedders?.close()
      await words.thread?.close()
      await folders.closeAll()
      parentPort!.unref()
      return undefined
  }
}

async function decided(verdict: 'commit' | 'abort'): Promise<JobOutcome | undefined> {
  const job = held
  held = undefined
  // The thread that held it was lost, and this one has taken its place.
  if (job === undefined) throw new Error('the job that was prepared has been lost')
  try {
    if (verdict === 'commit') return await job.commit()
    await job.abort()
    return undefined
  } finally {
    transactionEnded()
    await rest()
  }
}

/** Does what opens transactions. Afterwards none is open, unless a job is held. */
function transacting<T>(work: () => T): T {
  Atomics.store(flags, OPEN_TRANSACTION, 1)
  try {
    return work()
  } finally {
    if (held === undefined) transactionEnded()
  }
}

function transactionEnded(): void {
  Atomics.store(flags, OPEN_TRANSACTION, 0)
  Atomics.notify(flags, OPEN_TRANSACTION)
}

async function rest(): Promise<void> {
  idleCollection.worked()
  await folders.closeSurplus()
}

function watched<T>(job: IndexJob, begin: (...args: Parameters<typeof runIndexJob>) => T): T {
  embedders?.countFromZero()
  const reports = embedders && new RequestReports(embedders, (requests) => tell({ kind: 'requests', requests }))
  try {
    return begin(folders.get(job.path), job, services, {
      progress: throttledProgress(),
      isCancelled() {
        reports?.tell(performance.now())
        return isStopped()
      },
      warn: (problem) => tell({ kind: 'warning', problem: toProblem(problem) }),
    })
  } finally {
    reports?.tellLast()
  }
}

function throttledProgress(): (step: string, finished: number, total: number) => void {
  let last = 0
  let lastStep: string | undefined
  return (step, finished, total) => {
    const now = performance.now()
    if (step === lastStep && now - last < PROGRESS_EVERY_MS) return
    last = now
    lastStep = step
    tell({ kind: 'progress', step, finished, total })
  }
}
