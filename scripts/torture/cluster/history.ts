import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import type { Operation } from './operations.js'

/** A write that was acknowledged. */
export interface Acknowledgement {
  /** Of `performance.now()`: when the client first sent it, and when it had the answer, after any number of attempts. */
  readonly sentAt: number
  readonly at: number
  /** How long the attempt took that was acknowledged. */
  readonly answeredMs: number
}

/** How a key may be found. `open`: nobody knows, because an attempt was not answered. */
export type KeyState = 'there' | 'gone' | 'open'

/** Everything that clients sent and were answered, also in a file, line by line. */
export class History {
  /** By the label of an attempt. */
  readonly attempts = new Map<string, Operation>()
  /** Task uid to label. */
  readonly acknowledged = new Map<number, string>()
  readonly acknowledgements: Acknowledgement[] = []
  readonly keys = new Map<string, KeyState>()
  readonly problems: string[] = []
  /** Attempts that were answered with something else than 202, by status and code. */
  readonly refusals = new Map<string, { readonly count: number; readonly slowestMs: number }>()
  unanswered = 0
  private readonly file: WriteStream

  constructor(path: string) {
    this.file = createWriteStream(path)
  }

  note(event: Readonly<Record<string, unknown>>): void {
    this.file.write(`${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`)
  }

  sent(label: string, operation: Operation, server: string): void {
    this.attempts.set(label, operation)
    this.note({ sent: label, server, operation })
  }

  acknowledge(label: string, uid: number, times: Acknowledgement): void {
    const other = this.acknowledged.get(uid)
    if (other !== undefined) this.problems.push(`task ${uid} was answered for ${other} and for ${label}`)
    this.acknowledged.set(uid, label)
    this.acknowledgements.push(times)
    this.note({ acknowledged: label, uid, ms: Math.round(times.answeredMs) })
  }

  refused(label: string, why: string, answeredMs: number): void {
    const { count, slowestMs } = this.refusals.get(why) ?? { count: 0, slowestMs: 0 }
    this.refusals.set(why, { count: count + 1, slowestMs: Math.max(slowestMs, answeredMs) })
    this.note({ refused: label, why, ms: Math.round(answeredMs) })
    if (why.startsWith('500')) this.problems.push(`${label} was answered ${why} at ${new Date().toISOString()}`)
  }

  lost(label: string, error: unknown): void {
    this.unanswered++
    this.note({ unanswered: label, why: String(error) })
  }

  key(uid: string, state: KeyState): void {
    this.keys.set(uid, state)
    this.note({ key: uid, state })
  }

  async close(): Promise<void> {
    this.file.end()
    await once(this.file, 'finish')
  }
}
