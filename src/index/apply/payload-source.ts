import { closeSync, openSync, readSync } from 'node:fs'
import { type PayloadRecord, readRecords } from '../../payload/index.js'

/** Where the records of a document addition are: in a file, or small enough to travel with the job. */
export type PayloadSource = { readonly path: string } | { readonly bytes: Uint8Array }

const CHUNK_BYTES = 1 << 20

/** Calls `visit` for each record, holding one chunk of the payload at a time. */
export function forEachRecord(source: PayloadSource, visit: (record: PayloadRecord) => void): void {
  if ('bytes' in source) {
    let chunk: Uint8Array | undefined = source.bytes
    const once = (): Uint8Array | undefined => {
      const given = chunk
      chunk = undefined
      return given
    }
    for (const record of readRecords(once)) visit(record)
    return
  }
  const file = openSync(source.path, 'r')
  try {
    for (const record of readRecords(() => readChunk(file))) visit(record)
  } finally {
    closeSync(file)
  }
}

function readChunk(file: number): Uint8Array | undefined {
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  const count = readSync(file, chunk, 0, CHUNK_BYTES, null)
  return count === 0 ? undefined : chunk.subarray(0, count)
}
