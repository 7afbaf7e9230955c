import { CorruptBytes } from '../../bytes/index.js'

/** Stored tasks and batches: a version byte, then JSON. */
const VERSION = 1

export function encodeRecord(record: unknown): Buffer {
  const json = JSON.stringify(record)
  const bytes = Buffer.allocUnsafe(1 + Buffer.byteLength(json))
  bytes[0] = VERSION
  bytes.write(json, 1, 'utf8')
  return bytes
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
