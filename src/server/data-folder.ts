import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type ImportConfig, INTERFACE_VERSION, LaunchError } from '../config/index.js'
import {
  checkUnlocked,
  FolderInUse,
  type FolderLock,
  holderText,
  LOCK_FILE,
  lockFolder,
  syncFolder,
} from '../store/index.js'

const VERSION_FILE = 'VERSION'
/** Becomes the version file by renaming, so that a crash leaves either none or a whole one. */
const UNFINISHED_VERSION_FILE = 'VERSION.new'

/** There while a dump or snapshot is taken in. A folder that has it was never finished: it counts as empty. */
const IMPORT_MARK = 'IMPORTING'

/** What the nats-server beside this server stores. It belongs to the cluster and outlives the data of one server. */
export const NATS_FOLDER = 'nats'

/** The oldest data folders that can be upgraded in place (spec 1 §6.4). */
const OLDEST_UPGRADABLE: Version = [1, 12, 0]

type Version = readonly [major: number, minor: number, patch: number]

export interface DataFolder {
  readonly isEmpty: boolean
  /** The older version whose data must be upgraded first, or null. */
  readonly upgradeFrom: string | null
}

/**
 * Takes the folder for this process, before anything in it is touched. Throws a `LaunchError` when it is no data folder,
 * which is then left alone, and when another process has it.
 */
export function lockDataFolder(path: string, options: { upgradeInPlace: boolean }): FolderLock {
  inspectDataFolder(path, options)
  let lock: FolderLock | undefined
  try {
    lock = lockFolder(path)
    // After its own lock: a program that opens one of the indexes looks for that one when it has the lock of the index.
    for (const index of indexFolders(path)) checkUnlocked(index)
    return lock
  } catch (cause) {
    lock?.release()
    throw new LaunchError(lockProblem(path, cause), { cause })
  }
}

function indexFolders(path: string): string[] {
  const folder = join(path, 'indexes')
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

function lockProblem(path: string, error: unknown): string {
  if (error instanceof FolderInUse && error.path !== path) {
    return `The index folder ${error.path} is in use by ${holderText(error.holder)}: a server needs all of its indexes for itself.`
  }
  if (error instanceof FolderInUse) {
    return `The data folder ${path} is in use by ${holderText(error.holder)}: two servers cannot share one.`
  }
  const { code, message } = error as NodeJS.ErrnoException
  const isForbidden = code === 'EACCES' || code === 'EROFS' || code === 'EPERM'
  return `The data folder ${path} cannot be ${isForbidden ? 'written' : 'locked'}: the system reports ${code ?? message}.`
}

/** Whether the folder can be used, and what has to be done with it first. Throws a `LaunchError` when it cannot. */
export function inspectDataFolder(path: string, { upgradeInPlace }: { upgradeInPlace: boolean }): DataFolder {
  if (isEmptyFolder(path)) return { isEmpty: true, upgradeFrom: null }
  checkWritable(path)
  return { isEmpty: false, upgradeFrom: inspectVersion(path, { upgradeInPlace }) }
}

/** The older version of a folder whose data must be upgraded first, or null. Throws when it cannot be used. */
export function inspectVersion(path: string, { upgradeInPlace }: { upgradeInPlace: boolean }): string | null {
  const found = readVersion(path)
  const current = parseVersion(INTERFACE_VERSION)!
  const order = compareVersions(found, current)
  if (order === 0) return null
  const facts = `The data folder ${path} has version ${found.join('.')}, this server has ${INTERFACE_VERSION}`
  if (!upgradeInPlace) throw new LaunchError(`${facts}: start with --experimental-dumpless-upgrade, or import a dump.`)
  if (order > 0) throw new LaunchError(`${facts}: a data folder cannot go back to an older version.`)
  if (compareVersions(found, OLDEST_UPGRADABLE) < 0) {
    throw new LaunchError(`${facts}: only folders from version ${OLDEST_UPGRADABLE.join('.')} on can be upgraded.`)
  }
  return found.join('.')
}

/** What the server writes from its start on. */
const WRITTEN = ['', 'tasks', 'tasks/data.mdb', 'tasks/lock.mdb', 'auth', 'auth/data.mdb', 'auth/lock.mdb']

function checkWritable(path: string): void {
  for (const name of WRITTEN) {
    const file = join(path, name)
    try {
      if (existsSync(file)) accessSync(file, constants.W_OK)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      throw new LaunchError(`The data folder ${path} cannot be written: the system reports ${code} for ${file}.`, {
        cause,
      })
    }
  }
}

const COUNTS_AS_NOTHING = [UNFINISHED_VERSION_FILE, LOCK_FILE, NATS_FOLDER]

/** Missing counts as empty. */
function isEmptyFolder(path: string): boolean {
  if (!existsSync(path)) return true
  try {
    const names = readdirSync(path)
    return names.includes(IMPORT_MARK) || names.every((name) => COUNTS_AS_NOTHING.includes(name))
  } catch (cause) {
    throw new LaunchError(`The data folder ${path} cannot be read.`, { cause })
  }
}

/** Makes the folder ready to be filled: what an import that was cut off left in it goes. */
export function beginImport(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
    // First of all, so that a crash while the rest is deleted leaves no folder that looks like something else.
    writeDurably(join(path, IMPORT_MARK), '')
    removeContent(path)
    syncFolder(path)
  } catch (cause) {
    throw new LaunchError(`The data folder ${path} cannot be written.`, { cause })
  }
}

/** The folder has all it should have, the version included. On disk when it returns: what follows must not be lost. */
export function endImport(path: string): void {
  rmSync(join(path, IMPORT_MARK), { force: true })
  syncFolder(path)
}

/** Removes what an import that was cut off left behind, if there was one. */
export function clearUnfinishedImport(path: string): void {
  if (existsSync(join(path, IMPORT_MARK))) undoImport(path)
}

/** Empties a folder that was not filled. Where it was made for this start, it goes with its lock. */
export function undoImport(path: string): void {
  removeContent(path)
  rmSync(join(path, IMPORT_MARK), { force: true })
}

/** What the folder needs until the end stays: its mark, and the lock of whoever works on it; and what is not of its data. */
const KEPT = [IMPORT_MARK, LOCK_FILE, NATS_FOLDER]

function removeContent(path: string): void {
  for (const name of readdirSync(path)) {
    if (!KEPT.includes(name)) rmSync(join(path, name), { recursive: true, force: true })
  }
}

/** Marks the folder as one of this version, or of another one. On disk when it returns. */
export function writeVersion(path: string, version = INTERFACE_VERSION): void {
  try {
    mkdirSync(path, { recursive: true })
    const unfinished = join(path, UNFINISHED_VERSION_FILE)
    writeDurably(unfinished, version)
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
