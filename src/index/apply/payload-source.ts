import { closeSync, openSync } from 'node:fs'
import {
  type PayloadRecord,
  type ReadMore,
  readPayloadFile,
  readRecords,
  streamPayloadFile,
} from '../../payload/index.js'

/** Where the records of a document addition are: in a file, or small enough to travel with the job. */
export type PayloadSource = { readonly path: string } | { readonly bytes: Uint8Array }

/**
 * The records one after the other, holding one chunk of the payload; each is valid until the next is asked for. Of a
 * damaged file there is none.
 */
export function recordsOf(source: PayloadSource): IterableIterator<PayloadRecord> {
  return 'bytes' in source ? readRecords(once(source.bytes)) : recordsOfFile(source.path, readPayloadFile)
}

/** Calls `visit` for each record. Damage to a file may show only behind the last of them: it is read just once. */
export function forEachRecord(source: PayloadSource, visit: (record: PayloadRecord) => void): void {
  const records = 'bytes' in source ? recordsOf(source) : recordsOfFile(source.path, streamPayloadFile)
  for (const record of records) visit(record)
}

function once(bytes: Uint8Array): () => Uint8Array | undefined {
  const chunks = [bytes]
  return () => chunks.pop()
}

function* recordsOfFile(path: string, read: (file: number) => ReadMore): IterableIterator<PayloadRecord> {
  const file = openSync(path, 'r')
  try {
    yield* readRecords(read(file))
  } finally {
    closeSync(file)
  }
}
