import { parentPort, workerData } from 'node:worker_threads'
import {
  completeNames,
  type IndexJob,
  type JobOutcome,
  refreshSets,
  runIndexJob,
  upgradeFolder,
} from '../../index/index.js'
import { answerQuestions, giveNotice, IdleCollection, stepBack, toProblem } from '../../threads/index.js'
import { KeptCentres } from '../../vectors/index.js'
import { openDocumentEmbedders } from './document-embedders.js'
import { compactFolder, openJobFolders } from './indexing.js'
import type { IndexingThreadData, Notice, Request } from './indexing-protocol.js'
import { jobServices, wordResources } from './job-services.js'
import { RequestReports } from './request-reports.js'

/**
 * The indexing thread: one request after the other. The flag in shared memory is raised to stop the job that runs,
 * since a job never looks at messages.
 */
const { flag: memory, embedding, limits } = workerData as IndexingThreadData
stepBack()
const flag = new Int32Array(memory)
const folders = openJobFolders()
const embedders = embedding && openDocumentEmbedders(embedding)
const words = wordResources(limits)
const keptCentres = new KeptCentres()
const idleCollection = new IdleCollection()
const services = { ...jobServices, words, keptCentres, ...(embedders && { embedders }) }

/** Progress is told at most this often. */
const PROGRESS_EVERY_MS = 50

const isStopped = (): boolean => Atomics.load(flag, 0) === 1

const tell = (notice: Notice): void => giveNotice(notice)

answerQuestions<Request, unknown>({ answer: handle })

async function handle(request: Request): Promise<unknown> {
  switch (request.kind) {
    case 'run': {
      const outcome = runJob(request.job)
      idleCollection.worked()
      await folders.closeSurplus()
      return outcome
    }
    case 'compact':
      return compactFolder(folders.get(request.fromPath), request.toPath)
    case 'upgrade':
      return upgradeFolder(folders.get(request.fromPath), request.toPath, isStopped)
    case 'refreshSets':
      return refreshSets(folders.get(request.path), isStopped)
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

function runJob(job: IndexJob): JobOutcome {
  embedders?.countFromZero()
  const reports = embedders && new RequestReports(embedders, (requests) => tell({ kind: 'requests', requests }))
  try {
    return runIndexJob(folders.get(job.path), job, services, {
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
