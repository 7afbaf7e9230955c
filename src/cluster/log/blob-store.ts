import { createHash, randomUUID } from 'node:crypto'
import { type BlobRecord, decodeRecord, encodeRecord, seal, unseal } from './blob-codec.js'
import { findStored } from './find-stored.js'
import { inChunks } from './in-chunks.js'
import type { BlobRef } from './model.js'
import { persist } from './persist.js'
import { LogDamaged } from './problems.js'
import type { Session } from './session.js'
import type { StreamNames } from './streams.js'

/** nats-server takes messages of 1 MiB by default, headers included. */
const CHUNK_BYTES = 1_000_000
/** So many chunks are on their way at once, in either direction. */
const IN_FLIGHT = 4
/** A chunk takes longer than an entry, and a disk that syncs each of them may be slow. */
const ATTEMPT_MS = 5_000

/**
 * Bytes in chunks, each a message with a subject of its own:
 *
 * - `<blob>.chunk.<upload>.<i>`: one chunk, sealed
 * - `<blob>.record.<sha256>`: which upload holds the bytes with this hash, and the ids of all refs to it
 *
 * A hash is known when all chunks are stored. If there is a record of it already, the new upload is thrown away and the ref
 * joins those of the record. The record changes by compare-and-set alone: a blob is never deleted while somebody joins.
 */
export class BlobStore {
  constructor(
    private readonly session: Session,
    private readonly names: StreamNames,
  ) {}

  async put(bytes: AsyncIterable<Uint8Array>): Promise<BlobRef> {
    const upload = randomUUID()
    const { sha256, ...mine } = await this.upload(upload, bytes)
    const ref: BlobRef = { id: randomUUID(), sha256, sizeBytes: mine.sizeBytes }
    // If this fails the record may have been written: the chunks have to stay.
    const record = await this.join(ref, { upload, ...mine, refs: [] })
    if (record.upload !== upload) await this.purge(this.chunkSubject(upload, '*'))
    return ref
  }

  async *open(ref: BlobRef): AsyncIterable<Uint8Array> {
    const record = await this.recordFor(ref)
    const hash = createHash('sha256')
    let sizeBytes = 0
    for await (const chunk of this.chunks(ref, record)) {
      hash.update(chunk)
      sizeBytes += chunk.length
      yield chunk
    }
    const isSame = sizeBytes === ref.sizeBytes && hash.digest('hex') === ref.sha256
    if (!isSame) throw damaged(ref, 'has other bytes than were put')
  }

  /** The record goes last: a deletion that was interrupted is completed by the next one. */
  async delete(ref: BlobRef): Promise<void> {
    const { record, sequence } = await this.leave(ref)
    if (record === undefined || record.refs.length > 0) return
    await this.purge(this.chunkSubject(record.upload, '*'))
    await this.purge(this.recordSubject(ref.sha256), sequence)
  }

  private async upload(upload: string, bytes: AsyncIterable<Uint8Array>) {
    try {
      return await this.send(upload, bytes)
    } catch (error) {
      await this.purge(this.chunkSubject(upload, '*')).catch(() => {})
      throw error
    }
  }

  private async send(upload: string, bytes: AsyncIterable<Uint8Array>) {
    const hash = createHash('sha256')
    const sending: Promise<unknown>[] = []
    let sizeBytes = 0
    let chunks = 0
    for await (const chunk of inChunks(bytes, CHUNK_BYTES)) {
      hash.update(chunk)
      sizeBytes += chunk.length
      sending.push(unwatched(this.store(this.chunkSubject(upload, chunks++), seal(chunk))))
      if (sending.length === IN_FLIGHT) await sending.shift()
    }
    await Promise.all(sending)
    return { sha256: hash.digest('hex'), sizeBytes, chunks }
  }

  private async *chunks(ref: BlobRef, { upload, chunks }: BlobRecord): AsyncIterable<Uint8Array> {
    const coming: Promise<Uint8Array>[] = []
    for (let asked = 0, got = 0; got < chunks; got++) {
      while (asked < chunks && coming.length < IN_FLIGHT) coming.push(unwatched(this.chunk(ref, upload, asked++)))
      yield await coming.shift()!
    }
  }

