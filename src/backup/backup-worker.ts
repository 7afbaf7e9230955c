import { workerData } from 'node:worker_threads'
import { answerQuestions, giveNotice, stepBack } from '../threads/index.js'
import type { DeskProgress, DeskRequest } from './backup-protocol.js'
import { BackupDesk } from './desk.js'

/** The backup thread: the steps of one job, one after the other. The flag in shared memory is raised to stop it. */
const flag = new Int32Array((workerData as { flag: SharedArrayBuffer }).flag)
stepBack()
const desk = new BackupDesk()

/** Progress is told at most this often. */
const PROGRESS_EVERY_MS = 50

let told = 0
const watch = {
  progress(step: string, finished: number, total: number): void {
    const now = performance.now()
    if (now - told < PROGRESS_EVERY_MS) return
    told = now
    giveNotice<DeskProgress>({ step, finished, total })
  },
  isCancelled: () => Atomics.load(flag, 0) === 1,
}

answerQuestions<DeskRequest, unknown>({ answer: ({ work, order }) => desk.do(work, order, watch) })
