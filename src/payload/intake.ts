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

interface Reader {
  readonly offset: number
  push(chunk: Uint8Array): void
  end(): void
}

/** Turns a documents body into records, chunk by chunk. Memory is bounded by the largest document. */
export class PayloadIntake {
  private readonly records = new RecordWriter()
  private readonly reader: Reader
  private receivedBytes = 0

  constructor(private readonly format: PayloadFormat) {
    this.reader = readerOf(format, this.records)
  }

  /** Bytes of records that were not taken yet. */
  get readyBytes(): number {
    return this.records.out.length
  }

  push(chunk: Uint8Array): Result<undefined> {
    this.receivedBytes += chunk.length
    return this.reading(() => this.reader.push(chunk))
  }

  /** The number of documents, once there are no more chunks. */
  end(): Result<number> {
    if (this.receivedBytes === 0) return fail('missing_payload', this.format.name)
    const read = this.reading(() => this.reader.end())
    return read.ok ? ok(this.records.count) : read
  }

  /** The records that are ready, in memory of their own. */
  take(): Uint8Array {
    return this.records.out.take()
  }

  private reading(step: () => void): Result<undefined> {
    try {
      step()
      return ok(undefined)
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error
      return fail('malformed_payload', malformed(this.format, error, this.reader))
    }
  }
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
