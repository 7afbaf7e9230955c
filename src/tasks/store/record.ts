import { CorruptBytes } from '../../bytes/index.js'

/** Stored tasks and batches: a version byte, then JSON. */
const VERSION = 1
/** One byte in UTF-8, so that a record is encoded in one go. */
const VERSION_CHARACTER = String.fromCharCode(VERSION)

export function encodeRecord(record: unknown): Buffer {
  return Buffer.from(VERSION_CHARACTER + JSON.stringify(record))
}

export function decodeRecord<T>(bytes: Buffer): T {
  if (bytes[0] !== VERSION) throw new CorruptBytes(`a record of the task store has version ${bytes[0]}`)
  return JSON.parse(bytes.toString('utf8', 1)) as T
}

export function uidKey(uid: number): Buffer {
  const key = Buffer.allocUnsafe(4)
  key.writeUInt32BE(uid)
  return key
}
