import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { suggest } from '../errors/index.js'
import type { Kind } from './kinds.js'
import { EXIT_FAILURE, LaunchError, wrongValue } from './launch-error.js'
import { fileKeysOf } from './option.js'
import { type OptionName, options } from './options.js'
import type { SetOption, SetOptions } from './set-options.js'

const DEFAULT_PATH = 'config.toml'

export interface ConfigFile {
  /** Absolute path of the file that was read, null if there was none. */
  readonly path: string | null
  readonly given: SetOptions
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

function readEntries(table: Record<string, unknown>, path: string, warnings: string[]): SetOptions {
  const given = new Map<OptionName, SetOption>()
  for (const key of byStrength(Object.keys(table))) {
    const name = optionOfKey(key, path)
    const label = `${key} in ${path}`
    const value = readEntry(name, label, table[key])
    const stronger = given.get(name)
    if ('inFile' in options[name]) {
      warnings.push(`${label} has no effect: imports are asked for on the command line or in the environment.`)
    } else if (stronger === undefined) {
      given.set(name, { value, source: 'file', label })
    } else if (!isDeepStrictEqual(value, stronger.value)) {
      warnings.push(`${stronger.label} and ${label} are set to different values: ${stronger.label} is used.`)
    }
  }
  return given
}

/** Of several names of one option the strongest comes first; else they stay in the order of the file. */
function byStrength(keys: readonly string[]): string[] {
  const strength = (key: string): number => KEYS.get(key)?.strength ?? 0
  return [...keys].sort((a, b) => strength(a) - strength(b))
}

function optionOfKey(key: string, path: string): OptionName {
  const name = KEYS.get(key)?.name
  if (name === 'config-file-path') throw new LaunchError(`${key} in ${path}: a configuration file cannot name another.`)
  if (name !== undefined) return name
  const meant = suggest(key, [...KEYS.keys()])
  throw new LaunchError(`${path}: unknown key "${key}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`)
}

/** What each key stands for; the key of an option is stronger than the names of its variables (0 is the strongest). */
const KEYS: ReadonlyMap<string, { readonly name: OptionName; readonly strength: number }> = new Map(
  (Object.keys(options) as OptionName[]).flatMap((name) =>
    fileKeysOf(name, options[name]).map((key, strength) => [key, { name, strength }] as const),
  ),
)

function readEntry(name: OptionName, label: string, found: unknown): unknown {
  const { kind, isSecret }: { kind: Kind<unknown>; isSecret?: boolean } = options[name]
  const read = kind.fromToml(found)
  if ('value' in read) return read.value
  throw wrongValue({ label, expected: read.expected, found, isSecret, exitCode: EXIT_FAILURE })
}
