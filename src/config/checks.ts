import { clusterProblem } from './cluster-checks.js'
import { EXIT_FAILURE, EXIT_USAGE, LaunchError } from './launch-error.js'
import { type OptionName, type OptionValues, options } from './options.js'
import type { SetOption, SetOptions } from './set-options.js'

const S3_PLACE = ['s3-bucket-url', 's3-bucket-region', 's3-bucket-name', 's3-snapshot-prefix'] as const
const S3_KEYS = ['s3-access-key', 's3-secret-key'] as const
const S3_ROLE = ['experimental-s3-role-arn', 'experimental-s3-web-identity-token-file'] as const

/** Checks what options ask of each other. Throws `LaunchError`. */
export function checkTogether(given: SetOptions, values: OptionValues): void {
  checkRequiredAndConflicting(given, values)
  checkS3(given)
  checkCluster(given, values)
}

function checkRequiredAndConflicting(given: SetOptions, values: OptionValues): void {
  for (const [name, entry] of given) {
    const { requires, conflictsWith }: { requires?: string; conflictsWith?: string } = options[name]
    const isSet = values[name] !== false
    if (isSet && requires !== undefined && !given.has(requires as OptionName)) {
      throw refusal([entry], `${entry.label} has a meaning only together with --${requires}.`)
    }
    const other = given.get(conflictsWith as OptionName)
    if (other) throw refusal([entry, other], `${entry.label} and ${other.label} cannot be given together.`)
  }
}

/** Any S3 option asks for the four that say where, and for exactly one pair of credentials (spec 2 §7). */
function checkS3(given: SetOptions): void {
  const entries = [...given].filter(([name]) => options[name].group === 'Snapshots in object storage')
  const first = entries[0]
  if (first === undefined) return
  const refuse = (message: string) =>
    refusal(
      entries.map(([, entry]) => entry),
      message,
    )
  const missing = S3_PLACE.filter((name) => !given.has(name))
  if (missing.length > 0) throw refuse(`${first[1].label} asks for ${flags(missing)} as well.`)
  const pairs = [S3_KEYS, S3_ROLE].filter((pair) => pair.some((name) => given.has(name)))
  if (pairs.length > 1) throw refuse(`Give either ${flags(S3_KEYS)} or ${flags(S3_ROLE)}, not both.`)
  const pair = pairs[0]
  if (pair === undefined) throw refuse(`${first[1].label} asks for ${flags(S3_KEYS)}, or ${flags(S3_ROLE)}, as well.`)
  const half = pair.filter((name) => !given.has(name))
  if (half.length > 0) throw refuse(`${flags(pair)} go together: ${flags(half)} is missing.`)
}

function checkCluster(given: SetOptions, values: OptionValues): void {
  const problem = clusterProblem(given, values)
  if (problem === undefined) return
  const entries = [...given].filter(([name]) => options[name].group === 'Cluster' || name.startsWith('import-'))
  throw refusal(
    entries.map(([, entry]) => entry),
    problem,
  )
}

function flags(names: readonly string[]): string {
  const [last = '', ...before] = names.map((name) => `--${name}`).reverse()
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`
}

/** What only the file asks for is no mistake of the command line (spec 1 §6.1). */
function refusal(entries: readonly SetOption[], message: string): LaunchError {
  const isFileOnly = entries.every((entry) => entry.source === 'file')
  return new LaunchError(message, { exitCode: isFileOnly ? EXIT_FAILURE : EXIT_USAGE })
}
