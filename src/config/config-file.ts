import { resolve } from 'node:path'
import { suggest } from '../shape/index.js'
import type { Given, GivenOptions } from './given.js'
import type { Kind } from './kinds.js'
import { EXIT_FAILURE, LaunchError, wrongValue } from './launch-error.js'
import { fileKeyOf } from './option.js'
import { type OptionName, options } from './options.js'

const DEFAULT_PATH = 'config.toml'

export interface ConfigFile {
  /** Absolute path of the file that was read, null if there was none. */
  readonly path: string | null
  readonly given: GivenOptions
}

export interface FileAccess {
  readonly cwd: string
  /** Throws as `readFileSync` does. */
  readonly readFile: (path: string) => string
}

/** Reads the file that was named, which must exist, or else ./config.toml, which need not (spec 1 §6.1). */
export async function readConfigFile(
  named: string | null,
  { cwd, readFile }: FileAccess,
  warnings: string[],
): Promise<ConfigFile> {
  const path = resolve(cwd, named ?? DEFAULT_PATH)
  const content = readText({ path, readFile, mayBeMissing: named === null })
  if (content === undefined) return { path: null, given: new Map() }
  return { path, given: readEntries(await parseToml(path, content), path, warnings) }
}

function readText(file: { path: string; readFile: FileAccess['readFile']; mayBeMissing: boolean }): string | undefined {
  try {
    return file.readFile(file.path)
  } catch (error) {
    if (file.mayBeMissing && errnoOf(error) === 'ENOENT') return undefined
    const reason = READ_FAILURES[errnoOf(error) ?? ''] ?? String(error)
    throw new LaunchError(`The configuration file ${file.path} cannot be read: ${reason}.`, { cause: error })
  }
}

const READ_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'access is denied',
  EISDIR: 'it is a folder',
}

function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

async function parseToml(path: string, content: string): Promise<Record<string, unknown>> {
  // Loaded only when there is a file: most servers start without one.
  const { parse, TomlError } = await import('smol-toml')
  try {
    return parse(content.replace(/^\uFEFF/, ''), { integersAsBigInt: true })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The rest of the message quotes the lines around the fault, which may hold a key.
    const reason = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '')
    const place = `line ${error.line}, column ${error.column}`
    throw new LaunchError(`The configuration file ${path} is not valid TOML: ${reason} (${place}).`, { cause: error })
  }
}

function readEntries(table: Record<string, unknown>, path: string, warnings: string[]): GivenOptions {
  const given = new Map<OptionName, Given>()
  for (const [key, value] of Object.entries(table)) {
    const name = optionOfKey(key, path)
    const label = `${key} in ${path}`
    const read = readEntry(name, label, value)
    if ('inFile' in options[name]) {
      warnings.push(`${label} has no effect: imports are asked for on the command line or in the environment.`)
    } else {
      given.set(name, { value: read, source: 'file', label })
    }
  }
  return given
}

function optionOfKey(key: string, path: string): OptionName {
  const name = NAMES_BY_KEY.get(key)
  if (name === 'config-file-path') throw new LaunchError(`${key} in ${path}: a configuration file cannot name another.`)
  if (name !== undefined) return name
  const meant = suggest(key, [...NAMES_BY_KEY.keys()])
  throw new LaunchError(`${path}: unknown key "${key}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`)
}

const NAMES_BY_KEY: ReadonlyMap<string, OptionName> = new Map(
  (Object.keys(options) as OptionName[]).map((name) => [fileKeyOf(name), name]),
)

function readEntry(name: OptionName, label: string, found: unknown): unknown {
  const { kind, isSecret }: { kind: Kind<unknown>; isSecret?: boolean } = options[name]
  const read = kind.fromToml(found)
  if ('value' in read) return read.value
  throw wrongValue({ label, expected: read.expected, found, isSecret, exitCode: EXIT_FAILURE })
}
