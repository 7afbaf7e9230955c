/** One entry of the log. */
export interface LogEntry {
  /** Sequences begin at 1 and have no holes. */
  readonly sequence: number
  readonly id: string
  readonly kind: string
  readonly body: Uint8Array
}

export interface NewEntry {
  /** Appending the same id again within five minutes is one entry. Printable ASCII without spaces, 1 to 255. */
  readonly id: string
  /** 1 to 32 lower-case letters. Each kind is compared and set on its own. */
  readonly kind: string
  /** At most `MAX_BODY_BYTES`; what is longer belongs in a blob. */
  readonly body: Uint8Array
}

export interface AppendOptions {
  /** Append only if this, a sequence of the entry's kind, is the last of that kind. 0: only if there is none. */
  readonly after?: number
  /** How long to wait for a majority. Default 30,000. */
  readonly timeoutMs?: number
}

export interface ReadOptions {
  /** Ends the reading: the iteration is over, without an error. */
  readonly signal: AbortSignal
  /** Asked for an entry that no replica of the log has undamaged. */
  readonly repair?: (sequence: number) => Promise<LogEntry | undefined>
}

/** Names one putting of bytes: two refs to the same bytes share what is stored, which stays until both are deleted. */
export interface BlobRef {
  readonly id: string
  /** In hexadecimal. */
  readonly sha256: string
  readonly sizeBytes: number
}

export interface Lease {
  /** Whether this member holds the lease at this instant. False as soon as a renewal is overdue. */
  readonly isHeld: boolean
  /** Who holds it, as far as this member knows. */
  holder(): string | undefined
  /**
   * How long ago a majority of the log's servers showed that it is there and that this member reaches it: the lease was
   * renewed, by whomever. Infinite before the first time.
   */
  readonly provenMs: number
  /** Calls the listener whenever `isHeld` or `holder()` has changed. The returned function ends that. */
  onChange(listener: () => void): () => void
  /** Gives the lease up and lets others have it for so long. */
  standAside(ms: number): Promise<void>
  /** Gives the lease up for good, so that another member gets it at once. */
  release(): Promise<void>
}

export interface ReplicaHealth {
  readonly name: string
  readonly isLeader: boolean
  /** Has everything that is committed, as far as the leader knows. */
  readonly isCurrent: boolean
  readonly isOffline: boolean
  /** Entries that it lacks. */
  readonly lag: number
}

export interface LogHealth {
  /** Undefined while there is none. */
  readonly leader: string | undefined
  readonly replicas: readonly ReplicaHealth[]
  readonly firstSequence: number
  readonly lastSequence: number
  readonly messages: number
  readonly bytes: number
  readonly blobBytes: number
}

/** A durable log that a majority of replicas agrees on, and blobs beside it. */
export interface ReplicatedLog {
  /** Tells this log from others that have its name, such as one that was made when it was lost. */
  readonly identity: string
  /**
   * Resolves with the sequence once a majority has the entry on disk. The same id appended again is one entry and answers
   * the same sequence. Waits through elections by trying again with the same id.
   *
   * With `after` it is compare-and-set for each kind: of any number of writers that append entries of one kind after the same
   * sequence, one succeeds, whatever is appended of other kinds meanwhile. The others are rejected with `LogMoved`, and their
   * entries never get into the log.
   *
   * Rejects with `LogUnavailable` when no majority answered in time. Then the entry may be in the log or may still get there.
   */
  append(entry: NewEntry, options?: AppendOptions): Promise<number>
  /**
   * Entries from a sequence on, in their order, none left out, endless until `signal`. A damaged or missing one is asked
   * for again from the leader, then from each replica, then from `repair`. Throws `LogDamaged` if nobody has it, and
   * `LogTrimmed` if the log begins later.
   */
  read(from: number, options: ReadOptions): AsyncIterable<LogEntry>
  /**
   * The last sequence that the leader knows of, or the last of a kind; 0 if there is none. Others may append meanwhile: decide
   * by `append` with `after` alone.
   */
  last(kind?: string): Promise<number>
  /** Stores bytes of any length. Putting the same bytes again stores them once. */
  putBlob(bytes: AsyncIterable<Uint8Array>): Promise<BlobRef>
  /** The bytes in pieces. Throws `LogDamaged` if they are not there or not the same, at the latest at their end. */
  openBlob(ref: BlobRef): AsyncIterable<Uint8Array>
  /** Deleting twice is deleting once. */
  deleteBlob(ref: BlobRef): Promise<void>
  /**
   * Forgets entries below a sequence, which is at most one beyond the last, and blobs whose putting was never completed. The
   * last entry of every kind stays, because the next of its kind is compared with it, and so does everything behind the
   * earliest of these: a kind that is rarely appended holds the log back until it is appended again. Answers the first
   * sequence that is left.
   */
  trim(below: number): Promise<number>
  /** Competes for the lease in the background from now on. One lease for each opened log. */
  lease(member: string): Lease
  /**
   * Sends bytes, at most `MAX_BODY_BYTES`, to all other members that listen now. Nothing is stored and nobody answers: what is
   * told while there is no server to send to, or no member to hear it, is lost. Never throws.
   */
  tell(bytes: Uint8Array): void
  /** Calls the listener with what other members tell from now on, in the order of each. The returned function ends that. */
  onTold(listener: (bytes: Uint8Array) => void): () => void
  health(): Promise<LogHealth>
  /** Ends readers, gives up the lease and disconnects. */
  close(): Promise<void>
}

export type LogCredentials =
  | { readonly user: string; readonly password: string }
  | { readonly token: string }
  /** The path of a `.creds` file. */
  | { readonly credentialsFile: string }

export interface LogTls {
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

export interface LogOptions {
  /** `host:port` or `nats://host:port` of each nats-server. */
  readonly servers: readonly string[]
  /** Of the streams: letters, digits, `-` and `_`. */
  readonly name: string
  readonly replicas: number
  /** `http://host:port` of the monitoring port of each nats-server, which alone says whether it syncs every write. */
  readonly monitors?: readonly string[]
  readonly credentials?: LogCredentials
  readonly tls?: LogTls
  /** Reject with `LogMissing` if there is no log yet, instead of making one. */
  readonly mustExist?: boolean
  /** The first sequence of a log that has to be made. Default 1. */
  readonly firstSequence?: number
  /** Accept servers that acknowledge before data is on disk: a power cut may lose what was acknowledged. */
  readonly allowLazySync?: boolean
  /** How long opening, and whatever needs a majority later, waits for one. Default 30,000. */
  readonly timeoutMs?: number
}
