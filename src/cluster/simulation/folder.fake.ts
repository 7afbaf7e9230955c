import { Database, type Entry, type Key, type KeyRange } from '../../store/index.js'
import type { Process } from './process.fixture.js'
import type { Random } from './random.fixture.js'

const textOf = (key: Key): string => Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')

/** A database in memory. What a transaction changed can be taken back. */
class MemoryDatabase extends Database {
  private readonly values = new Map<string, Buffer>()
  /** Sorted. */
  private names: string[] = []

  constructor(private readonly undo: (() => void)[]) {
    super(undefined as never)
  }

  override get(key: Key): Buffer | undefined {
    return this.values.get(textOf(key))
  }

  override has(key: Key): boolean {
    return this.values.has(textOf(key))
  }

  override put(key: Key, value: Uint8Array): void {
    this.set(textOf(key), Buffer.from(value))
  }

  override delete(key: Key): boolean {
    const isThere = this.has(key)
    this.set(textOf(key), undefined)
    return isThere
  }

  override clear(): void {
    for (const name of [...this.names]) this.set(name, undefined)
  }

  override *range({ start, end, limit = Number.POSITIVE_INFINITY }: KeyRange = {}): IterableIterator<Entry> {
    const first = start === undefined ? 0 : this.placeOf(textOf(start))
    const behind = end === undefined ? this.names.length : this.placeOf(textOf(end))
    for (const name of this.names.slice(first, Math.min(behind, first + limit)))
      yield { key: Buffer.from(name, 'latin1'), value: this.values.get(name)! }
  }

  override *keys(range: KeyRange = {}): IterableIterator<Buffer> {
    for (const { key } of this.range(range)) yield key
  }

  override count(): number {
    return this.names.length
  }

  private set(name: string, value: Buffer | undefined): void {
    const before = this.values.get(name)
    this.undo.push(() => this.replace(name, before))
    this.replace(name, value)
  }

  private replace(name: string, value: Buffer | undefined): void {
    const isThere = this.values.has(name)
    if (value === undefined) this.values.delete(name)
    else this.values.set(name, value)
    if (isThere === (value !== undefined)) return
    this.names.splice(this.placeOf(name), isThere ? 1 : 0, ...(isThere ? [] : [name]))
  }

  private placeOf(name: string): number {
    let lo = 0
    let hi = this.names.length
    while (lo < hi) {
      const middle = (lo + hi) >>> 1
      if (this.names[middle]! < name) lo = middle + 1
      else hi = middle
    }
    return lo
  }
}

/** A folder on the disk of a machine, which outlives its processes. */
export class MemoryFolder {
  private readonly databases = new Map<string, MemoryDatabase>()
  private readonly undo: (() => void)[] = []

  database(name: string): Database {
    const known = this.databases.get(name) ?? new MemoryDatabase(this.undo)
    this.databases.set(name, known)
    return known
  }

  /** All of it or, if it throws, nothing. */
  transact<T>(work: () => T): T {
    this.undo.length = 0
    try {
      return work()
    } catch (error) {
      for (const takeBack of this.undo.reverse()) takeBack()
      throw error
    }
  }

  /** Everything in it, to be compared. */
  content(names: readonly string[]): Record<string, readonly (readonly [string, string])[]> {
    return Object.fromEntries(
      names.map((name) => [
        name,
        Array.from(
          this.database(name).range(),
          ({ key, value }) => [key.toString('latin1'), value.toString()] as const,
        ),
      ]),
    )
  }
}

export interface DiskFaults {
  /** The probability that a transaction fails. */
  readonly failure: number
}

/** A folder as a process has it open. A process that dies before a commit leaves nothing of it, and all of it afterwards. */
export class OpenFolder {
  private busyUntil = 0

  constructor(
    private readonly folder: MemoryFolder,
    private readonly process: Process,
    private readonly random: Random,
    private readonly faults: () => DiskFaults,
  ) {}

  database(name: string): Database {
    return this.folder.database(name)
  }

  async write<T>(work: () => T): Promise<T> {
    const { process, random } = this
    this.busyUntil = Math.max(this.busyUntil, process.now()) + (random.chance(0.02) ? random.between(5, 300) : 0.5)
    await process.wait(this.busyUntil - process.now())
    const isFailing = random.chance(this.faults().failure)
    const answer = this.folder.transact(() => {
      const done = work()
      if (isFailing) throw new Error('no space left on the disk')
      return done
    })
    await process.wait(random.between(0, 1))
    return answer
  }
}