  private async chunk(ref: BlobRef, upload: string, index: number): Promise<Uint8Array> {
    const chunk = await this.find(this.chunkSubject(upload, index), unseal)
    if (chunk === undefined) throw damaged(ref, `lacks chunk ${index}`)
    return chunk
  }

  private async recordFor(ref: BlobRef): Promise<BlobRecord> {
    const record = await this.find(this.recordSubject(ref.sha256), (bytes) => {
      const found = decodeRecord(bytes)
      // A replica that lags may not know of this ref yet.
      return found?.refs.includes(ref.id) ? found : undefined
    })
    if (record === undefined) throw damaged(ref, 'is not there')
    return record
  }

  /** From any replica, which is fast and works without a leader, or from all of them. */
  private async find<T>(subject: string, decode: (bytes: Uint8Array) => T | undefined): Promise<T | undefined> {
    const { session } = this
    const query = { last_by_subj: subject }
    const near = await session.manager.direct.getMessage(this.names.blobs, query).catch(() => null)
    const found = near === null ? undefined : decode(near.data)
    if (found !== undefined) return found
    const accept = ({ data }: { data: Uint8Array }) => decode(data)
    return findStored(session, { stream: this.names.blobs, query, accept, signal: session.closed })
  }

  private async join(ref: BlobRef, mine: BlobRecord): Promise<BlobRecord> {
    const { record } = await this.change(ref.sha256, (present) => {
      if (present?.refs.includes(ref.id)) return present
      const base = present === undefined || present.refs.length === 0 ? mine : present
      return { ...base, refs: [...base.refs, ref.id] }
    })
    return record ?? mine
  }

  private leave(ref: BlobRef): Promise<VersionedRecord> {
    return this.change(ref.sha256, (present) =>
      present?.refs.includes(ref.id) ? { ...present, refs: present.refs.filter((id) => id !== ref.id) } : present,
    )
  }

  /** Tries again until nobody else has changed the record meanwhile. Nothing is written if `decide` returns what it got. */
  private change(
    sha256: string,
    decide: (present: BlobRecord | undefined) => BlobRecord | undefined,
  ): Promise<VersionedRecord> {
    const subject = this.recordSubject(sha256)
    return this.persist(async () => {
      const stored = await this.session.manager.streams.getMessage(this.names.blobs, { last_by_subj: subject })
      const present = stored === null ? undefined : decodeRecord(stored.data)
      const sequence = stored?.seq ?? 0
      const record = decide(present)
      if (record === present || record === undefined) return { record, sequence }
      return { record, sequence: await this.publish(subject, encodeRecord(record), sequence) }
    })
  }

  private store(subject: string, bytes: Buffer): Promise<number> {
    return this.persist(() => this.publish(subject, bytes))
  }

  private publish(subject: string, bytes: Buffer, lastSubjectSequence?: number): Promise<number> {
    const expect = { streamName: this.names.blobs, lastSubjectSequence }
    return this.session.publish(subject, bytes, { timeout: ATTEMPT_MS, expect })
  }

  private async purge(subject: string, upTo?: number): Promise<void> {
    const what = upTo === undefined ? { filter: subject } : { filter: subject, seq: upTo + 1 }
    await this.persist(() => this.session.manager.streams.purge(this.names.blobs, what))
  }

  private persist<T>(attempt: () => Promise<T>): Promise<T> {
    const { timeoutMs, closed } = this.session
    return persist(attempt, { what: 'storing a blob', timeoutMs, signal: closed })
  }

  private chunkSubject(upload: string, index: number | '*'): string {
    return `${this.names.blobSubject}.chunk.${upload}.${index}`
  }

  private recordSubject(sha256: string): string {
    return `${this.names.blobSubject}.record.${sha256}`
  }
}

interface VersionedRecord {
  readonly record: BlobRecord | undefined
  readonly sequence: number
}

/** Somebody awaits it later: until then a rejection is nobody's fault. */
function unwatched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

const damaged = (ref: BlobRef, how: string) => new LogDamaged(`the blob ${ref.sha256} ${how}`)
