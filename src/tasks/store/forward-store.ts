import type { Database, Environment } from '../../store/index.js'
import type { PayloadRef, Task, TaskContent } from '../model/task.js'
import { payloadRefOf } from '../model/task.js'
import type { RemoteOutcome, TaskOrigin } from '../model/task-network.js'
import { decodeRecord, encodeRecord, uidKey } from './record.js'

/**
 * A task that some servers have not heard of yet. It has all that is sent, since the task itself may be finished, renamed or
 * deleted meanwhile; its payload stays until all have it.
 */
export interface Forward {
  readonly uid: number
  readonly content: TaskContent
  readonly customMetadata?: string
  readonly networkVersion: string
  /** Who is still to hear of it. */
  readonly remotes: readonly string[]
}

/** The last task that a server sent, and what it became here. */
interface LastReceived extends Omit<TaskOrigin, 'remoteName'> {
  readonly uid: number
}

/**
 * What the leader of a network sends to the others. The database `forwarding` maps
 *
 * ```
 * 'p' uid(4 bytes)  to  Forward, until the last server has answered
 * 'o' uid(4 bytes)  to  RemoteOutcome by the name of the remote
 * 'r'               to  LastReceived by the name of the remote, on servers that are sent tasks
 * ```
 *
 * Everything that writes belongs inside the transaction of the task store.
 */
export class ForwardStore {
  private readonly database: Database

  constructor(environment: Environment) {
    this.database = environment.database('forwarding')
  }

  /** A task was registered: it is on disk together with the wish to send it, or with the memory of where it came from. */
  add({ uid, content, customMetadata, network }: Task): void {
    if (network?.kind === 'origin') this.putReceived(network.origin, uid)
    if (network?.kind !== 'leader' || network.remotes.length === 0) return
    const { remotes, networkVersion } = network
    const metadata = customMetadata === undefined ? {} : { customMetadata }
    this.put({ uid, content, ...metadata, networkVersion, remotes })
  }

  /** The task that this one was made of. A server sends one after the other: only the last can come again. */
  receivedAs({ remoteName, taskUid, networkVersion }: TaskOrigin): number | undefined {
    const last = this.lastReceived()[remoteName]
    return last?.taskUid === taskUid && last.networkVersion === networkVersion ? last.uid : undefined
  }

  private putReceived({ remoteName, ...task }: TaskOrigin, uid: number): void {
    this.database.put(RECEIVED, encodeRecord({ ...this.lastReceived(), [remoteName]: { ...task, uid } }))
  }

  private lastReceived(): Readonly<Record<string, LastReceived>> {
    const bytes = this.database.get(RECEIVED)
    return bytes === undefined ? {} : decodeRecord<Record<string, LastReceived>>(bytes)
  }

  /** The first task from `uid` on that a remote has not heard of. */
  next(remote: string, uid: number): Forward | undefined {
    for (const { value } of this.database.range({ start: pendingKey(uid), end: Buffer.from('q') })) {
      const forward = decodeRecord<Forward>(value)
      if (forward.remotes.includes(remote)) return forward
    }
    return undefined
  }

  /** Who has not heard of everything. */
  waitingRemotes(): Set<string> {
    const names = new Set<string>()
    for (const { remotes } of this.pending()) for (const name of remotes) names.add(name)
    return names
  }

  isPending(uid: number): boolean {
    return this.database.has(pendingKey(uid))
  }

  /** What became of a task on a remote; not `isFinal` where it is tried again. Answers whether all have heard of it then. */
  settle(uid: number, remote: string, { outcome, isFinal }: { outcome: RemoteOutcome; isFinal: boolean }): boolean {
    this.database.put(outcomeKey(uid), encodeRecord({ ...this.outcomes(uid), [remote]: outcome }))
    const forward = isFinal ? this.get(uid) : undefined
    if (forward === undefined) return false
    const remotes = forward.remotes.filter((name) => name !== remote)
    if (remotes.length > 0) this.put({ ...forward, remotes })
    else this.database.delete(pendingKey(uid))
    return remotes.length === 0
  }

  outcomes(uid: number): Readonly<Record<string, RemoteOutcome>> {
    const bytes = this.database.get(outcomeKey(uid))
    return bytes === undefined ? {} : decodeRecord<Record<string, RemoteOutcome>>(bytes)
  }

  /** The task is deleted. What is yet to be sent is sent all the same. */
  forget(uid: number): void {
    this.database.delete(outcomeKey(uid))
  }

  /** Payloads that are needed although their tasks may be finished. */
  *payloads(): Generator<PayloadRef> {
    for (const { content } of this.pending()) {
      const payload = payloadRefOf(content)
      if (payload !== undefined) yield payload
    }
  }

  private *pending(): Generator<Forward> {
    const range = { start: pendingKey(0), end: Buffer.from('q') }
    for (const { value } of this.database.range(range)) yield decodeRecord<Forward>(value)
  }

  private get(uid: number): Forward | undefined {
    const bytes = this.database.get(pendingKey(uid))
    return bytes === undefined ? undefined : decodeRecord<Forward>(bytes)
  }

  private put(forward: Forward): void {
    this.database.put(pendingKey(forward.uid), encodeRecord(forward))
  }
}

const RECEIVED = Buffer.from('r')
const pendingKey = (uid: number): Buffer => Buffer.concat([Buffer.from('p'), uidKey(uid)])
const outcomeKey = (uid: number): Buffer => Buffer.concat([Buffer.from('o'), uidKey(uid)])
