import { crc32 } from 'node:zlib'
import type { LogEntry, NewEntry } from './model.js'

/**
 * An entry as it is stored, with a checksum of its own: a replica whose file was damaged hands out wrong bytes or none.
 *
 * ```
 * entry := version(u8 = 1) crc32(u32, of everything behind it) kindBytes(u8) idBytes(u8) kind id body
 * ```
 *
 * Numbers are written with their highest byte first; kind and id are ASCII. The sequence is the log's and not in it.
 */
const VERSION = 1
const CRC_AT = 1
const SEALED_AT = 5
const TEXTS_AT = 7

/** nats-server takes messages of 1 MiB by default, headers included. */
export const MAX_BODY_BYTES = 1_000_000

/** The id is sent as a header as well. */
const ID = /^[\x21-\x7e]{1,255}$/
/** The kind is part of the subject as well. */
const KIND = /^[a-z]{1,32}$/

export function encodeEntry({ id, kind, body }: NewEntry): Buffer {
  if (!ID.test(id)) throw new RangeError(`id: 1 to 255 printable characters without spaces, not ${JSON.stringify(id)}`)
  if (!KIND.test(kind)) throw new RangeError(`kind: 1 to 32 lower-case letters, not ${JSON.stringify(kind)}`)
  if (body.length > MAX_BODY_BYTES) throw new RangeError(`body: at most ${MAX_BODY_BYTES} bytes, not ${body.length}`)
  const entry = Buffer.allocUnsafe(TEXTS_AT + kind.length + id.length + body.length)
  entry[0] = VERSION
  entry[SEALED_AT] = kind.length
  entry[SEALED_AT + 1] = id.length
  entry.write(kind + id, TEXTS_AT, 'latin1')
  entry.set(body, TEXTS_AT + kind.length + id.length)
  entry.writeUInt32BE(crc32(entry.subarray(SEALED_AT)), CRC_AT)
  return entry
}

/** The entry, its body a view of `bytes`; undefined when they are damaged. */
export function decodeEntry(sequence: number, bytes: Uint8Array): LogEntry | undefined {
  const entry = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (entry.length < TEXTS_AT || entry[0] !== VERSION) return undefined
  if (crc32(entry.subarray(SEALED_AT)) !== entry.readUInt32BE(CRC_AT)) return undefined
  const idAt = TEXTS_AT + entry[SEALED_AT]!
  const bodyAt = idAt + entry[SEALED_AT + 1]!
  return {
    sequence,
    kind: entry.toString('latin1', TEXTS_AT, idAt),
    id: entry.toString('latin1', idAt, bodyAt),
    body: entry.subarray(bodyAt),
  }
}
