import { parentPort, workerData } from 'node:worker_threads'
import { toProblem } from '../tasks/index.js'
import { stepBack } from '../threads/index.js'
import type { DeskReply, DeskRequest } from './backup-protocol.js'
import { BackupDesk } from './desk.js'

/** The backup thread: the steps of one job, one after the other. The flag in shared memory is raised to stop it. */
const flag = new Int32Array((workerData as { flag: SharedArrayBuffer }).flag)
const port = parentPort!
stepBack()
const desk = new BackupDesk()

/** Progress is told at most this often. */
const PROGRESS_EVERY_MS = 50

const reply = (message: DeskReply): void => port.postMessage(message)

let told = 0
const watch = {
  progress(step: string, finished: number, total: number): void {
    const now = performance.now()
    if (now - told < PROGRESS_EVERY_MS) return
    told = now
    reply({ is: 'progress', step, finished, total })
  },
  isCancelled: () => Atomics.load(flag, 0) === 1,
}

port.on('message', async ({ work, order }: DeskRequest) => {
  try {
    reply({ is: 'done', value: await desk.do(work, order, watch) })
  } catch (error) {
    reply({ is: 'problem', problem: toProblem(error) })
  }
})
