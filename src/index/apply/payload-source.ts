import { closeSync, openSync, statSync } from 'node:fs'
import {
  type PayloadRecord,
  type ReadMore,
  RecordReader,
  readPayloadFile,
  readRecords,
  streamPayloadFile,
} from '../../payload/index.js'

/** Where the records of a document addition are: in a file, or small enough to travel with the job. */
export type PayloadSource = { readonly path: string } | { readonly bytes: Uint8Array }

/** Of a file that is missing nothing: whoever reads it says so. */
export function sizeOfSource(source: PayloadSource): number {
  return 'bytes' in source ? source.bytes.length : (statSync(source.path, { throwIfNoEntry: false })?.size ?? 0)
}

/**
 * The records one after the other, holding one chunk of the payload; each is valid until the next is asked for. Of a
 * damaged file there is none.
 */
export function recordsOf(source: PayloadSource): IterableIterator<PayloadRecord> {
  return 'bytes' in source ? readRecords(once(source.bytes)) : recordsOfFile(source.path, readPayloadFile)
}

/** Calls `visit` for each record. Damage to a file may show only behind the last of them: it is read just once. */
export function forEachRecord(source: PayloadSource, visit: (record: PayloadRecord) => void): void {
  if ('bytes' in source) visitAll(once(source.bytes), visit)
  else withFile(source.path, (file) => visitAll(streamPayloadFile(file), visit))
}

/** The ids of a deletion, wherever they are. */
export function idsOf(source: readonly string[] | PayloadSource): readonly string[] {
  if (!('bytes' in source) && !('path' in source)) return source
  const bytes = 'bytes' in source ? source.bytes : withFile(source.path, (file) => wholeOf(readPayloadFile(file)))
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as string[]
}

/** Chunks may be views that the next one overwrites. */
function wholeOf(readMore: ReadMore): Uint8Array {
  const chunks: Uint8Array[] = []
  for (let chunk = readMore(); chunk !== undefined; chunk = readMore()) chunks.push(Uint8Array.from(chunk))
  return Buffer.concat(chunks)
}

/** Undefined when there is none. Damage behind it is not seen. */
export function firstRecord(source: PayloadSource): PayloadRecord | undefined {
  if ('bytes' in source) return new RecordReader(once(source.bytes)).next()
  return withFile(source.path, (file) => new RecordReader(streamPayloadFile(file)).next())
}

/** No generator: of those each record would cost as much as reading it does. */
function visitAll(readMore: ReadMore, visit: (record: PayloadRecord) => void): void {
  const reader = new RecordReader(readMore)
  for (let record = reader.next(); record !== undefined; record = reader.next()) visit(record)
}

function withFile<T>(path: string, work: (file: number) => T): T {
  const file = openSync(path, 'r')
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
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
