import type {
  AppendOptions,
  BlobRef,
  Lease,
  LogEntry,
  LogHealth,
  NewEntry,
  ReadOptions,
  ReplicatedLog,
} from '../log/model.js'
import { LogMoved, LogUnavailable } from '../log/problems.js'
import { SimulatedLease } from './lease.fake.js'
import type { Process } from './process.fixture.js'
import type { SimulatedStream } from './stream.fake.js'
import { StreamClient } from './stream-client.fake.js'

const FIRST_ATTEMPT_MS = 300
const LONGEST_ATTEMPT_MS = 2_000
const LOOK_MS = 1_000

/** The log as one process has it open. */
export class SimulatedLog implements ReplicatedLog {
  readonly identity = 'simulated'
  private readonly client: StreamClient
  private readonly closing = new AbortController()
  private held: SimulatedLease | undefined

  constructor(
    private readonly stream: SimulatedStream,
    private readonly name: string,
    private readonly process: Process,
  ) {
    this.client = new StreamClient(stream, name, process)
  }

  /** Tries again with the same id, as the real one does: an answer may be lost after the effect. */
  async append(entry: NewEntry, { after, timeoutMs = 30_000 }: AppendOptions = {}): Promise<number> {
    const end = this.process.now() + timeoutMs
    for (let attemptMs = FIRST_ATTEMPT_MS; ; attemptMs = Math.min(2 * attemptMs, LONGEST_ATTEMPT_MS)) {
      const appended = await this.client
        .request(() => this.stream.append(entry, after), attemptMs)
        .catch(() => undefined)
      if (appended !== undefined && 'isMoved' in appended) throw new LogMoved(entry.kind, after!)
      if (appended !== undefined) return appended.sequence
      if (this.process.now() + 20 >= end) throw new LogUnavailable('appending: no majority answered')
      await this.process.wait(20)
    }
  }

  async *read(from: number, { signal }: ReadOptions): AsyncIterable<LogEntry> {
    const { random, faults } = this.stream.options
    for (let next = from; !signal.aborted; ) {
      const { length } = this.stream.entries
      if (next > length || this.stream.isCutOff(this.name)) await this.somethingNew(signal)
      else {
        await this.process.pause(
          random.chance(faults.slowReads) ? random.between(100, 15_000) : this.stream.delayMs(),
          signal,
        )
        if (random.chance(faults.lostMessages / 10)) throw new LogUnavailable('reading')
        for (; next <= length && !signal.aborted; next++) yield this.stream.entries[next - 1]!
      }
    }
  }

  private somethingNew(signal: AbortSignal): Promise<void> {
    const { readers } = this.stream
    return new Promise((resolve) => {
      const wake = (): void => {
        readers.delete(wake)
        signal.removeEventListener('abort', wake)
        cancel()
        resolve()
      }
      const cancel = this.process.after(LOOK_MS, wake)
      readers.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  async last(kind?: string): Promise<number> {
    return this.client.request(() => this.stream.last(kind), 2_000, kind === undefined)
  }

  async putBlob(bytes: AsyncIterable<Uint8Array>): Promise<BlobRef> {
    const pieces: Uint8Array[] = []
    for await (const piece of bytes) pieces.push(piece)
    const id = this.process.newId()
    this.stream.blobs.set(id, Buffer.concat(pieces))
    return { id, sha256: '', sizeBytes: this.stream.blobs.get(id)!.length }
  }

  async *openBlob({ id }: BlobRef): AsyncIterable<Uint8Array> {
    yield this.stream.blobs.get(id)!
  }

  async deleteBlob({ id }: BlobRef): Promise<void> {
    this.stream.blobs.delete(id)
  }

  /** No run lasts long enough for something to be trimmed. */
  async trim(): Promise<number> {
    return 1
  }

  lease(member: string): Lease {
    this.held = new SimulatedLease(this.stream, this.client, {
      member,
      process: this.process,
      signal: this.closing.signal,
    })
    return this.held
  }

  tell(bytes: Uint8Array): void {
    this.client.tell(bytes)
  }

  onTold(hear: (bytes: Uint8Array) => void): () => void {
    this.stream.listeners.set(this.name, { process: this.process, hear })
    return () => this.stream.listeners.delete(this.name)
  }

  async health(): Promise<LogHealth> {
    const lastSequence = this.stream.entries.length
    return {
      leader: undefined,
      replicas: [],
      firstSequence: 1,
      lastSequence,
      messages: lastSequence,
      bytes: 0,
      blobBytes: 0,
    }
  }

  async close(): Promise<void> {
    await this.held?.release()
    this.closing.abort()
  }
}
