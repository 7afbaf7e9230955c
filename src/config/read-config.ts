import { assemble } from './assemble.js'
import { checkTogether } from './checks.js'
import { readCommandLine } from './command-line.js'
import type { Config } from './config.js'
import { type FileAccess, readConfigFile } from './config-file.js'
import { type Environment, readEnvironment, readEnvironmentOnly, warnOfMisspelt } from './environment.js'
import { LaunchError } from './launch-error.js'
import { inspectMachine, type Machine } from './machine.js'
import { checkMasterKey, generateMasterKey } from './master-key.js'
import { readNetworks } from './networks.js'
import { type OptionName, type OptionValues, options } from './options.js'
import type { SetOption, SetOptions } from './set-options.js'
import { versionText } from './version.js'

/** Where options come from. Nothing else is looked at. */
export interface Surroundings extends FileAccess {
  /** The arguments after the program's name. */
  readonly argv: readonly string[]
  readonly env: Environment
  readonly machine?: Machine
  /** Makes the master keys that messages propose. */
  readonly generateKey?: () => string
}

/** What to do: start, print a text and end well, or say why not and end with a status. */
export type Launch =
  | { readonly kind: 'run'; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'refuse'; readonly message: string; readonly exitCode: number }

/** Reads every option: command line before environment before file before default (spec 1 §6.1). */
export async function readConfig(surroundings: Surroundings): Promise<Launch> {
  try {
    return await readAllSources(surroundings)
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    return { kind: 'refuse', message: error.message, exitCode: error.exitCode }
  }
}

async function readAllSources(surroundings: Surroundings): Promise<Launch> {
  const { argv, env, machine = inspectMachine(), generateKey = generateMasterKey } = surroundings
  const warnings: string[] = []
  const commandLine = readCommandLine(argv, versionText())
  if ('print' in commandLine) return { kind: 'print', text: commandLine.print }
  const environment = readEnvironment(env, commandLine.given, warnings)
  const variables = readEnvironmentOnly(env, warnings)
  warnOfMisspelt(env, warnings)

  const stronger = new Map([...environment, ...commandLine.given])
  const file = await readConfigFile(valuesOf(stronger)['config-file-path'], surroundings, warnings)
  const given = new Map<OptionName, SetOption>([...file.given, ...stronger])
  const values = valuesOf(given)
  checkTogether(given, values)
  checkMasterKey({ masterKey: values['master-key'], environment: values.env, generateKey }, warnings)
  warnOfHalfTls(values, warnings)
  const networks = await readNetworks(given, values)
  const config = assemble({ values, variables, networks, machine, cwd: surroundings.cwd, configFilePath: file.path })
  return { kind: 'run', config, warnings }
}

function valuesOf(given: SetOptions): OptionValues {
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(options) as OptionName[]) {
    const entry = given.get(name)
    values[name] = entry ? entry.value : options[name].default
  }
  // Every given value was read by the kind of its own row, and defaults are typed by it.
  return values as OptionValues
}

function warnOfHalfTls(values: OptionValues, warnings: string[]): void {
  const halves = [values['ssl-cert-path'], values['ssl-key-path']]
  if (halves.filter((path) => path !== null).length === 1) {
    warnings.push('Requests are not encrypted: HTTPS needs both --ssl-cert-path and --ssl-key-path.')
  }
}
