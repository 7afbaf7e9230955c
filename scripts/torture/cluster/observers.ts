import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../../test/random.js'
import type { ClusterServer } from '../../cluster/local-cluster.js'
import { READ_BACK } from './operations.js'
import { type ClientOptions, taskOf } from './writers.js'

const PAUSE_MS = 100
const POLL_MS = 20
const TASK_LIMIT_MS = 90_000
const READ_TIMEOUT_MS = 2_000

/** What was found where a task was said to have succeeded. */
export class Observations {
  found = 0
  readonly missing: string[] = []
}

/** A client that writes, waits at any server until the task has succeeded, and reads at all servers that say they may be asked. */
export async function readBackAlong(
  observer: number,
  { servers, history, gate, signal, seed }: ClientOptions,
  seen: Observations,
): Promise<void> {
  const random = seededRandom(seed - 1 - observer)
  for (let sequence = 0; !signal.aborted; sequence++) {
    const id = `o${observer}-${sequence}`
    const operation = { kind: 'put', index: READ_BACK, ids: [id], fillerBytes: 50 } as const
    const write = {
      label: `${id}-0`,
      operation,
      sentAt: performance.now(),
      history,
      server: servers[(observer + sequence) % servers.length]!,
    }
    await gate.pass(async () => {
      const uid = await taskOf(write)
      if (uid === undefined) return
      const asked = servers[Math.floor(random() * servers.length)]!
      if (!(await hasSucceeded(uid, asked, signal))) return
      for (const server of servers) await readBack(server, { id, uid, asked: asked.name, seen })
    })
    await sleep(PAUSE_MS)
  }
}

/** False when the server went away meanwhile. */
async function hasSucceeded(uid: number, server: ClusterServer, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + TASK_LIMIT_MS
  while (performance.now() < end && !signal.aborted) {
    const answer = await server.request('GET', `/tasks/${uid}`, undefined, READ_TIMEOUT_MS).catch(() => undefined)
    if (answer === undefined) return false
    if (answer.body?.status === 'succeeded') return true
    await sleep(POLL_MS)
  }
  return false
}

interface ReadBack {
  readonly id: string
  readonly uid: number
  readonly asked: string
  readonly seen: Observations
}

async function readBack(server: ClusterServer, { id, uid, asked, seen }: ReadBack): Promise<void> {
  const read = (path: string) => server.request('GET', path, undefined, READ_TIMEOUT_MS).catch(() => undefined)
  if ((await read('/health'))?.status !== 200) return
  const answer = await read(`/indexes/${READ_BACK}/documents/${id}`)
  if (answer?.status === 200) seen.found++
  else if (answer !== undefined && answer.status !== 503)
    seen.missing.push(
      `task ${uid} had succeeded on ${asked}, but ${server.name}, which is ready, answered ${answer.status} for ${id} at ${new Date().toISOString()}`,
    )
}
