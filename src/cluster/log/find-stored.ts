import type { DirectMsgRequest, MsgRequest } from '@nats-io/jetstream'
import { pause } from './persist.js'
import type { Session } from './session.js'

/** A server that is away may have the only good copy: it gets so long to come back. */
const PATIENCE_MS = 60_000
const ROUND_MS = 1_000

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
 * Asks the leader for a message, then each replica for its own copy, then the last resort. Undefined once every replica has
 * said that it has none, or those that did not say stay away, or the signal is aborted.
 */
export async function findStored<T>(session: Session, search: Search<T>): Promise<T | undefined> {
  const { signal, lastResort } = search
  const end = performance.now() + PATIENCE_MS
  while (!signal.aborted) {
    const asked = new Set<string>()
    const found =
      (await askLeader(session, search)) ?? (await askEach(session, search, asked)) ?? (await lastResort?.())
    if (found !== undefined) return found
    const replicas = await replicaNames(session, search)
    if (replicas?.every((name) => asked.has(name)) || performance.now() >= end) break
    await pause(ROUND_MS, signal)
  }
  return undefined
}

async function askLeader<T>({ manager }: Session, { stream, query, accept }: Search<T>): Promise<T | undefined> {
  const stored = await manager.streams.getMessage(stream, query).catch(() => null)
  return stored === null ? undefined : accept(stored)
}

async function askEach<T>(session: Session, search: Search<T>, asked: Set<string>): Promise<T | undefined> {
  for (const address of session.servers()) {
    const asking = session.atServer(address, async (manager, serverName) => {
      const stored = await manager.direct.getMessage(search.stream, search.query)
      asked.add(serverName)
      return stored === null ? undefined : search.accept(stored)
    })
    const found = await asking.catch(() => undefined)
    if (found !== undefined) return found
  }
  return undefined
}

/** Undefined while nobody knows. */
async function replicaNames<T>({ manager }: Session, { stream, onMissing }: Search<T>): Promise<string[] | undefined> {
  const info = await manager.streams.info(stream).catch(() => undefined)
  if (info === undefined) return undefined
  onMissing?.(info.state.first_seq)
  if (info.cluster === undefined) return []
  const followers = info.cluster.replicas?.map(({ name }) => name) ?? []
  return info.cluster.leader ? [info.cluster.leader, ...followers] : undefined
}
