import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bitmap } from '../../bitmap/index.js'
import { FailureError } from '../../errors/index.js'
import { IndexFolder } from '../../folder/index.js'
import { type IndexWork, type JobServices, runIndexJob, type TaskOutcome, upgradeFolder } from '../../index/index.js'
import { parse } from '../../json/index.js'
import { parseFilter, selectDocuments } from '../../match/index.js'
import { receivePayload } from '../../payload/index.js'
import { type Database, Environment } from '../../store/index.js'
import { JobCancelled } from '../../threads/index.js'
import { KeptCentres } from '../../vectors/index.js'

/** All that can happen to what is searched. */
export type Change =
  | { readonly kind: 'add'; readonly uid: string; readonly method: 'replace' | 'update'; readonly documents: object[] }
  | { readonly kind: 'deleteIds'; readonly uid: string; readonly ids: readonly string[] }
  | { readonly kind: 'deleteFilter'; readonly uid: string; readonly filter: string }
  | { readonly kind: 'edit'; readonly uid: string; readonly function: string }
  | { readonly kind: 'clear'; readonly uid: string }
  | { readonly kind: 'settings'; readonly uid: string; readonly patch: object }
  /** A batch that is stopped in the middle: nothing of it remains. */
  | { readonly kind: 'cancelled'; readonly uid: string; readonly documents: object[] }
  /** More versions than journals hold, of which none changes anything. */
  | { readonly kind: 'versions'; readonly uid: string; readonly count: number }
  | { readonly kind: 'swap' }
  /** A copy without holes takes the place of the folder, as after a compaction or from a snapshot. */
  | { readonly kind: 'copy'; readonly uid: string }
  /** The index as an older version wrote it. */
  | { readonly kind: 'downgrade'; readonly uid: string }
  | { readonly kind: 'upgrade'; readonly uid: string }
  /** Nothing is left of the folder, and there is a new one of that name. */
  | { readonly kind: 'recreate'; readonly uid: string }

/** From so many documents on beginnings are kept: low enough to be passed again and again. */
export const MANY_DOCUMENTS = 250

const services: JobServices = {
  selectByFilter(folder, { indexUid, filter }) {
    const value = parse(filter)
    const parsed = value.ok ? parseFilter(value.value, { code: 'invalid_document_filter', reading: 'once' }) : undefined
    const selected = parsed?.ok && parsed.value ? selectDocuments({ indexUid, folder }, parsed.value) : undefined
    if (selected?.ok === false) throw new FailureError(selected.failure)
    return selected?.value ?? Bitmap.empty()
  },
  words: { manyDocuments: MANY_DOCUMENTS, sets: { manyDocuments: MANY_DOCUMENTS, mostChanged: 5 } },
  keptCentres: new KeptCentres(),
}

/** Lets go of a folder before it is deleted. */
export type Release = (path: string) => Promise<void>

/** Two indexes that are changed as tasks change them. */
export class ChangingIndexes {
  private readonly root = mkdtempSync(join(tmpdir(), 'findling-warm-'))
  private readonly byUid = new Map<string, IndexFolder>()
  private folderCount = 0
  private batches = 0

  constructor(
    readonly uids: readonly [string, string],
    private readonly release: Release,
  ) {
    for (const uid of uids) this.byUid.set(uid, this.newIndex())
  }

  get folders(): [uid: string, path: string][] {
    return Array.from(this.byUid, ([uid, { environment }]) => [uid, environment.path])
  }

  /** Undefined when there is no such index. */
  stateOf(uid: string): { path: string; version: number } | undefined {
    const folder = this.byUid.get(uid)
    return folder && { path: folder.environment.path, version: folder.version() }
  }

  async delete(): Promise<void> {
    for (const folder of this.byUid.values()) await this.drop(folder)
    rmSync(this.root, { recursive: true, force: true })
  }

