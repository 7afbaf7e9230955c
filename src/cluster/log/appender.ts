import { decodeEntry, encodeEntry } from './entry-codec.js'
import type { AppendOptions, NewEntry } from './model.js'
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
  readonly id: string
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
        return await this.publish({ id: entry.id, bytes, after, attemptMs })
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

  private async publish({ id, bytes, after, attemptMs }: Attempt): Promise<number> {
    const { entries, entrySubject } = this.names
    const expect = { streamName: entries, lastSequence: after }
    try {
      return await this.session.publish(entrySubject, bytes, { msgID: id, timeout: attemptMs, expect })
    } catch (error) {
      if (after === undefined || !isWrongLastSequence(error)) throw error
      // An attempt before this one may have succeeded without an answer. Then it is what the log has moved by.
      if (await this.isAt(after + 1, id)) return after + 1
      throw new LogMoved(after)
    }
  }

  private async isAt(sequence: number, id: string): Promise<boolean> {
    const stored = await this.session.manager.streams.getMessage(this.names.entries, { seq: sequence })
    return stored !== null && decodeEntry(sequence, stored.data)?.id === id
  }
}
