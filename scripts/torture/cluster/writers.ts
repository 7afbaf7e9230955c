import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../../test/random.js'
import type { Answer, ClusterServer } from '../../cluster/local-cluster.js'
import { Choice } from './choice.js'
import type { Gate } from './gate.js'
import type { History } from './history.js'
import { drawOperation, type Operation, requestOf } from './operations.js'

export interface ClientOptions {
  readonly servers: readonly ClusterServer[]
  readonly history: History
  readonly gate: Gate
  readonly seed: number
  readonly signal: AbortSignal
}

/** Longer than a server waits for the log before it refuses. */
const WRITE_TIMEOUT_MS = 40_000
const PAUSE_MS = 80
const PAUSE_AFTER_FAILURE_MS = 50

/**
 * A client with a server that it prefers, so that not all come to depend on one. It takes another where that fails: each
 * operation is tried until it is acknowledged.
 */
export async function writeAlong(writer: number, options: ClientOptions): Promise<void> {
  const { servers, history, gate, signal } = options
  const random = seededRandom(options.seed + writer)
  for (let sequence = 0; !signal.aborted; sequence++) {
    const operation = drawOperation(random, writer, sequence)
    const pauseMs = random() * PAUSE_MS
    const choice = new Choice(servers, writer)
    const sentAt = performance.now()
    for (let attempt = 0, isDone = false; !isDone && !signal.aborted; attempt++) {
      const label = `w${writer}-${sequence}-${attempt}`
      const write = { label, operation, sentAt, history, server: choice.server }
      isDone = (await gate.pass(() => taskOf(write))) !== undefined
      if (isDone) continue
      choice.next()
      await sleep(PAUSE_AFTER_FAILURE_MS)
    }
    await sleep(pauseMs)
  }
}

export interface WriteAttempt {
  readonly label: string
  readonly operation: Operation
  readonly sentAt: number
  readonly history: History
  readonly server: ClusterServer
}

/** One attempt, noted in the history. Answers the uid of its task if it was acknowledged. */
export async function taskOf(attempt: WriteAttempt): Promise<number | undefined> {
  const { label, operation, sentAt, history, server } = attempt
  const { method, path, body } = requestOf(operation, label)
  history.sent(label, operation, server.name)
  const began = performance.now()
  try {
    const answer = await server.request(method, path, body, WRITE_TIMEOUT_MS)
    const at = performance.now()
    if (answer.status === 202) {
      history.acknowledge(label, answer.body.taskUid, { sentAt, at, answeredMs: at - began })
      return answer.body.taskUid
    }
    history.refused(label, refusalOf(answer), at - began)
  } catch (error) {
    history.lost(label, error)
  }
  return undefined
}

const refusalOf = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`.trim()

const KEY_PAUSE_MS = 300

/** A client that makes and deletes keys. */
export async function changeKeys({ servers, history, gate, signal }: ClientOptions): Promise<void> {
  const choice = new Choice(servers, 0)
  const kept: string[] = []
  while (!signal.aborted) {
    const uid = kept.length > 4 ? kept.shift()! : undefined
    if (uid !== undefined) await gate.pass(() => deleteKey(uid, choice, history))
    else {
      const made = randomUUID()
      if (await gate.pass(() => makeKey(made, choice, history))) kept.push(made)
    }
    await sleep(KEY_PAUSE_MS)
  }
}

/** One attempt: what was not answered may be done at any later time, so nothing is known of that key. */
async function makeKey(uid: string, choice: Choice, history: History): Promise<boolean> {
  const body = { uid, actions: ['search'], indexes: ['*'], expiresAt: null }
  return keyChange({ method: 'POST', path: '/keys', body, expected: 201, uid, choice, history, done: 'there' })
}

async function deleteKey(uid: string, choice: Choice, history: History): Promise<boolean> {
  return keyChange({ method: 'DELETE', path: `/keys/${uid}`, expected: 204, uid, choice, history, done: 'gone' })
}

interface KeyChange {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly expected: number
  readonly uid: string
  readonly choice: Choice
  readonly history: History
  readonly done: 'there' | 'gone'
}

async function keyChange({ method, path, body, expected, uid, choice, history, done }: KeyChange): Promise<boolean> {
  history.key(uid, 'open')
  const began = performance.now()
  try {
    const answer = await choice.server.request(method, path, body, WRITE_TIMEOUT_MS)
    if (answer.status === expected) {
      history.key(uid, done)
      return true
    }
    history.refused(`${method} ${path}`, refusalOf(answer), performance.now() - began)
  } catch (error) {
    history.lost(`${method} ${path}`, error)
  }
  choice.next()
  return false
}
