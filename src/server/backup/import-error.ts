import { BadArchive } from '../../backup/index.js'
import { LaunchError } from '../../config/index.js'

/** A file at fault and a full disk are matters of the operator; all else is a surprise. */
export function importError(error: unknown, file: { kind: 'dump' | 'snapshot'; path: string }): unknown {
  const sentence = `The ${file.kind} ${file.path} cannot be imported`
  if (error instanceof BadArchive) return new LaunchError(`${sentence}: ${error.message}.`, { cause: error })
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined && code !== 'ENOSPC') return error
  return new LaunchError(`${sentence}: the system reports ${code}.`, { cause: error })
}
