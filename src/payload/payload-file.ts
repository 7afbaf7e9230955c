import { fstatSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { CorruptBytes } from '../bytes/index.js'
import type { ReadMore } from './record.js'

/**
 * A payload in a file has a seal behind it, so that a damaged one is noticed before anything of it is used:
 *
 * ```
 * file := payload seal
 * seal := "seal" crc32(u32, of the payload)
 * ```
 *
 * A file whose end is something else was written without a seal. It is read as it is: the mark of a seal, taken for the
 * length of a record, is longer than any file, so a damaged mark is noticed as well.
 */
const MARK = Buffer.from('seal')
const SEAL_BYTES = MARK.length + 4

const CHUNK_BYTES = 1 << 20

/** Makes the seal of bytes that pass by. */
export class PayloadSeal {
  private crc = 0

  add(bytes: Uint8Array): void {
    // Of no bytes in memory of no size, as they come from other threads, zlib says 0 whatever was before.
    if (bytes.length > 0) this.crc = crc32(bytes, this.crc)
  }

  /** Of all bytes so far. */
  bytes(): Buffer {
    const seal = Buffer.alloc(SEAL_BYTES)
    MARK.copy(seal)
    seal.writeUInt32BE(this.crc, MARK.length)
    return seal
  }
}

/** The payload in an open file, in chunks. All of it is read first: throws `CorruptBytes` unless it is as written. */
export function readPayloadFile(file: number): ReadMore {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  const check = checkedChunks(file, () => buffer)
  while (check() !== undefined);
  return streamPayloadFile(file)
}

/** The same without a delay: damage shows at the end, or earlier. */
export function streamPayloadFile(file: number): ReadMore {
  return checkedChunks(file, () => Buffer.allocUnsafeSlow(CHUNK_BYTES))
}

function checkedChunks(file: number, buffer: () => Buffer): ReadMore {
  const { size } = fstatSync(file)
  const expected = sealedCrc(file, size)
  const readMore = chunksOf(file, expected === undefined ? size : size - SEAL_BYTES, buffer)
  let crc = 0
  return () => {
    const chunk = readMore()
    if (chunk !== undefined) crc = crc32(chunk, crc)
    else if (expected !== undefined && crc !== expected) throw new CorruptBytes('a payload does not match its seal')
    return chunk
  }
}

function sealedCrc(file: number, size: number): number | undefined {
  if (size < SEAL_BYTES) return undefined
  const seal = Buffer.alloc(SEAL_BYTES)
  readSync(file, seal, 0, SEAL_BYTES, size - SEAL_BYTES)
  return seal.subarray(0, MARK.length).equals(MARK) ? seal.readUInt32BE(MARK.length) : undefined
}

function chunksOf(file: number, sizeBytes: number, buffer: () => Buffer): ReadMore {
  let at = 0
  return () => {
    if (at >= sizeBytes) return undefined
    const chunk = buffer()
    const count = readSync(file, chunk, 0, Math.min(CHUNK_BYTES, sizeBytes - at), at)
    if (count === 0) throw new CorruptBytes('a payload became shorter')
    at += count
    return chunk.subarray(0, count)
  }
}
