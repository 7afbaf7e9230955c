import type { ErrorCode } from './catalogue.js'
import { type Failure, FailureError, failure, failureSaying } from './failure.js'

/** Codes by the name Node gives an operating-system error, and by the number LMDB reports (spec 1 §3.2). */
const CODES = new Map<unknown, ErrorCode>([
  ['EIO', 'io_error'],
  [5, 'io_error'],
  ['EMFILE', 'too_many_open_files'],
  [24, 'too_many_open_files'],
  ['ENOSPC', 'no_space_left_on_device'],
  [28, 'no_space_left_on_device'],
  // MDB_MAP_FULL, MDB_INVALID, MDB_VERSION_MISMATCH, MDB_CORRUPTED
  [-30792, 'database_size_limit_reached'],
  [-30793, 'invalid_store_file'],
  [-30794, 'invalid_store_file'],
  [-30796, 'invalid_store_file'],
])

const REASONS = new Map<ErrorCode, string>([
  ['io_error', 'The disk could not be read or written'],
  ['too_many_open_files', 'The process has too many open files'],
  ['no_space_left_on_device', 'There is no space left on the disk that holds the data.'],
  ['database_size_limit_reached', 'A database has reached its largest possible size.'],
  ['invalid_store_file', 'A file of the data folder is not a valid database.'],
])

/** The code of `CorruptBytes`. */
const DAMAGED = 'CORRUPT_BYTES'

/** Longest chain of causes that is looked at: a cause may point back at its own error. */
const MAX_CAUSES = 8

/**
 * What a user is told about a thrown error. Causes are looked at too. Messages of errors are not repeated but where
 * they say what is damaged: they may name paths, keys or documents; whoever catches the error logs it.
 */
export function failureFromSystemError(error: unknown): Failure {
  let current = error
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++, current = current.cause) {
    if (current instanceof FailureError) return current.failure
    const { code: name } = current as { code?: unknown }
    if (name === DAMAGED) return failure('internal', current.message)
    const code = CODES.get(name)
    if (code !== undefined) return failureSaying(code, failureMessage(code))
  }
  return failure('internal', 'an unexpected error, described in the log of the server.')
}

function failureMessage(code: ErrorCode): string {
  const reason = REASONS.get(code) ?? ''
  return failure(code as 'io_error', reason).message
}
