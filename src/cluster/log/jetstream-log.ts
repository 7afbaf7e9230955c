import { setMaxListeners } from 'node:events'
import { Appender } from './appender.js'
import { BlobStore } from './blob-store.js'
import { EntryFinder } from './entry-finder.js'
import { readHealth } from './health.js'
import { LeaseKeeper } from './lease-keeper.js'
import { MemberMessages } from './member-messages.js'
import type {
  AppendOptions,
  BlobRef,
  Lease,
  LogEntry,
  LogHealth,
  LogOptions,
  NewEntry,
  ReadOptions,
  ReplicatedLog,
} from './model.js'
import { persist } from './persist.js'
import { LazySync } from './problems.js'
import { readEntries } from './reader.js'
import { closeSession, DEFAULT_TIMEOUT_MS, openSession, type Session } from './session.js'
import { ensureStreams, lastOfSubject, type StreamNames, streamNames } from './streams.js'
import { sweepUploads } from './sweep-uploads.js'
import { requireSync } from './sync-check.js'
import { Tail } from './tail.js'
import { trimEntries } from './trim-entries.js'

/** An upload that takes longer is taken for abandoned. */
const LONGEST_UPLOAD_MS = 24 * 3_600_000

/** Loaded by `openLog`, together with the packages that speak to nats-server. */
export async function openJetStreamLog(options: LogOptions): Promise<ReplicatedLog> {
  const { replicas, timeoutMs = DEFAULT_TIMEOUT_MS, mustExist = false, firstSequence = 1 } = options
  const names = streamNames(options.name)
  const end = performance.now() + timeoutMs
  const remainingMs = () => Math.max(0, Math.round(end - performance.now()))
  const closing = new AbortController()
  // Every request that waits listens to it.
  setMaxListeners(0, closing.signal)
  if (!options.allowLazySync) await untilSyncIsKnown(options, remainingMs(), closing.signal)
  const session = await openSession(options, closing.signal, remainingMs())
  try {
    const limits = { replicas, timeoutMs: remainingMs(), mustExist, firstSequence }
    const identity = await ensureStreams(session, names, limits)
    return new JetStreamLog(identity, session, names, closing)
  } catch (error) {
    await closeSession(session)
    throw error
  }
}

async function untilSyncIsKnown(options: LogOptions, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const { monitors = [], tls } = options
  const isFinal = (error: unknown) => error instanceof LazySync
  await persist(() => requireSync(monitors, tls), { what: 'asking its monitoring ports', timeoutMs, signal, isFinal })
}

class JetStreamLog implements ReplicatedLog {
  private readonly appender: Appender
  private readonly blobs: BlobStore
  private readonly finder: EntryFinder
  private readonly messages: MemberMessages
  private keeper: LeaseKeeper | undefined

  constructor(
    readonly identity: string,
    private readonly session: Session,
    private readonly names: StreamNames,
    private readonly closing: AbortController,
  ) {
    this.appender = new Appender(session, names)
    this.blobs = new BlobStore(session, names)
    this.finder = new EntryFinder(session, names.entries)
    this.messages = new MemberMessages(session, names.memberSubject)
  }

  append(entry: NewEntry, options?: AppendOptions): Promise<number> {
    return this.appender.append(entry, options)
  }

  read(from: number, { signal, repair }: ReadOptions): AsyncIterable<LogEntry> {
    const either = AbortSignal.any([signal, this.closing.signal])
    const { entries } = this.names
    const parts = {
      tail: new Tail(this.session, entries, either),
      finder: this.finder,
      last: () => this.session.lastOf(entries),
    }
    return readEntries(parts, from, { signal: either, repair })
  }

  last(kind?: string): Promise<number> {
    return this.persist('asking for its end', () => (kind === undefined ? this.lastKnown() : this.lastOfKind(kind)))
  }

  putBlob(bytes: AsyncIterable<Uint8Array>): Promise<BlobRef> {
    return this.blobs.put(bytes)
  }

  openBlob(ref: BlobRef): AsyncIterable<Uint8Array> {
    return this.blobs.open(ref)
  }

  deleteBlob(ref: BlobRef): Promise<void> {
    return this.blobs.delete(ref)
  }

  async trim(below: number): Promise<number> {
    // Beyond the end the server would skip sequences.
    const last = await this.last()
    if (below > last + 1) throw new RangeError(`trim: at most ${last + 1}, not ${below}`)
    const first = await this.persist('trimming', () => trimEntries(this.session, this.names, below))
    // It is tidying: the next trimming does what this one could not.
    await sweepUploads(this.session, this.names, LONGEST_UPLOAD_MS).catch(() => {})
    return first
  }

  lease(member: string): Lease {
    return (this.keeper ??= new LeaseKeeper(this.session, this.names, member))
  }

  tell(bytes: Uint8Array): void {
    this.messages.tell(bytes)
  }

  onTold(listener: (bytes: Uint8Array) => void): () => void {
    return this.messages.onTold(listener)
  }

  health(): Promise<LogHealth> {
    return this.persist('asking for its health', () => readHealth(this.session, this.names))
  }

  async close(): Promise<void> {
    await this.keeper?.release()
    this.closing.abort()
    await closeSession(this.session)
  }

  private async lastKnown(): Promise<number> {
    return (await this.session.manager.streams.info(this.names.entries)).state.last_seq
  }

  private lastOfKind(kind: string): Promise<number> {
    return lastOfSubject(this.session, this.names.entries, `${this.names.entrySubject}.${kind}`)
  }

  private persist<T>(what: string, attempt: () => Promise<T>): Promise<T> {
    return persist(attempt, { what, timeoutMs: this.session.timeoutMs, signal: this.closing.signal })
  }
}
