import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { tryLock } from 'fs-native-extensions'

/**
 * Whoever changes a folder holds a lock of the operating system on this file in it (decision 015). The system lets go of
 * it when the process ends, however it ends: the file itself means nothing, and may lie there without anybody.
 */
export const LOCK_FILE = 'LOCK'

/** The byte that is locked. Far behind what the file holds: on Windows nobody else can read what is locked. */
const LOCKED_BYTE = 2 ** 40

/** Who holds a folder, as far as it is known. Numbers of processes are those of its container. */
export interface FolderHolder {
  readonly pid: number
  readonly host: string
  /** An ISO 8601 time. */
  readonly since: string
}

/** Somebody else changes the folder. */
export class FolderInUse extends Error {
  constructor(
    readonly path: string,
    /** Undefined when it has not yet said who it is. */
    readonly holder: FolderHolder | undefined,
  ) {
    super(`The folder ${path} is in use by ${holderText(holder)}.`)
    this.name = 'FolderInUse'
  }
}

/** A phrase for a sentence. */
export function holderText(holder: FolderHolder | undefined): string {
  if (holder === undefined) return 'another process that has just begun'
  return `process ${holder.pid} on host ${holder.host} since ${holder.since}`
}

/** The right to change a folder: one at a time, among all processes and threads that can reach it. */
export class FolderLock {
  private isHeld = true

  constructor(
    private readonly path: string,
    private readonly descriptor: number,
    private readonly hasMadeFolder: boolean,
  ) {}

  /** Ends the right. A folder that was made for the lock and stayed empty goes too. */
  release(): void {
    if (!this.isHeld) return
    this.isHeld = false
    // While it is still held: whoever has the file open already will see that it is another one than that in the folder.
    attempt(() => rmSync(join(this.path, LOCK_FILE)))
    if (this.hasMadeFolder) attempt(() => rmdirSync(this.path))
    closeSync(this.descriptor)
  }
}

/** Another process may remove the file whenever it is about to be locked, but not time and again. */
const MAX_ATTEMPTS = 100

/**
 * Takes the right to change a folder, which is made if it is not there. Throws `FolderInUse` at once when somebody has it.
 * Reading beside the holder needs no lock: LMDB shows readers the last commit.
 */
export function lockFolder(path: string): FolderLock {
  let hasMadeFolder = false
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    hasMadeFolder = mkdirSync(path, { recursive: true }) !== undefined || hasMadeFolder
    const descriptor = openLocked(path)
    if (descriptor !== undefined) return new FolderLock(path, descriptor, hasMadeFolder)
  }
  throw new FolderInUse(path, undefined)
}

/** Throws `FolderInUse` when somebody has the right to change a folder at this moment. Changes nothing. */
export function checkUnlocked(path: string): void {
  let descriptor: number
  try {
    descriptor = openSync(join(path, LOCK_FILE), constants.O_RDWR)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    // Let go of with the file.
    if (!tryLock(descriptor, LOCKED_BYTE, 1)) throw new FolderInUse(path, readHolder(path))
  } finally {
    closeSync(descriptor)
  }
}

/** Undefined when somebody has meanwhile removed the file, or the folder. */
function openLocked(path: string): number | undefined {
  const descriptor = openLockFile(path)
  if (descriptor === undefined) return undefined
  let isTaken = false
  try {
    if (!tryLock(descriptor, LOCKED_BYTE, 1)) throw new FolderInUse(path, readHolder(path))
    isTaken = isInFolder(path, descriptor)
    if (isTaken) writeHolder(descriptor)
  } finally {
    if (!isTaken) closeSync(descriptor)
  }
  return isTaken ? descriptor : undefined
}

/** Undefined when the folder has just been removed. */
function openLockFile(path: string): number | undefined {
  try {
    return openSync(join(path, LOCK_FILE), constants.O_RDWR | constants.O_CREAT, 0o644)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whether the file that was opened is still the one that others find. */
function isInFolder(path: string, descriptor: number): boolean {
  const found = statSync(join(path, LOCK_FILE), { bigint: true, throwIfNoEntry: false })
  const opened = fstatSync(descriptor, { bigint: true })
  return found?.ino === opened.ino && found.dev === opened.dev
}

function writeHolder(descriptor: number): void {
  const holder: FolderHolder = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  ftruncateSync(descriptor)
  writeSync(descriptor, `${JSON.stringify(holder)}\n`, 0)
}

function readHolder(path: string): FolderHolder | undefined {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(join(path, LOCK_FILE), 'utf8')) as Partial<FolderHolder>
    return pid === undefined || host === undefined || since === undefined ? undefined : { pid, host, since }
  } catch {
    // It is being written, or gone.
    return undefined
  }
}

/** Where a file system does not let go of a file that is open, it stays: it means nothing. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // See above.
  }
}
