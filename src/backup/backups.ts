import { basename, join } from 'node:path'
import { compareBytes } from '../byte-order/index.js'
import type { S3Config } from '../config/index.js'
import { isObject, parse } from '../json/index.js'
import type { AllowedNetworks } from '../outbound/index.js'
import { matchesIndexPattern } from '../shape/index.js'
import type {
  CatalogueEntry,
  ExportedIndex,
  ProgressListener,
  RunningServerJob,
  ServerJob,
  ServerJobs,
  Surroundings,
  TaskContent,
  TaskResults,
} from '../tasks/index.js'
import { ownerMark, UnfinishedFile } from './archive/unfinished-file.js'
import type { BackupAnswer, BackupOrders, BackupWork, Executor, SnapshotPlace } from './backup-executor.js'
import { type Member, type ServerState, stateMembers } from './dump/server-state.js'
import type { ExportGates } from './export/export-index.js'
import type { Handover } from './export/hand-over.js'
import { checkCancelled, type Watch } from './watch.js'

export interface BackupServices {
  readonly dbPath: string
  readonly dbVersion: string
  readonly instanceUid: string | null
  readonly dumpsPath: string
  readonly snapshotsPath: string
  /** Where snapshots go instead, and which addresses may be called. */
  readonly s3: { readonly config: S3Config; readonly networks: AllowedNetworks } | null
  readonly exports: {
    /** Documents of one request unless the task says otherwise. */
    readonly payloadBytes: number
    readonly networks: AllowedNetworks
    /** As they are now. */
    readonly gates: () => ExportGates
  }
  /** As it is now. The keys of a dump are those of its task. */
  readonly state: () => Omit<ServerState, 'keys' | 'instanceUid'>
  /** Marks the data folder as one of another version. */
  readonly writeVersion: (version: string) => void
  /** Keeps the folder of an index open on this thread until the answer is called. */
  readonly hold: (path: string) => () => void
  /** A executor for one job: one that is small is done before a thread would have started. */
  readonly openExecutor: (size: 'small' | 'large') => Executor
}

/** Of gzip: a snapshot should be done soon, and restored soon. */
const LEVEL = 1

/** Does the jobs that concern the whole server. */
export class Backups implements ServerJobs {
  private readonly owner: string

  constructor(private readonly services: BackupServices) {
    this.owner = ownerMark(services.dbPath)
  }

  run(job: ServerJob, onProgress: ProgressListener): RunningServerJob {
    let isCancelled = false
    const watch: Watch = { progress: onProgress, isCancelled: () => isCancelled }
    return { done: this.start(job, watch), cancel: () => void (isCancelled = true) }
  }

  /** Only an upgrade to this version can be undone by this version. */
  async undoUpgrade({ from, to }: Extract<TaskContent, { type: 'upgradeDatabase' }>): Promise<void> {
    if (to === this.services.dbVersion) this.services.writeVersion(from)
  }

  private start(job: ServerJob, watch: Watch): Promise<TaskResults> {
    switch (job.kind) {
      case 'dump':
        return this.dump(job, watch)
      case 'snapshot':
        return this.snapshot(job, watch)
      case 'export':
        return this.export(job, watch)
    }
  }

  /** Everything small is taken now, in one turn; indexes and older tasks do not change until the job is done. */
  private dump(job: Extract<ServerJob, { kind: 'dump' }>, watch: Watch): Promise<TaskResults> {
    const { task, now, indexes, nextTaskUid } = job
    const { dbPath, dbVersion, dumpsPath } = this.services
    if (task.content.type !== 'dumpCreation') throw new Error(`task ${task.uid} is no dump`)
    const dumpUid = dumpUidOf(now)
    const members = stateMembers({ ...this.services.state(), ...dumpedKeys(task.content) })
    return this.byExecutor({ size: this.sizeOf(job), watch }, async (executor) => {
      const path = join(dumpsPath, `${dumpUid}.dump`)
      await executor('beginDump', { path, owner: this.owner, date: now, dbVersion, members })
      for (const { uid, folder } of indexes) {
        await this.holding(join(dbPath, 'indexes', folder), (path) => executor('dumpIndex', { uid, path }))
      }
      const updatesPath = join(dbPath, 'updates')
      await executor('dumpTasks', { path: join(dbPath, 'tasks'), updatesPath, nextTaskUid, dumpTaskUid: task.uid, now })
      await executor('finish', null)
      return { dumpUid }
    })
  }

