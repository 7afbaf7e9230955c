import { closeSync, openSync } from 'node:fs'
import type { PayloadSource } from '../index/index.js'
import { documentLine, type ReadMore, readRecords, streamPayloadFile } from '../payload/index.js'

/** A piece of the answer is sent when it has grown to this. */
const SENT_BYTES = 1 << 16

/**
 * The documents of a payload, one JSON object a line, in pieces; undefined when the payload is gone. Documents that
 * were received but can never be stored are left out: nothing is kept of them.
 */
export function documentLines(source: PayloadSource): AsyncIterable<Uint8Array> | undefined {
  if ('bytes' in source) return lines(once(source.bytes))
  const file = openIfThere(source.path)
  return file === undefined ? undefined : linesOfFile(file)
}

function once(bytes: Uint8Array): ReadMore {
  const chunks = [bytes]
  return () => chunks.pop()
}

/** The task may end, and its payload go, at any moment; a file that is open stays readable. */
function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function* linesOfFile(file: number): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* lines(streamPayloadFile(file))
  } finally {
    closeSync(file)
  }
}

async function* lines(readMore: ReadMore): AsyncGenerator<Uint8Array, void, void> {
  let parts: Uint8Array[] = []
  let bytes = 0
  for (const record of readRecords(readMore)) {
    if (!('document' in record)) continue
    // A copy, since the record is a view that the next one overwrites.
    const line = documentLine(record.document)
    parts.push(line)
    bytes += line.length
    if (bytes < SENT_BYTES) continue
    yield Buffer.concat(parts, bytes)
    parts = []
    bytes = 0
  }
  yield Buffer.concat(parts, bytes)
}
