/**
 * Asks `/health` again and again from a process of its own, so that what the attacker does in its own delays no
 * measurement, and looks at the memory of the server meanwhile.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { memoryOf } from './process-facts.js'

const PAUSE_MS = 10
/** The argument that makes a process of this file the watcher. */
const ROLE = 'watch-health'
const REQUEST = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n'

/** What was seen since the last time somebody asked. */
export interface Watched {
  readonly asked: number
  readonly worstMs: number
  readonly peakBytes: number
}

const NOTHING: Watched = { asked: 0, worstMs: 0, peakBytes: 0 }

interface Target {
  readonly port: number
  readonly pid: number
}

/** The side of whoever wants to know. */
export class HealthWatch {
  private readonly watcher: ChildProcess

  constructor({ port, pid }: Target) {
    this.watcher = fork(import.meta.filename, [ROLE, String(port), String(pid)], { execArgv: ['--import', 'tsx'] })
  }

  /** What was seen since the last call, which begins a new round. An answer is waited for if there was none. */
  async round(): Promise<Watched> {
    this.watcher.send('round')
    const [seen] = (await once(this.watcher, 'message')) as [Watched]
    return seen
  }

  close(): void {
    this.watcher.kill()
  }
}

async function watch({ port, pid }: Target): Promise<void> {
  let seen = NOTHING
  let isAsked = false
  process.on('message', () => {
    isAsked = true
  })
  const socket = connect(port, '127.0.0.1').setNoDelay()
  for (;;) {
    const began = performance.now()
    socket.write(REQUEST)
    await once(socket, 'data')
    const tookMs = performance.now() - began
    seen = {
      asked: seen.asked + 1,
      worstMs: Math.max(seen.worstMs, tookMs),
      peakBytes: Math.max(seen.peakBytes, memoryOf(pid)),
    }
    if (isAsked) {
      process.send?.(seen)
      seen = NOTHING
      isAsked = false
    }
    await delay(PAUSE_MS)
  }
}

const [, , role, port, pid] = process.argv
if (role === ROLE) await watch({ port: Number(port), pid: Number(pid) })
