import { suggest } from '../errors/index.js'
import { type EnvironmentOnlyValues, environmentOnly, IGNORED_VARIABLES } from './environment-only.js'
import type { Kind } from './kinds.js'
import { EXIT_USAGE, wrongValue } from './launch-error.js'
import { environmentNameOf, PREFIXES } from './option.js'
import { type OptionName, options } from './options.js'
import type { SetOption, SetOptions } from './set-options.js'

export type Environment = Readonly<Record<string, string | undefined>>

interface Row {
  readonly kind: Kind<unknown>
  readonly isSecret?: boolean
}

/** Reads the options that the command line did not give; what it gave is not even looked at (spec 1 §6.1). */
export function readEnvironment(env: Environment, stronger: SetOptions, warnings: string[]): SetOptions {
  const given = new Map<OptionName, SetOption>()
  for (const [name, row] of Object.entries(options) as [OptionName, Row & { environmentName?: string }][]) {
    if (stronger.has(name)) continue
    const found = findVariable(env, environmentNameOf(name, row), warnings)
    if (found) given.set(name, { value: readVariable(row, found), source: 'environment', label: found.label })
  }
  return given
}

/** Reads what can be set by environment alone, with defaults. */
export function readEnvironmentOnly(env: Environment, warnings: string[]): EnvironmentOnlyValues {
  const values: Record<string, unknown> = {}
  for (const [name, row] of Object.entries(environmentOnly) as [
    string,
    Row & { default: unknown; alsoBare?: boolean },
  ][]) {
    const bare = row.alsoBare ? bareVariable(env, name) : undefined
    const found = findVariable(env, name, warnings) ?? bare
    values[name] = found ? readVariable(row, found) : row.default
  }
  // Every row of the table was given a value of its own kind, or its default.
  return values as EnvironmentOnlyValues
}

interface Variable {
  readonly label: string
  readonly text: string
}

function findVariable(env: Environment, name: string, warnings: string[]): Variable | undefined {
  const [first, second] = PREFIXES.map((prefix) => bareVariable(env, prefix + name)).filter(
    (found) => found !== undefined,
  )
  if (first && second && first.text !== second.text) {
    warnings.push(`${first.label} and ${second.label} are set to different values: ${first.label} is used.`)
  }
  return first
}

function bareVariable(env: Environment, label: string): Variable | undefined {
  const text = env[label]
  return text === undefined ? undefined : { label, text }
}

function readVariable({ kind, isSecret }: Row, { label, text }: Variable): unknown {
  const read = kind.fromText(text)
  if ('value' in read) return read.value
  throw wrongValue({ label, expected: read.expected, found: text, isSecret, exitCode: EXIT_USAGE })
}

/**
 * Warns of variables with one of our prefixes that look like a misspelt option. Others are left alone: platforms set
 * such variables on their own (Kubernetes: FINDLING_SERVICE_HOST for a service called "findling").
 */
export function warnOfMisspelt(env: Environment, warnings: string[]): void {
  const known = knownNames()
  for (const label of Object.keys(env)) {
    const prefix = PREFIXES.find((candidate) => label.startsWith(candidate))
    const name = prefix === undefined ? undefined : label.slice(prefix.length)
    if (name === undefined || known.includes(name)) continue
    const meant = suggest(name, known)
    if (meant !== undefined) warnings.push(`${label} is not an option. Did you mean ${prefix}${meant}?`)
  }
}

function knownNames(): string[] {
  const names = Object.entries(options).map(([name, row]) => environmentNameOf(name, row))
  return [...names, ...Object.keys(environmentOnly), ...IGNORED_VARIABLES]
}
