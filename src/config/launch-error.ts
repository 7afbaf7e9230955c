/** Exit status for wrong values on the command line or in the environment (spec 1 §6.1). */
export const EXIT_USAGE = 2
/** Exit status for every other reason not to start. */
export const EXIT_FAILURE = 1

/** Why the server does not start: one sentence for whoever started it, and the status the process ends with. */
export class LaunchError extends Error {
  readonly exitCode: number

  constructor(message: string, { exitCode = EXIT_FAILURE, ...rest }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, rest)
    this.name = 'LaunchError'
    this.exitCode = exitCode
  }
}

/** A wrong value. What was found is repeated unless it is a secret. */
export function wrongValue(facts: {
  label: string
  expected: string
  found: unknown
  isSecret: boolean | undefined
  exitCode: number
}): LaunchError {
  const found = facts.isSecret ? 'something else' : shown(facts.found)
  return new LaunchError(`${facts.label}: expected ${facts.expected}, found ${found}.`, { exitCode: facts.exitCode })
}

function shown(value: unknown): string {
  if (value instanceof Date) return 'a date'
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner))
}
