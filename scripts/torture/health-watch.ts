/**
 * Asks `/health` again and again from a thread of its own, so that what the attacker does in its thread delays no
 * measurement, and looks at the memory of the server meanwhile.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { memoryOf } from './process-facts.js'

const PAUSE_MS = 10
const REQUEST = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n'

/** What was seen since the last time somebody asked. */
export interface Watched {
  readonly asked: number
  readonly worstMs: number
  readonly peakBytes: number
}

interface Target {
  readonly port: number
  readonly pid: number
}

/** The side of whoever wants to know. */
export class HealthWatch {
  private readonly worker: Worker

  constructor({ port, pid }: Target) {
    this.worker = new Worker(new URL(import.meta.url), { workerData: { port, pid }, execArgv: ['--import', 'tsx'] })
  }

  /** What was seen since the last call, which begins a new round. */
  round(): Promise<Watched> {
    return new Promise((resolve, reject) => {
      this.worker.once('message', resolve)
      this.worker.once('error', reject)
      this.worker.postMessage('round')
    })
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }
}

async function watch({ port, pid }: Target): Promise<void> {
  let seen = { asked: 0, worstMs: 0, peakBytes: 0 }
  parentPort?.on('message', () => {
    parentPort?.postMessage(seen)
    seen = { asked: 0, worstMs: 0, peakBytes: 0 }
  })
  const socket = connect(port, '127.0.0.1').setNoDelay()
  for (;;) {
    const began = performance.now()
    await answered(socket)
    const tookMs = performance.now() - began
    seen = {
      asked: seen.asked + 1,
      worstMs: Math.max(seen.worstMs, tookMs),
      peakBytes: Math.max(seen.peakBytes, memoryOf(pid)),
    }
    await delay(PAUSE_MS)
  }
}

function answered(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('data', () => resolve())
    socket.once('error', reject)
    socket.write(REQUEST)
  })
}

if (!isMainThread && (workerData as Target | null)?.port !== undefined) await watch(workerData as Target)
