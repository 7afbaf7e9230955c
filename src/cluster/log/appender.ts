import { decodeEntry, encodeEntry } from './entry-codec.js'
import type { AppendOptions, NewEntry } from './model.js'
import { persist } from './persist.js'
import { LogMoved } from './problems.js'
import type { Session } from './session.js'
import { isWrongLastSequence, type StreamNames } from './streams.js'

/** Usual are single milliseconds. A leader that vanished is noticed by this silence, so it is short. */
const ATTEMPT_MS = 1_000

export class Appender {
  constructor(
    private readonly session: Session,
    private readonly names: StreamNames,
  ) {}

  append(entry: NewEntry, { after, timeoutMs = this.session.timeoutMs }: AppendOptions = {}): Promise<number> {
    const bytes = encodeEntry(entry)
    return persist(() => this.publish(entry.id, bytes, after), {
      what: 'appending',
      timeoutMs,
      signal: this.session.closed,
      isFinal: (error) => error instanceof LogMoved,
    })
  }

  private async publish(id: string, bytes: Buffer, after: number | undefined): Promise<number> {
    const { entries, entrySubject } = this.names
    const expect = { streamName: entries, lastSequence: after }
    try {
      const ack = await this.session.client.publish(entrySubject, bytes, { msgID: id, timeout: ATTEMPT_MS, expect })
      return ack.seq
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
