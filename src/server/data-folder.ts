import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type ImportConfig, INTERFACE_VERSION, LaunchError } from '../config/index.js'

const VERSION_FILE = 'VERSION'
/** Becomes the version file by renaming, so that a crash leaves either none or a whole one. */
const UNFINISHED_VERSION_FILE = 'VERSION.new'

/** The oldest data folders that can be upgraded in place (spec 1 §6.4). */
const OLDEST_UPGRADABLE: Version = [1, 12, 0]

type Version = readonly [major: number, minor: number, patch: number]

export interface DataFolder {
  readonly isEmpty: boolean
  /** The older version whose data must be upgraded first, or null. */
  readonly upgradeFrom: string | null
}

/** Whether the folder can be used, and what has to be done with it first. Throws a `LaunchError` when it cannot. */
export function inspectDataFolder(path: string, { upgradeInPlace }: { upgradeInPlace: boolean }): DataFolder {
  if (isEmptyFolder(path)) return { isEmpty: true, upgradeFrom: null }
  const found = readVersion(path)
  const current = parseVersion(INTERFACE_VERSION)!
  const order = compareVersions(found, current)
  if (order === 0) return { isEmpty: false, upgradeFrom: null }
  const facts = `The data folder ${path} has version ${found.join('.')}, this server has ${INTERFACE_VERSION}`
  if (!upgradeInPlace) throw new LaunchError(`${facts}: start with --experimental-dumpless-upgrade, or import a dump.`)
  if (order > 0) throw new LaunchError(`${facts}: a data folder cannot go back to an older version.`)
  if (compareVersions(found, OLDEST_UPGRADABLE) < 0) {
    throw new LaunchError(`${facts}: only folders from version ${OLDEST_UPGRADABLE.join('.')} on can be upgraded.`)
  }
  return { isEmpty: false, upgradeFrom: found.join('.') }
}

/** Missing counts as empty. */
function isEmptyFolder(path: string): boolean {
  if (!existsSync(path)) return true
  try {
    return readdirSync(path).every((name) => name === UNFINISHED_VERSION_FILE)
  } catch (cause) {
    throw new LaunchError(`The data folder ${path} cannot be read.`, { cause })
  }
}

/** Marks the folder as one of this version. On disk when it returns. */
export function writeVersion(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
    const unfinished = join(path, UNFINISHED_VERSION_FILE)
    writeDurably(unfinished, INTERFACE_VERSION)
    renameSync(unfinished, join(path, VERSION_FILE))
    syncFolder(path)
  } catch (cause) {
    throw new LaunchError(`The data folder ${path} cannot be written.`, { cause })
  }
}

function writeDurably(file: string, content: string): void {
  const descriptor = openSync(file, 'w')
  try {
    writeSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Windows knows no folders that can be opened, and needs none. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function readVersion(path: string): Version {
  const file = join(path, VERSION_FILE)
  const version = existsSync(file) ? parseVersion(readFileSync(file, 'utf8')) : undefined
  if (version) return version
  const problem = existsSync(file) ? 'its file VERSION is malformed' : 'it has no file VERSION'
  throw new LaunchError(`${path} is not empty and not a data folder: ${problem}.`)
}

function parseVersion(text: string): Version | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(text.trim())
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined
}

function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

/** Whether to start from a dump or snapshot (spec 1 §6.4). Throws a `LaunchError` when the launch contradicts itself. */
export function shouldImport(
  folder: { readonly path: string; readonly isEmpty: boolean },
  wanted: ImportConfig,
): boolean {
  const fileExists = existsSync(wanted.path)
  if (folder.isEmpty && fileExists) return true
  if (!folder.isEmpty && !wanted.ignoreIfDbExists) {
    throw new LaunchError(`The data folder ${folder.path} is not empty, so the ${wanted.kind} is not imported.`)
  }
  if (!fileExists && !wanted.ignoreMissing) {
    throw new LaunchError(`The ${wanted.kind} ${wanted.path} does not exist.`)
  }
  return false
}
