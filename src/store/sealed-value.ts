import { crc32 } from 'node:zlib'

/**
 * A value with a checksum behind it, so that a damaged one is noticed before anything of it is used:
 *
 * ```
 * sealed := value crc16(u16)   value of less than 64 bytes
 *         | value crc32(u32)   value of 64 bytes or more
 * ```
 *
 * Numbers are written with their highest byte first. The length tells the form: nothing has 66 or 67 bytes. Most values
 * are tiny. A call into native code would cost more than they do, and two bytes less are a tenth of some indexes.
 */
const LONG_BYTES = 64
const SHORT_SEAL_BYTES = 2
const LONG_SEAL_BYTES = 4

/** Larger values get memory of their own, which nobody keeps. */
const MAX_SCRATCH_BYTES = 1 << 20

/** Seals one value after the other. */
export class Sealer {
  private scratch = Buffer.allocUnsafeSlow(1 << 14)

  /** The value with its seal: a view that is valid until the next call. */
  seal(value: Uint8Array): Buffer {
    const { length } = value
    const target = this.roomFor(length + LONG_SEAL_BYTES)
    if (length < LONG_BYTES) return sealShort(value, target)
    target.set(value)
    target.writeUInt32BE(crc32(value), length)
    return target.subarray(0, length + LONG_SEAL_BYTES)
  }

  private roomFor(bytes: number): Buffer {
    if (bytes <= this.scratch.length) return this.scratch
    if (bytes > MAX_SCRATCH_BYTES) return Buffer.allocUnsafeSlow(bytes)
    this.scratch = Buffer.allocUnsafeSlow(Math.min(bytes * 2, MAX_SCRATCH_BYTES))
    return this.scratch
  }
}

function sealShort(value: Uint8Array, target: Buffer): Buffer {
  const { length } = value
  let crc = CRC16_START
  for (let i = 0; i < length; i++) {
    const byte = value[i]!
    target[i] = byte
    crc = nextCrc16(crc, byte)
  }
  target[length] = crc >>> 8
  target[length + 1] = crc & 0xff
  return target.subarray(0, length + SHORT_SEAL_BYTES)
}

/** A view of the value of what was sealed, undefined when its seal is not that of the value. */
export function unseal(sealed: Buffer): Buffer | undefined {
  const { length } = sealed
  if (length < LONG_BYTES + SHORT_SEAL_BYTES) return unsealShort(sealed)
  const end = length - LONG_SEAL_BYTES
  if (end < LONG_BYTES) return undefined
  const value = sealed.subarray(0, end)
  const expected = ((sealed[end]! << 24) | (sealed[end + 1]! << 16) | (sealed[end + 2]! << 8) | sealed[end + 3]!) >>> 0
  return crc32(value) === expected ? value : undefined
}

function unsealShort(sealed: Buffer): Buffer | undefined {
  const end = sealed.length - SHORT_SEAL_BYTES
  if (end < 0) return undefined
  let crc = CRC16_START
  for (let i = 0; i < end; i++) crc = nextCrc16(crc, sealed[i]!)
  const expected = (sealed[end]! << 8) | sealed[end + 1]!
  return crc === expected ? sealed.subarray(0, end) : undefined
}

/**
 * x^16 + x^12 + x^5 + 1, begun with ones (CRC-16/IBM-3740): notices any three flipped bits and any damage within two
 * bytes. Half of a CRC32 would promise neither.
 */
const CRC16_START = 0xffff

const nextCrc16 = (crc: number, byte: number): number => ((crc & 0xff) << 8) ^ CRC16[(crc >>> 8) ^ byte]!

const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc & 0xffff
})
