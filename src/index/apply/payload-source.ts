import { closeSync, openSync } from 'node:fs'
import { type PayloadRecord, readPayloadFile, readRecords } from '../../payload/index.js'

/** Where the records of a document addition are: in a file, or small enough to travel with the job. */
export type PayloadSource = { readonly path: string } | { readonly bytes: Uint8Array }

/** Calls `visit` for each record, holding one chunk of the payload at a time. */
export function forEachRecord(source: PayloadSource, visit: (record: PayloadRecord) => void): void {
  for (const record of recordsOf(source)) visit(record)
}

/** The records one after the other; each is valid until the next is asked for. */
export function recordsOf(source: PayloadSource): IterableIterator<PayloadRecord> {
  return 'bytes' in source ? readRecords(once(source.bytes)) : recordsOfFile(source.path)
}

function once(bytes: Uint8Array): () => Uint8Array | undefined {
  const chunks = [bytes]
  return () => chunks.pop()
}

function* recordsOfFile(path: string): IterableIterator<PayloadRecord> {
  const file = openSync(path, 'r')
  try {
    yield* readRecords(readPayloadFile(file))
  } finally {
    closeSync(file)
  }
}
