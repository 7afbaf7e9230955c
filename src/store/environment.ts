import { mkdirSync, renameSync } from 'node:fs'
import { open as openFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as lmdb from 'lmdb'
import { type Database as LmdbDatabase, open, type RootDatabase } from 'lmdb'
import { CorruptBytes } from '../bytes/index.js'
import { checkDataFile } from './data-file.js'
import { CheckedDatabase, Database } from './database.js'
import { EntrySum } from './entry-sum.js'
import { describeWriteError } from './full-disk.js'
import { Sealer, unseal } from './sealed-value.js'
import { foundNoRoom, SlicesFull } from './slices-full.js'
import { syncFolder } from './sync-folder.js'
import { watchedStore } from './watched-store.js'

export interface EnvironmentOptions {
  /** How many named databases may be opened. */
  readonly maxDatabases?: number
  readonly readOnly?: boolean
  /** The folder is one that was filled before. Default: it is made when it is not there, or empty. */
  readonly mustExist?: boolean
  /** The number that a new folder is marked with, below 256: see `Environment.format`. Default: no mark. */
  readonly newFormat?: number
}

export interface DatabaseOptions {
  /** Each value has a checksum behind it, in the file only: see `sealed-value.ts`. */
  readonly hasChecksums?: boolean
}

/** A transaction whose work is done, and which is open until one of both has been called. */
export interface HeldWrite<T> {
  readonly result: T
  /** Resolves when all of it is on disk. Rejects when that failed, or nothing is held any more: nothing has changed then. */
  commit(): Promise<void>
  /** Nothing has changed. Does nothing after a commit, whether it worked or not. */
  abort(): Promise<void>
}

/** What of the database with this name does not count: all of it, entries with some keys, or nothing. */
export type LeavesOut = (database: string) => 'everything' | ((key: Uint8Array) => boolean) | undefined

const filterOf = (left: ReturnType<LeavesOut>): ((key: Uint8Array) => boolean) =>
  typeof left === 'function' ? left : () => false

/**
 * One LMDB folder. Any number of threads of this process may open the same folder; each reads the state of the last
 * commit. Writers exclude each other.
 */
export class Environment {
  private readonly databases = new Map<string, Database>()
  /** Pending while the folder is being compacted: writers wait for it. */
  private gate: Promise<void> | undefined
  /** Until one of them found no room. */
  private hasSlices = true
  /** What the folder is called when its data turn out to be damaged. */
  title: string
  readonly sealer = new Sealer()

  private constructor(
    private root: Root,
    readonly path: string,
    private readonly options: EnvironmentOptions,
  ) {
    this.title = titleOf(path)
  }

  /** Throws `CorruptBytes` when what is in the folder is no database. */
  static open(path: string, options: EnvironmentOptions = {}): Environment {
    const mayBeNew = !options.mustExist && !options.readOnly
    checkDataFile(join(path, DATA_FILE), { title: titleOf(path), mayBeNew })
    const made = options.readOnly ? undefined : mkdirSync(path, { recursive: true })
    const environment = new Environment(openRoot(path, options), path, options)
    if (made !== undefined) environment.syncNames()
    return environment
  }

  /** Makes sure that the folder and its files are found after a power loss: others are about to speak of them. */
  syncNames(): void {
    syncFolder(this.path)
    syncFolder(dirname(this.path))
  }

  /** What the folder was marked with when it was new; undefined when it was not. */
  get format(): number | undefined {
    const marked = this.root.getBinary(FORMAT)
    if (marked === undefined) return undefined
    const format = unseal(marked)
    if (format?.length !== 1) throw new CorruptBytes(`${this.title} does not say its format`)
    return format[0]
  }

  /** The options of the first call count. */
  database(name: string, options: DatabaseOptions = {}): Database {
    const known = this.databases.get(name)
    if (known) return known
    const db = openDatabase(this.root, name)
    const opened = options.hasChecksums ? new CheckedDatabase(db, name, this) : new Database(db)
    this.databases.set(name, opened)
    return opened
  }

  /** Several at once. In a new folder they are made in one transaction, which waits for the disk once. */
  openDatabases(names: readonly string[]): Database[] {
    const openAll = () => names.map((name) => this.database(name))
    return this.options.readOnly ? openAll() : this.writeSync(openAll)
  }

  /**
   * Runs `work` inside a write transaction and resolves when it is on disk. Calls made at the same time share one
   * commit, in call order; `work` must be synchronous. A throwing `work` changes nothing and rejects.
   */
  write<T>(work: () => T): Promise<T> {
    if (this.gate !== undefined) return this.gate.then(() => this.write(work))
    return (this.root.childTransaction(work) as Promise<T>).catch(async (error) => {
      throw describeWriteError(await commitErrorOf(error), this.path)
    })
  }

  /** The same on this thread, at once: on disk when it returns. A throwing `work` changes nothing. */
  writeSync<T>(work: () => T): T {
    if (this.gate !== undefined) throw new Error('a folder that is being compacted cannot be written at once')
    try {
      return this.root.transactionSync(work) as T
    } catch (error) {
      throw describeWriteError(error, this.path)
    }
  }

  /**
   * As `writeSync`, but without the commit: others see nothing of the work until then, this thread does. Writers of all
   * threads wait meanwhile; whoever writes through this environment writes into the same transaction.
   */
  hold<T>(work: () => T): HeldWrite<T> {
    let result!: T
    let decide!: (verdict: unknown) => void
    const verdict = new Promise<unknown>((resolve) => {
      decide = resolve
    })
    // A transaction whose work answers with a promise stays open until that resolves.
    const ended = this.writeSync(() => {
      result = work()
      return verdict
    })
    let isDecided = false
    const end = async (how: unknown) => {
      isDecided = true
      decide(how)
      await ended
    }
    return {
      result,
      commit: async () => {
        if (isDecided) throw new Error('a transaction that has ended cannot be committed')
        await end(undefined).catch((error) => {
          throw describeWriteError(error, this.path)
        })
      },
      abort: async () => {
        if (!isDecided) await end(lmdb.ABORT)
      },
    }
  }

  /**
   * Inside `writeSync` or `hold`: does a large piece of the work in a transaction inside the transaction. LMDB keeps the pages that
   * a transaction has changed in one sorted list, and hands out free pages from the last one down, so that each moves all
   * before it: in an index of a million documents a seventh of all time. A slice has a list of its own, which is short, and both
   * become one at its end. Not for a few entries: each begins with a copy of the list of free pages.
   *
   * A transaction with more pages than the list can hold writes some of them early. If a slice comes back to very many of
   * those, it finds no room and throws `SlicesFull`: done anew, the same work goes without slices, and so does all other
   * that this environment is asked for.
   */
  inSlice(work: () => void): void {
    if (!this.hasSlices) {
      work()
      return
    }
    try {
      this.root.childTransaction(work)
    } catch (error) {
      if (!foundNoRoom(error)) throw error
      this.hasSlices = false
      throw new SlicesFull(error)
    }
  }

  /** From now on all work is done without slices: for whoever knows that it is going to change more pages than there is room for. */
  avoidSlices(): void {
    this.hasSlices = false
  }

  /**
   * Lets go of the free pages that are remembered in memory. Each commit sorts its own into them one by one: behind two
   * large transactions in a store of a gigabyte that took half a second for every small one. Whoever writes next reads
   * what it needs from the store, as after a start. A transaction that comes to nothing does it.
   */
  forgetFreePages(): void {
    this.root.transactionSync(() => lmdb.ABORT)
  }

  /**
   * From now on what is written is counted into `sum`, until the answer is called: what goes is subtracted, what comes is
   * added, as stored. `clear` looks at all that goes then.
   */
  watch(sum: EntrySum, leaves: LeavesOut): () => void {
    const watched = [...this.databases].filter(([name]) => leaves(name) !== 'everything')
    const stores = watched.map(([name, database]) => ({ name, database, store: database.store }))
    for (const { name, database, store } of stores)
      database.moveTo(watchedStore(store, { name, sum, isLeftOut: filterOf(leaves(name)) }))
    return () => {
      for (const { database, store } of stores) database.moveTo(store)
    }
  }

  /** All that is stored in the databases that were opened, but for what is left out. */
  sumOfEntries(leaves: LeavesOut): EntrySum {
    const sum = new EntrySum()
    for (const [name, database] of this.databases) {
      const left = leaves(name)
      if (left !== 'everything') database.addTo(sum, name, filterOf(left))
    }
    return sum
  }

  /** Lets this thread see commits that other threads made since its last read. */
  refresh(): void {
    this.root.resetReadTxn()
  }

  /** Bytes on disk. */
  fileBytes(): number {
    const { lastPageNumber, pageSize } = this.root.getStats() as { lastPageNumber: number; pageSize: number }
    return (lastPageNumber + 1) * pageSize
  }

  /** Bytes of the databases that were opened, and bytes on disk: what is more there is free, or about that. */
  sizes(): { usedBytes: number; fileBytes: number } {
    const usedBytes = Object.values(this.databaseSizes()).reduce((sum, bytes) => sum + bytes, 0)
    return { usedBytes, fileBytes: this.fileBytes() }
  }

  /** Bytes of each database that was opened and is not empty, by name. */
  databaseSizes(): Record<string, number> {
    const sizes = Array.from(this.databases, ([name, database]) => [name, database.sizeBytes()] as const)
    return Object.fromEntries(sizes.filter(([, bytes]) => bytes > 0))
  }

  /** Writes a consistent copy without holes to another folder; writers wait meanwhile, readers do not. */
  async copyCompacted(path: string): Promise<void> {
    mkdirSync(path, { recursive: true })
    await this.root.backup(path, true)
  }

  /**
   * Rewrites the folder without holes while it stays in use: writers wait, readers do not. Nobody else (no other
   * thread, no other `Environment`) may have the folder open: they would stay with the old file.
   */
  async compact(): Promise<{ beforeBytes: number; afterBytes: number }> {
    while (this.gate !== undefined) await this.gate
    const work = this.replaceFile()
    // Whoever waits goes on whether this worked or not: a failure leaves everything as it was.
    this.gate = work.then(noop, noop).then(() => void (this.gate = undefined))
    return work
  }

  private get compactedPath(): string {
    return join(this.path, 'compacted')
  }

  /** A crash leaves either the old file or the new one, both whole. */
  private async replaceFile(): Promise<{ beforeBytes: number; afterBytes: number }> {
    // Everything that was asked for before comes first, in the old file.
    await this.root.childTransaction(noop)
    const beforeBytes = this.fileBytes()
    await rm(this.compactedPath, { recursive: true, force: true })
    await this.copyCompacted(this.compactedPath)
    await syncToDisk(join(this.compactedPath, DATA_FILE))
    const oldStores = this.stores()
    const old = this.moveToCopy()
    await syncToDisk(this.path)
    await closeRoot(old, oldStores)
    await rm(this.compactedPath, { recursive: true, force: true })
    return { beforeBytes, afterBytes: this.fileBytes() }
  }

  /** In one turn, so that nobody sees a half of it. Answers the root that was left. */
  private moveToCopy(): Root {
    const old = this.root
    const copy = openRoot(this.compactedPath, this.options)
    const moves = [...this.databases].map(([name, database]) => ({ database, db: openDatabase(copy, name) }))
    // The data file goes last: until then the old one counts.
    for (const name of [LOCK_FILE, DATA_FILE]) renameSync(join(this.compactedPath, name), join(this.path, name))
    this.root = copy
    for (const { database, db } of moves) database.moveTo(db)
    return old
  }

  async close(): Promise<void> {
    await this.gate
    await closeRoot(this.root, this.stores())
  }

  private stores(): unknown[] {
    return [...this.databases.values()].map((database) => database.store)
  }
}

type Root = RootDatabase<Buffer, Buffer>

/** The names that LMDB gives to the files of a folder. */
const DATA_FILE = 'data.mdb'
const LOCK_FILE = 'lock.mdb'

/** An entry beside the names of the databases. */
const OPENED = Buffer.from('opened')
/** Another one: a byte, sealed. */
const FORMAT = Buffer.from('format')

const titleOf = (path: string): string => `the folder ${basename(path)}`

const noop = (): void => {}

/** Why a commit failed. The error itself only says so, and holds a promise of the reason that nobody may leave unread. */
async function commitErrorOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<never> }
  return commitError === undefined ? error : commitError.catch((reason: unknown) => reason)
}

