import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { persist } from './persist.js'
import { LogMissing } from './problems.js'
import type { Session } from './session.js'

/** The streams of a log and their subjects. */
export interface StreamNames {
  readonly entries: string
  /** Followed by the kind. */
  readonly entrySubject: string
  readonly blobs: string
  readonly blobSubject: string
  readonly lease: string
  readonly leaseSubject: string
  /** Of no stream. */
  readonly memberSubject: string
}

/** Longer than anybody tries to append one entry. */
const DUPLICATE_WINDOW_MS = 5 * 60_000

const MAX_MESSAGE_BYTES = 1 << 20

export function streamNames(name: string): StreamNames {
  if (!/^[\w-]{1,64}$/.test(name)) throw new RangeError('name: 1 to 64 letters, digits, "-" or "_"')
  return {
    entries: name,
    entrySubject: `${name}.entry`,
    blobs: `${name}-blobs`,
    blobSubject: `${name}.blob`,
    lease: `${name}-lease`,
    leaseSubject: `${name}.lease`,
    memberSubject: `${name}.members`,
  }
}

export interface EnsureOptions {
  readonly replicas: number
  readonly timeoutMs: number
  readonly mustExist?: boolean
  readonly firstSequence?: number
}

/**
 * Creates the streams that are not there yet, unless the log must be there. Those that are stay as they are. Answers when the
 * stream of entries was made, which tells it from any other of its name.
 */
export async function ensureStreams(session: Session, names: StreamNames, options: EnsureOptions): Promise<string> {
  const { replicas, timeoutMs, mustExist = false, firstSequence = 1 } = options
  const entries: Partial<StreamConfig> = {
    name: names.entries,
    subjects: [`${names.entrySubject}.>`],
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    ...(firstSequence === 1 ? {} : { first_seq: firstSequence }),
  }
  const configs: Partial<StreamConfig>[] = [
    { name: names.blobs, subjects: [`${names.blobSubject}.>`], max_msgs_per_subject: 1 },
    { name: names.lease, subjects: [names.leaseSubject], max_msgs_per_subject: 1 },
  ]
  const ensureAll = async (): Promise<string> => {
    const created = await ensureStream(session, { ...durable(replicas), ...entries }, mustExist)
    for (const config of configs) await ensureStream(session, { ...durable(replicas), ...config })
    return created
  }
  return persist(ensureAll, { what: 'its streams', timeoutMs, signal: session.closed, isFinal: isRefusal })
}

/** Direct reads are answered by every replica, also while there is no leader. Nothing is ever deleted one by one. */
function durable(replicas: number): Partial<StreamConfig> {
  return {
    num_replicas: replicas,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    allow_direct: true,
    deny_delete: true,
    max_msg_size: MAX_MESSAGE_BYTES,
  }
}

async function ensureStream({ manager }: Session, config: Partial<StreamConfig>, mustExist = false): Promise<string> {
  const name = config.name ?? ''
  try {
    return (await manager.streams.info(name)).created
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)) throw error
    if (mustExist) throw new LogMissing(name)
    return (await manager.streams.add({ ...config, name })).created
  }
}

/** Too few servers are there to hold the replicas of a new stream. */
const NO_SUITABLE_PEERS = 10005

/** 4xx: the server understood and will not do it, unless it lacks others that are on their way up. Everything else may pass. */
function isRefusal(error: unknown): boolean {
  if (error instanceof LogMissing) return true
  if (!(error instanceof JetStreamApiError) || error.code === NO_SUITABLE_PEERS) return false
  return error.status >= 400 && error.status < 500
}

/** The sequence of the last message of a subject as the leader knows it, 0 if there is none. */
export async function lastOfSubject({ manager }: Session, stream: string, subject: string): Promise<number> {
  return (await manager.streams.getMessage(stream, { last_by_subj: subject }))?.seq ?? 0
}

const WRONG_LAST_SEQUENCE = new Set([10071, 10164])

/** Compare-and-set failed: something was written since. */
export function isWrongLastSequence(error: unknown): boolean {
  return error instanceof JetStreamApiError && WRONG_LAST_SEQUENCE.has(error.code)
}
