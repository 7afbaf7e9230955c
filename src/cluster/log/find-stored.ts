import type { DirectMsgRequest, MsgRequest } from '@nats-io/jetstream'
import { pause } from './persist.js'
import type { Session } from './session.js'

/** A server that is away may have the only good copy: it gets so long to come back. */
const PATIENCE_MS = 60_000
/** A server that came back has everything before it answers: it gets so long to do so. */
const CERTAIN_MS = 5_000
const ROUND_MS = 500
/** Each request is answered by any replica, nobody knows which: of three, a given one is left out once in 130 rounds. */
const ASKED_PER_ROUND = 12

export interface StoredBytes {
  readonly seq: number
  readonly data: Uint8Array
}

export interface Search<T> {
  readonly stream: string
  readonly query: MsgRequest & DirectMsgRequest
  /** What is wanted of a message, undefined if it is damaged or another one. */
  readonly accept: (stored: StoredBytes) => T | undefined
  readonly signal: AbortSignal
  /** Asked when no server has it. */
  readonly lastResort?: () => Promise<T | undefined>
  /** Told the first sequence of the stream whenever nobody had the message. Throws if that is why. */
  readonly onMissing?: (firstSequence: number) => void
}

/**
 * Asks the leader for a message, then replicas, then the last resort, again and again. Undefined once all replicas are there and
 * had the time to answer that they have none, or those that are away stay away, or the signal is aborted.
 */
export async function findStored<T>(session: Session, search: Search<T>): Promise<T | undefined> {
  const { signal, lastResort } = search
  const started = performance.now()
  while (!signal.aborted) {
    const found = (await askLeader(session, search)) ?? (await askReplicas(session, search)) ?? (await lastResort?.())
    if (found !== undefined) return found
    const isComplete = await areAllThere(session, search)
    if (performance.now() - started >= (isComplete ? CERTAIN_MS : PATIENCE_MS)) break
    await pause(ROUND_MS, signal)
  }
  return undefined
}

async function askLeader<T>({ manager }: Session, { stream, query, accept }: Search<T>): Promise<T | undefined> {
  const stored = await manager.streams.getMessage(stream, query).catch(() => null)
  return stored === null ? undefined : accept(stored)
}

async function askReplicas<T>({ manager }: Session, { stream, query, accept }: Search<T>): Promise<T | undefined> {
  for (let i = 0; i < ASKED_PER_ROUND; i++) {
    const stored = await manager.direct.getMessage(stream, query).catch(() => null)
    const found = stored === null ? undefined : accept(stored)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether every replica is there and up to date. */
async function areAllThere<T>({ manager }: Session, { stream, onMissing }: Search<T>): Promise<boolean> {
  const info = await manager.streams.info(stream).catch(() => undefined)
  if (info === undefined) return false
  onMissing?.(info.state.first_seq)
  return info.cluster?.replicas?.every(({ current, offline }) => current && !offline) ?? true
}
