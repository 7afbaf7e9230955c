import { crc32 } from 'node:zlib'

/**
 * A message of the blob stream, with a checksum of its own:
 *
 * ```
 * sealed := version(u8 = 1) crc32(u32, of the content, highest byte first) content
 * ```
 *
 * The content is a chunk of a blob, or a `BlobRecord` as JSON.
 */
const VERSION = 1
const CONTENT_AT = 5

export interface BlobRecord {
  /** The chunks that hold the bytes belong to this upload. */
  readonly upload: string
  readonly sizeBytes: number
  readonly chunks: number
  /** Ids of all refs to the blob. None: it is being deleted. */
  readonly refs: readonly string[]
}

export function seal(content: Uint8Array): Buffer {
  const sealed = Buffer.allocUnsafe(CONTENT_AT + content.length)
  sealed[0] = VERSION
  sealed.writeUInt32BE(crc32(content), 1)
  sealed.set(content, CONTENT_AT)
  return sealed
}

/** A view of the content; undefined when it is damaged. */
export function unseal(bytes: Uint8Array): Buffer | undefined {
  const sealed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (sealed.length < CONTENT_AT || sealed[0] !== VERSION) return undefined
  const content = sealed.subarray(CONTENT_AT)
  return crc32(content) === sealed.readUInt32BE(1) ? content : undefined
}

export function encodeRecord(record: BlobRecord): Buffer {
  return seal(Buffer.from(JSON.stringify(record)))
}

export function decodeRecord(bytes: Uint8Array): BlobRecord | undefined {
  const content = unseal(bytes)
  // Sealed by `encodeRecord`, hence a record.
  return content === undefined ? undefined : (JSON.parse(content.toString()) as BlobRecord)
}
