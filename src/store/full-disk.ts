import { statfsSync } from 'node:fs'

/** With less than this left, a write that came out short ran into the end of the disk. */
const FULL_BELOW_BYTES = 256 * 1024

/**
 * LMDB reports a write that came out short as a plain I/O error, also when the disk is full. Answers the error to throw:
 * the same one, or one that says so.
 */
export function describeWriteError(error: unknown, folder: string): unknown {
  const { code } = error as { code?: unknown }
  if ((code !== 5 && code !== 'EIO') || !isFull(folder)) return error
  return Object.assign(new Error('no space is left on the disk', { cause: error }), { code: 'ENOSPC' })
}

function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < FULL_BELOW_BYTES
}
