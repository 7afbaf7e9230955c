import { availableParallelism, hostname, totalmem } from 'node:os'

/** What the defaults of limits are derived from. */
export interface Machine {
  /** Memory of the machine, or of the container if that is less. */
  readonly memoryBytes: number
  readonly processors: number
  readonly hostName: string
}

export function inspectMachine(): Machine {
  const total = totalmem()
  // 0 means unknown; without a limit it is a number far above the memory there is.
  const limit = process.constrainedMemory() || total
  return { memoryBytes: Math.min(total, limit), processors: availableParallelism(), hostName: hostname() }
}