  async apply(change: Change): Promise<void> {
    switch (change.kind) {
      case 'add':
        return expectDone(this.run(change.uid, await documentsWork(change.documents, change.method)))
      case 'deleteIds':
        return void this.run(change.uid, { kind: 'deletions', operations: [change] })
      case 'deleteFilter': {
        const filter = JSON.stringify(change.filter)
        return void this.run(change.uid, { kind: 'deletions', operations: [{ kind: 'deleteFilter', filter }] })
      }
      case 'edit':
        return void this.run(change.uid, { kind: 'edit', filter: null, context: null, function: change.function })
      case 'clear':
        return void this.run(change.uid, { kind: 'clear', patches: [] })
      case 'settings':
        return void this.run(change.uid, { kind: 'settings', patches: [JSON.stringify(change.patch)] })
      case 'cancelled':
        return void this.run(change.uid, await documentsWork(change.documents, 'replace'), () => true)
      case 'versions': {
        const folder = this.byUid.get(change.uid)!
        for (let i = 0; i < change.count; i++) folder.write(() => {})
        return
      }
      case 'swap':
        return this.swap()
      default:
        return this.replace(change.uid, change.kind)
    }
  }

  /** Changes may fail, as a filter on an attribute that is not filterable does. */
  private run(uid: string, work: IndexWork, isCancelled = () => false): readonly TaskOutcome[] {
    const folder = this.byUid.get(uid)!
    const job = { path: folder.environment.path, indexUid: uid, now: '2026-01-05T10:00:00Z', create: null, work }
    try {
      const hooks = { progress() {}, isCancelled }
      return runIndexJob(folder, { ...job, batchKey: String(this.batches++) }, services, hooks).outcomes
    } catch (error) {
      if (error instanceof FailureError) return [{ ok: false, failure: error.failure }]
      if (error instanceof JobCancelled) return []
      throw error
    }
  }

  private swap(): void {
    const [a, b] = this.uids
    const [folderA, folderB] = [this.byUid.get(a)!, this.byUid.get(b)!]
    this.byUid.set(a, folderB)
    this.byUid.set(b, folderA)
  }

  private async replace(uid: string, how: 'copy' | 'downgrade' | 'upgrade' | 'recreate'): Promise<void> {
    const old = this.byUid.get(uid)!
    const next = await this.successorOf(old, how)
    if (next === undefined) return
    this.byUid.set(uid, next)
    await this.drop(old)
  }

  private async successorOf(
    old: IndexFolder,
    how: 'copy' | 'downgrade' | 'upgrade' | 'recreate',
  ): Promise<IndexFolder | undefined> {
    if (how === 'recreate') return this.newIndex()
    const path = this.newPath()
    if (how === 'copy') await old.environment.copyCompacted(path)
    else if (how === 'downgrade') await writeOlder(old, path)
    else if ((await upgradeFolder(old, path, () => false)) === undefined) return undefined
    return IndexFolder.open(path)
  }

  private async drop(folder: IndexFolder): Promise<void> {
    const { path } = folder.environment
    await this.release(path)
    await folder.close()
    rmSync(path, { recursive: true, force: true })
  }

  private newIndex(): IndexFolder {
    const folder = IndexFolder.open(this.newPath())
    folder.write(() => folder.create('2026-01-05T10:00:00Z', 'id'))
    return folder
  }

  private newPath(): string {
    return join(this.root, String(this.folderCount++))
  }
}

function expectDone(outcomes: readonly TaskOutcome[]): void {
  for (const outcome of outcomes) if (!outcome.ok) throw new FailureError(outcome.failure)
}

async function documentsWork(documents: object[], method: 'replace' | 'update'): Promise<IndexWork> {
  const parts: Buffer[] = []
  const sink = { write: async (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)) }
  const received = await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], sink)
  if (!received.ok) throw new Error(received.failure.message)
  const payload = { bytes: Buffer.concat(parts) }
  return { kind: 'documents', operations: [{ kind: 'import', method, payload, primaryKey: null, skipCreation: false }] }
}

/** As versions before 1.49.0 did: without checksums. */
async function writeOlder(index: IndexFolder, path: string): Promise<void> {
  const older = Environment.open(path, { maxDatabases: 32 })
  for (const [name, database] of Object.entries<Database>({ ...index.databases })) {
    const target = older.database(name)
    older.writeSync(() => {
      for (const { key, value } of database.range()) target.append(key, value)
    })
  }
  await older.close()
}
