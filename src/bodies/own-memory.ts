/** What sockets and decompressors hand over at once, at most. */
const CHUNK_BYTES = 64 * 1024

/**
 * The bytes in memory that can be given to another thread. Short bodies may be views of a chunk that others have parts
 * of too; longer ones were gathered here.
 */
export function ownMemory(bytes: Uint8Array): Uint8Array {
  const isOwn = bytes.byteOffset === 0 && (bytes.length > CHUNK_BYTES || bytes.length === bytes.buffer.byteLength)
  return isOwn ? bytes : new Uint8Array(bytes)
}
