import { workerData } from 'node:worker_threads'
import { answerQuestions, giveNotice, stepBack } from '../threads/index.js'
import { BackupExecutor } from './backup-executor.js'
import type { BackupProgress, BackupRequest } from './backup-protocol.js'

/** The backup thread: the steps of one job, one after the other. The flag in shared memory is raised to stop it. */
const flag = new Int32Array((workerData as { flag: SharedArrayBuffer }).flag)
stepBack()
const executor = new BackupExecutor()

/** Progress is told at most this often. */
const PROGRESS_EVERY_MS = 50

let told = 0
const watch = {
  progress(step: string, finished: number, total: number): void {
    const now = performance.now()
    if (now - told < PROGRESS_EVERY_MS) return
    told = now
    giveNotice<BackupProgress>({ step, finished, total })
  },
  isCancelled: () => Atomics.load(flag, 0) === 1,
}

answerQuestions<BackupRequest, unknown>({ answer: ({ work, order }) => executor.do(work, order, watch) })
