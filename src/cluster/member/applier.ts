import { createHash } from 'node:crypto'
import type { Result } from '../../errors/index.js'
import type { Environment } from '../../store/index.js'
import { Divergence, type LoggedTask, receivedWith, type Task } from '../../tasks/index.js'
import type { Ledger } from '../ledger/ledger.js'
import type { LogEntry } from '../log/model.js'
import type { AcceptedTask, BatchRecord, ChainLink, ClusterRecord, StateRecord, TaskRecord } from '../records/record.js'
import type { ReplicatedState } from './replicated-state.js'

/** An entry of the log with what it says. */
export interface ReadEntry {
  readonly entry: LogEntry
  readonly record: ClusterRecord
}

export interface ApplierOptions {
  readonly ledger: Ledger
  /** Runs work in a transaction of the folder that holds tasks and system state. */
  readonly write: <T>(work: () => T) => Promise<T>
  /** Inside that transaction. */
  readonly registerTasks: (tasks: readonly LoggedTask[]) => Result<Task>[]
  readonly system: ReplicatedState
  /** State in a folder of its own, which therefore knows by itself how far it has come. */
  readonly auth: { readonly environment: Pick<Environment, 'database' | 'write'>; readonly state: ReplicatedState }
}

/** What came of a group of entries. */
export interface Applied {
  /** By the ids of their entries, in the order of each. */
  readonly registered: ReadonlyMap<string, readonly Result<Task>[]>
}

/** Links that are kept for checking: the coordinator's may be so many entries older than its batch. */
const KEPT_LINKS = 16_384

/** Registers what the log says, in its order: tasks and state are applied, batches noted to be carried out. */
export class Applier {
  private readonly links = new Map<number, string>()
  private readonly authPosition

  constructor(private readonly options: ApplierOptions) {
    this.authPosition = options.auth.environment.database('cluster')
  }

  /** All of them in one transaction with the place they lead to, which makes doing it twice impossible. */
  async apply(entries: readonly ReadEntry[]): Promise<Applied> {
    const { ledger, write } = this.options
    const links = linksOf(ledger.link, entries)
    this.checkLinks(entries, links)
    const tellAuth = await this.applyAuth(entries)
    const { registered, tell } = await write(() => this.applyInside(entries, links))
    for (const { sequence, hash } of links) this.links.set(sequence, hash)
    this.dropOldLinks()
    for (const announce of [...tellAuth, ...tell]) announce()
    return { registered }
  }

  private applyInside(entries: readonly ReadEntry[], links: readonly ChainLink[]) {
    const { ledger, system } = this.options
    const fresh = entries.filter(({ entry }) => this.isNew(entry))
    const tell: (() => void)[] = []
    for (const { entry, record } of fresh) {
      if (record.kind === 'batch') this.note(entry.sequence, record)
      else if (record.kind === 'state' && record.place === 'system') tell.push(system.apply(record))
    }
    // Doubles count as well: they are what the next of their kind is compared with.
    const lastOf = new Map(entries.map(({ entry }) => [entry.kind, entry.sequence]))
    for (const [kind, sequence] of lastOf) ledger.putLastOf(kind, sequence)
    ledger.link = links[links.length - 1]!
    return { registered: this.register(fresh), tell }
  }

  /** An entry that came twice, because whoever appended it heard nothing the first time, counts once. */
  private isNew({ id, sequence }: LogEntry): boolean {
    const { ledger } = this.options
    if (ledger.knows(id)) return false
    ledger.remember(id, sequence)
    return true
  }

  private note(sequence: number, record: BatchRecord): void {
    const { ledger } = this.options
    // Who decided on it may have carried it out already.
    if (sequence > ledger.carriedOut) ledger.addPending(sequence, record)
  }

  private register(entries: readonly ReadEntry[]): Map<string, Result<Task>[]> {
    const records = entries.filter(isOfTasks)
    const tasks = records.flatMap(({ record }) => record.tasks)
    for (const task of tasks) this.notePayload(task)
    const results = this.options.registerTasks(tasks).values()
    return new Map(records.map(({ entry, record }) => [entry.id, record.tasks.map(() => results.next().value!)]))
  }

  private notePayload({ content, blob }: AcceptedTask): void {
    const payload = receivedWith(content)
    if (blob !== undefined && payload?.place === 'file') this.options.ledger.putPayload(payload.name, blob)
  }

  private async applyAuth(entries: readonly ReadEntry[]): Promise<(() => void)[]> {
    const { environment, state } = this.options.auth
    const records = entries.filter(isOfAuth)
    const last = records[records.length - 1]
    if (last === undefined) return []
    return environment.write(() => {
      const done = this.authPosition.get(POSITION)?.readUIntBE(0, 6) ?? 0
      const position = Buffer.alloc(6)
      position.writeUIntBE(Math.max(done, last.entry.sequence), 0, 6)
      this.authPosition.put(POSITION, position)
      return records.filter(({ entry }) => entry.sequence > done).map(({ record }) => state.apply(record))
    })
  }

  private checkLinks(entries: readonly ReadEntry[], links: readonly ChainLink[]): void {
    const known = new Map(links.map(({ sequence, hash }) => [sequence, hash]))
    for (const { record } of entries) {
      if (record.kind !== 'batch') continue
      const { sequence, hash } = record.chain
      const own = known.get(sequence) ?? this.links.get(sequence)
      if (own !== undefined && own !== hash)
        throw new Divergence(`it has read something else of the log up to ${sequence}`)
    }
  }

  private dropOldLinks(): void {
    for (const sequence of this.links.keys()) {
      if (this.links.size <= KEPT_LINKS) return
      this.links.delete(sequence)
    }
  }
}

const POSITION = Buffer.from('p')

const isOfTasks = (read: ReadEntry): read is ReadEntry & { readonly record: TaskRecord } => read.record.kind === 'task'
const isOfAuth = (read: ReadEntry): read is ReadEntry & { readonly record: StateRecord } =>
  read.record.kind === 'state' && read.record.place === 'auth'

/** The link behind each entry. */
function linksOf(before: ChainLink, entries: readonly ReadEntry[]): ChainLink[] {
  let { sequence, hash } = before
  return entries.map(({ entry }) => {
    if (entry.sequence !== sequence + 1)
      throw new Error(`entry ${entry.sequence} of the log does not follow ${sequence}`)
    sequence = entry.sequence
    hash = createHash('sha256').update(hash).update(entry.id).update('\0').update(entry.body).digest('hex').slice(0, 32)
    return { sequence, hash }
  })
}