  /** The tasks come first: their copy is the instant that counts. What they refer to stays until the job is done. */
  private snapshot(job: Extract<ServerJob, { kind: 'snapshot' }>, watch: Watch): Promise<TaskResults> {
    const { dbPath, s3 } = this.services
    const name = `${basename(dbPath)}.snapshot`
    // One on the local disk is not stopped: it is done soon (spec 2 §2.6).
    const used: Watch = s3 === null ? { ...watch, isCancelled: () => false } : watch
    const level = s3?.config.compressionLevel ?? LEVEL
    return this.archive(job, used, { name, level, place: this.placeOf(name) })
  }

  /** A snapshot for another server of the cluster, to be called while no index changes. */
  async copyTo(path: string, there: Surroundings): Promise<void> {
    const place: SnapshotPlace = { kind: 'file', path, owner: this.owner }
    const watch: Watch = { progress: () => {}, isCancelled: () => false }
    await this.archive({ kind: 'snapshot', tasks: [], ...there }, watch, { name: basename(path), level: LEVEL, place })
  }

  private archive(
    job: Extract<ServerJob, { kind: 'snapshot' }>,
    watch: Watch,
    { name, level, place }: { readonly name: string; readonly level: number; readonly place: SnapshotPlace },
  ): Promise<TaskResults> {
    const { dbPath, snapshotsPath } = this.services
    const workPath = new UnfinishedFile(join(snapshotsPath, `${name}.copies`), this.owner).path
    return this.byExecutor({ size: this.sizeOf(job), watch }, async (executor) => {
      const head = { workPath, date: job.now, level }
      await executor('beginSnapshot', { ...head, members: this.folderMembers(), place })
      const updatesPath = join(dbPath, 'updates')
      const without = job.tasks.map(({ uid }) => uid)
      await executor('copyTasks', { path: join(dbPath, 'tasks'), name: 'tasks', updatesPath, without })
      await executor('copyStore', { path: join(dbPath, 'auth'), name: 'auth' })
      for (const [i, { uid, folder }] of job.indexes.entries()) {
        watch.progress(`copying the index ${uid}`, i, job.indexes.length)
        await this.holding(join(dbPath, 'indexes', folder), (path) =>
          executor('copyStore', { path, name: `indexes/${folder}` }),
        )
      }
      await executor('finish', null)
      return {}
    })
  }

  private placeOf(name: string): SnapshotPlace {
    const { s3, snapshotsPath } = this.services
    if (s3 === null) return { kind: 'file', path: join(snapshotsPath, name), owner: this.owner }
    return { kind: 's3', name, ...s3 }
  }

  /** Each index is taken by the first pattern that fits, in byte order: `*` comes before all names (spec 2 §9.2). */
  private export(job: Extract<ServerJob, { kind: 'export' }>, watch: Watch): Promise<TaskResults> {
    const { dbPath, exports } = this.services
    const { content } = job.task
    if (content.type !== 'export') throw new Error(`task ${job.task.uid} is no export`)
    const rules = content.indexes.toSorted((a, b) => compareBytes(a.pattern, b.pattern))
    const gates = exports.gates()
    const payloadBytes = content.payloadBytes ?? exports.payloadBytes
    const target = { url: content.url, apiKey: content.apiKey }
    return this.byExecutor({ size: this.sizeOf(job), watch }, async (executor) => {
      const exported: ExportedIndex[] = []
      for (const { uid, folder } of job.indexes) {
        const rule = rules.find(({ pattern }) => matchesIndexPattern(pattern, uid))
        if (rule === undefined) continue
        const { filter, overrideSettings } = rule
        const order = { uid, filter, overrideSettings, target, payloadBytes, gates, networks: exports.networks }
        const matchedDocuments = await this.holding(join(dbPath, 'indexes', folder), (path) =>
          executor('exportIndex', { ...order, path }),
        )
        exported.push({ uid, filter, overrideSettings, matchedDocuments })
      }
      return { exported }
    })
  }

