import { randomFillSync } from 'node:crypto'

/** In characters. */
export const UID_LENGTH = 36

const BYTES = 16
/** Asking the system for chance costs more than a search may: it is done for so many uids at once. */
const POOLED = 128

const pool = Buffer.alloc(BYTES * POOLED)
let next = pool.length

/** A UUID of version 7: 48 bits of milliseconds, then version, variant and 74 bits of chance. */
export function newUid(nowMs: number = Date.now()): string {
  if (next >= pool.length) {
    randomFillSync(pool)
    next = 0
  }
  const bytes = pool.subarray(next, next + BYTES)
  next += BYTES
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const digits = bytes.toString('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`
}
