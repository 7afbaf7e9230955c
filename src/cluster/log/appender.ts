import { decodeEntry, encodeEntry } from './entry-codec.js'
import type { AppendOptions, LogEntry, NewEntry } from './model.js'
import { persist } from './persist.js'
import { LogMoved } from './problems.js'
import type { Session } from './session.js'
import { isWrongLastSequence, type StreamNames } from './streams.js'

/**
 * Usual are single milliseconds. A leader that vanished is noticed by silence, so the first attempt is short. Later ones are
 * longer: servers that are merely slow should not get everything many times.
 */
const FIRST_ATTEMPT_MS = 300
const LONGEST_ATTEMPT_MS = 2_000

interface Attempt {
  readonly entry: NewEntry
  readonly bytes: Buffer
  readonly after: number | undefined
  readonly attemptMs: number
}

export class Appender {
  constructor(
    private readonly session: Session,
    private readonly names: StreamNames,
  ) {}

  append(entry: NewEntry, { after, timeoutMs = this.session.timeoutMs }: AppendOptions = {}): Promise<number> {
    const bytes = encodeEntry(entry)
    let attemptMs = FIRST_ATTEMPT_MS
    const attempt = async (): Promise<number> => {
      const started = performance.now()
      try {
        return await this.publish({ entry, bytes, after, attemptMs })
      } catch (error) {
        const wasSilent = performance.now() - started >= attemptMs
        if (wasSilent) attemptMs = Math.min(2 * attemptMs, LONGEST_ATTEMPT_MS)
        throw error
      }
    }
    return persist(attempt, {
      what: 'appending',
      timeoutMs,
      signal: this.session.closed,
      isFinal: (error) => error instanceof LogMoved,
    })
  }

  private async publish({ entry, bytes, after, attemptMs }: Attempt): Promise<number> {
    const { entries, entrySubject } = this.names
    const subject = `${entrySubject}.${entry.kind}`
    const expect = { streamName: entries, lastSubjectSequence: after }
    try {
      return await this.session.publish(subject, bytes, { msgID: entry.id, timeout: attemptMs, expect })
    } catch (error) {
      if (after === undefined || !isWrongLastSequence(error)) throw error
      const next = await this.following(subject, after)
      // The place is promised but nothing is stored there yet. That may still fail, or be an earlier attempt of this append.
      if (next === undefined) throw error
      // An attempt before this one may have succeeded without an answer. Then it is what the log has moved by.
      if (next.id !== entry.id) throw new LogMoved(entry.kind, after)
      return next.sequence
    }
  }

  /** The entry of a subject that comes after a sequence. */
  private async following(subject: string, after: number): Promise<LogEntry | undefined> {
    const query = { seq: after + 1, next_by_subj: subject }
    const stored = await this.session.manager.streams.getMessage(this.names.entries, query)
    return stored === null ? undefined : decodeEntry(stored.seq, stored.data)
  }
}