  /** Sends documents to other servers of the network, which own their shards from now on. Answers how many. */
  async handOver(handover: Handover, indexes: readonly CatalogueEntry[], watch: Watch): Promise<number> {
    const { dbPath, exports } = this.services
    const { networks, gates } = exports
    const more = { indexCount: indexes.length, payloadBytes: HANDED_OVER_BYTES, gates: gates(), networks }
    return this.byExecutor({ size: sizeOfDocuments(indexes), watch }, async (executor) => {
      let moved = 0
      for (const { uid, folder } of indexes) {
        moved += await this.holding(join(dbPath, 'indexes', folder), (path) =>
          executor('handOverIndex', { ...handover, ...more, uid, path }),
        )
      }
      return moved
    })
  }

  /** How much of the work the asking thread would do: LMDB and zlib copy files on threads of their own. */
  private sizeOf({ kind, indexes, nextTaskUid }: ServerJob): 'small' | 'large' {
    if (nextTaskUid > SMALL_TASKS) return 'large'
    const isCopy = kind === 'snapshot' && this.services.s3 === null
    return isCopy ? 'small' : sizeOfDocuments(indexes)
  }

  private folderMembers(): Member[] {
    const { dbVersion, instanceUid } = this.services
    return [
      ['VERSION', dbVersion],
      ...(instanceUid === null ? [] : [['instance-uid', instanceUid] as const]),
      ['updates', null],
      ['indexes', null],
    ]
  }

  private async holding<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
    const letGo = this.services.hold(path)
    try {
      return await work(path)
    } finally {
      letGo()
    }
  }

  private async byExecutor<T>(
    { size, watch }: { size: 'small' | 'large'; watch: Watch },
    work: (executor: Ask) => Promise<T>,
  ): Promise<T> {
    const executor = this.services.openExecutor(size)
    const ask: Ask = (step, order) => {
      checkCancelled(watch)
      return executor.do(step, order, watch)
    }
    try {
      return await work(ask)
    } catch (error) {
      await executor.do('abandon', null, watch).catch(() => {})
      throw error
    } finally {
      await executor.close()
    }
  }
}

/** Up to so many bytes of documents, and so many tasks, take a few milliseconds. */
const SMALL_BYTES = 1 << 19
const SMALL_TASKS = 1000

function sizeOfDocuments(indexes: readonly CatalogueEntry[]): 'small' | 'large' {
  return indexes.reduce((sum, { stats }) => sum + stats.sizeBytes, 0) <= SMALL_BYTES ? 'small' : 'large'
}

/** Documents of one request to another server of the network. */
const HANDED_OVER_BYTES = 8 << 20

type Ask = <W extends BackupWork>(work: W, order: BackupOrders[W]) => Promise<BackupAnswer<W>>

/** What the task took along when it was requested. */
function dumpedKeys(
  content: Extract<TaskContent, { type: 'dumpCreation' }>,
): Pick<ServerState, 'keys' | 'instanceUid'> {
  const parsed = parse(content.keys)
  if (!parsed.ok || !Array.isArray(parsed.value)) throw new Error('the keys of a dump cannot be read')
  return { keys: parsed.value.filter(isObject), instanceUid: content.instanceUid }
}

/** `2026-01-05T10:15:30.123456Z` becomes `20260105-101530123` (spec 2 §6.1). */
function dumpUidOf(now: string): string {
  const [date = '', time = ''] = now.replace(/Z$/, '').split('T')
  const [clock = '', fraction = ''] = time.split('.')
  return `${date.replaceAll('-', '')}-${clock.replaceAll(':', '')}${fraction.slice(0, 3).padEnd(3, '0')}`
}
