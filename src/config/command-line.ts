import { Command, CommanderError, Option as Flag } from 'commander'
import { EXIT_USAGE, LaunchError, wrongValue } from './launch-error.js'
import { defaultTextOf, GROUPS, type OptionFacts } from './option.js'
import { type OptionName, options } from './options.js'
import type { SetOption, SetOptions } from './set-options.js'

/** Width of the help text, so that it does not depend on the window. */
const HELP_COLUMNS = 110

const HELP_END = `
Every option can also be set in the environment (--db-path is FINDLING_DB_PATH or MEILI_DB_PATH) and most in a TOML
file (db_path), which is ./config.toml unless --config-file-path names another. The command line is stronger than
the environment, the environment stronger than the file.

\`findling cluster status\` shows the cluster of a running server; \`findling cluster --help\` says more.`

/** Options, or a text to print instead of starting (`--help`, `--version`). */
type CommandLine = { readonly given: SetOptions } | { readonly print: string }

/** Reads the arguments after the program name. Throws `LaunchError` for what cannot be understood. */
export function readCommandLine(argv: readonly string[], version: string): CommandLine {
  const printed: string[] = []
  const command = buildCommand(version, printed)
  try {
    command.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return { print: printed.join('') }
    const message = findFlagWithValue(argv) ?? asSentences(error.message)
    throw new LaunchError(message, { exitCode: EXIT_USAGE, cause: error })
  }
  return { given: readArguments(command) }
}

function buildCommand(version: string, printed: string[]): Command {
  const command = new Command('findling')
    .description('A search server: JSON documents in over HTTP, ranked hits out.')
    .usage('[options]')
    .version(version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print this help')
    .addHelpText('after', HELP_END)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => printed.push(text),
      writeErr: () => {},
      getOutHelpWidth: () => HELP_COLUMNS,
      getOutHasColors: () => false,
    })
  for (const group of GROUPS) addGroup(command, group)
  return command
}

function addGroup(command: Command, group: string): void {
  for (const [name, row] of Object.entries(options)) {
    if (row.group === group) command.addOption(buildFlag(name, row).helpGroup(`${group}:`))
  }
}

function buildFlag(
  name: string,
  row: OptionFacts<unknown> & { kind: { placeholder: string | null; alone?: unknown } },
) {
  const { placeholder, alone } = row.kind
  const argument = placeholder === null ? '' : alone === undefined ? ` <${placeholder}>` : ` [${placeholder}]`
  const defaultText = placeholder === null ? '' : ` (default: ${defaultTextOf(row)})`
  const flag = new Flag(`--${name}${argument}`, `${row.help}${defaultText}`)
  // Commander takes "--no-analytics" for the opposite of an option "analytics", which does not exist.
  flag.negate = false
  return flag
}

function readArguments(command: Command): SetOptions {
  const given = new Map<OptionName, SetOption>()
  for (const flag of command.options) {
    const raw: unknown = command.getOptionValue(flag.attributeName())
    const name = flag.name()
    if (raw === undefined || !isOptionName(name)) continue
    const label = `--${name}`
    given.set(name, { value: readArgument(name, label, raw), source: 'command line', label })
  }
  return given
}

function readArgument(name: OptionName, label: string, raw: unknown): unknown {
  const { kind, ...facts } = options[name]
  // Commander says `true` for an option that stands alone, and only for options that may.
  if (raw === true) return kind.alone
  const read = kind.fromText(String(raw))
  if ('value' in read) return read.value
  const isSecret = 'isSecret' in facts && facts.isSecret
  throw wrongValue({ label, expected: read.expected, found: raw, isSecret, exitCode: EXIT_USAGE })
}

function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(options, name)
}

/** "--no-analytics=true" is an unknown option to Commander, which tells nobody what is wrong with it. */
function findFlagWithValue(argv: readonly string[]): string | undefined {
  const names = argv.map((argument) => /^--([^=]+)=/.exec(argument)?.[1] ?? '').filter(isOptionName)
  const name = names.find((candidate) => options[candidate].kind.placeholder === null)
  return name === undefined ? undefined : `--${name} takes no value: leave it out to switch it off.`
}

/** "error: unknown option '--x'\n(Did you mean --y?)" as "Unknown option '--x'. Did you mean --y?". */
function asSentences(message: string): string {
  const lines = message.replace(/^error: /, '').split('\n')
  return lines.map((line) => asSentence(line.replace(/^\((.*)\)$/, '$1'))).join(' ')
}

function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? '' : '.')
}