/**
 * lmdb-js remembers everything that was ever opened, by names that nobody asks for: some 80 kB for each environment. It
 * shows the map, but its types do not.
 */
const remembered = (lmdb as unknown as { readonly allDbs: Map<string, unknown> }).allDbs

async function closeRoot(root: Root, databases: readonly unknown[]): Promise<void> {
  await root.close()
  const closed = new Set([root, ...databases])
  for (const [name, store] of remembered) if (closed.has(store)) remembered.delete(name)
}

function openRoot(path: string, options: EnvironmentOptions): Root {
  const root = open<Buffer, Buffer>({
    path,
    maxDbs: options.maxDatabases ?? 16,
    readOnly: options.readOnly ?? false,
    encoding: 'binary',
    keyEncoding: 'binary',
    // A path is always a folder, also one with a dot in its name.
    noSubdir: false,
    // A commit is answered only when it is on disk: a resolved write survives kill -9 and power loss.
    overlappingSync: false,
    noMemInit: true,
    // Its batches have a promise of their own, which nobody can reach: a commit that fails would end the process.
    eventTurnBatching: false,
  } as Parameters<typeof open>[0]) as Root
  if (!options.readOnly) prepareRoot(root, options.newFormat)
  return root
}

/**
 * LMDB as it comes with lmdb-js 3.5 cannot commit a transaction that frees more than some 250 pages while its list of
 * free pages is empty, as it is in a copy without holes: it looks for room in the very list it is writing, and fails
 * each time anew. A small transaction frees a page or two, and from then on the list is never empty. In a new folder it
 * leaves the mark as well, so that no crash comes between the two.
 */
function prepareRoot(root: Root, newFormat: number | undefined): void {
  const { free, entryCount } = root.getStats() as { free?: { entryCount: number }; entryCount: number }
  if (free?.entryCount !== 0) return
  root.transactionSync(() => {
    root.putSync(OPENED, OPENED)
    if (entryCount === 0 && newFormat !== undefined) root.putSync(FORMAT, new Sealer().seal(Uint8Array.of(newFormat)))
  })
}

function openDatabase(root: Root, name: string): LmdbDatabase<Buffer, Buffer> {
  return root.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' } as never)
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await openFile(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
