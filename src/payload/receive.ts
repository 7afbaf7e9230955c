import { setImmediate } from 'node:timers/promises'
import type { Result } from '../errors/index.js'
import { type PayloadFormat, PayloadIntake } from './intake.js'

/** Where the records of a payload go while they arrive. */
export interface PayloadSink {
  write(bytes: Uint8Array): Promise<void>
}

/** Records are handed to the sink when this many bytes have gathered. */
const FLUSH_BYTES = 1 << 20

/**
 * After so many bytes others get their turn: a millisecond or two. A client that sends fast would keep the thread for
 * ten times as long, since Node hands on up to 32 reads of one socket before it looks at the next.
 */
const TURN_BYTES = 128 << 10

/** Reads a documents body, checks it and writes its records to the sink. Answers the number of documents. */
export async function receivePayload(
  format: PayloadFormat,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sink: PayloadSink,
): Promise<Result<number>> {
  const intake = new PayloadIntake(format)
  const flush = () => sink.write(intake.take())
  let turnBytes = 0
  for await (const chunk of body) {
    const pushed = intake.push(chunk)
    if (!pushed.ok) return pushed
    if (intake.readyBytes >= FLUSH_BYTES) await flush()
    turnBytes += chunk.length
    if (turnBytes < TURN_BYTES) continue
    turnBytes = 0
    await setImmediate()
  }
  const ended = intake.end()
  if (ended.ok) await flush()
  return ended
}
