import { setImmediate } from 'node:timers/promises'
import { fail, ok, type Result } from '../errors/index.js'
import { CsvPayload } from './csv-payload.js'
import { JsonPayload } from './json-payload.js'
import { NdjsonPayload } from './ndjson-payload.js'
import { RecordWriter } from './record.js'
import { SyntaxProblem } from './syntax-problem.js'

export type PayloadFormat =
  | { readonly name: 'json' }
  | { readonly name: 'ndjson' }
  | { readonly name: 'csv'; readonly delimiter: string }

/** Where the records of a payload go while they arrive. Called with bytes that must be copied or written at once. */
export interface PayloadSink {
  write(bytes: Uint8Array): Promise<void>
}

interface Reader {
  readonly offset: number
  push(chunk: Uint8Array): void
  end(): void
}

/** Records are handed to the sink when this many bytes have gathered. */
const FLUSH_BYTES = 1 << 20

/**
 * After so many bytes others get their turn: a millisecond or two. A client that sends fast would keep the thread for
 * ten times as long, since Node hands on up to 32 reads of one socket before it looks at the next.
 */
const TURN_BYTES = 128 << 10

/**
 * Reads a documents body chunk by chunk, checks it and writes its records to the sink. Answers the number of
 * documents. Memory is bounded by the largest document.
 */
export async function receivePayload(
  format: PayloadFormat,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sink: PayloadSink,
): Promise<Result<number>> {
  const records = new RecordWriter()
  const reader = readerOf(format, records)
  let receivedBytes = 0
  let turnBytes = 0
  try {
    for await (const chunk of body) {
      receivedBytes += chunk.length
      turnBytes += chunk.length
      reader.push(chunk)
      if (records.out.length >= FLUSH_BYTES) await flush(records, sink)
      if (turnBytes < TURN_BYTES) continue
      turnBytes = 0
      await setImmediate()
    }
    if (receivedBytes === 0) return fail('missing_payload', format.name)
    reader.end()
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    return fail('malformed_payload', malformed(format, error, reader))
  }
  await flush(records, sink)
  return ok(records.count)
}

async function flush(records: RecordWriter, sink: PayloadSink): Promise<void> {
  await sink.write(records.out.view())
  records.out.clear()
}

function readerOf(format: PayloadFormat, records: RecordWriter): Reader {
  switch (format.name) {
    case 'json':
      return new JsonPayload(records)
    case 'ndjson':
      return new NdjsonPayload(records)
    case 'csv':
      return new CsvPayload(records, format.delimiter.charCodeAt(0))
  }
}

function malformed(format: PayloadFormat, problem: SyntaxProblem, reader: Reader): string {
  const place = format.name === 'csv' ? '' : `, near byte ${reader.offset + problem.at}`
  return `The ${format.name} payload cannot be read: ${problem.message}${place}.`
}
