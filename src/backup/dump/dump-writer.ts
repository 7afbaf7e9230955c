import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readSettings } from '../../folder/index.js'
import { idsOf, type PayloadSource, recordsOf } from '../../index/index.js'
import { fromPlain, print } from '../../json/index.js'
import { documentLine } from '../../payload/index.js'
import { dumpView } from '../../settings/index.js'
import { Environment } from '../../store/index.js'
import { type Batch, type PayloadRef, type Task, TaskStore } from '../../tasks/index.js'
import { ArchiveWriter } from '../archive/archive-writer.js'
import { UnfinishedFile } from '../archive/unfinished-file.js'
import { checkCancelled, type Watch } from '../watch.js'
import { withIndexFolder } from '../with-index-folder.js'
import { batchLine } from './batch-line.js'
import { documentLines } from './document-lines.js'
import type { Member } from './server-state.js'
import { taskLine } from './task-line.js'

export interface DumpHead {
  /** The finished file. */
  readonly path: string
  /** See `UnfinishedFile`. */
  readonly owner: string
  /** RFC 3339. */
  readonly date: string
  readonly dbVersion: string
  readonly members: readonly Member[]
}

export interface DumpedIndexOrder {
  readonly uid: string
  /** The folder, which must be open on another thread. */
  readonly path: string
}

export interface DumpedTasksOrder {
  /** The task store, which must be open on another thread. */
  readonly path: string
  readonly updatesPath: string
  /** Tasks from this uid on came later. */
  readonly nextTaskUid: number
  /** The task that writes this dump: it stands in it as done. */
  readonly dumpTaskUid: number
  readonly now: string
}

/** Of gzip: half the time of the usual level 6, for a twentieth more of size. */
const LEVEL = 4

/** Records that are read in one go. */
const PAGE = 1000

/** More than the databases of the task store. */
const MAX_DATABASES = 32

/** Writes one dump (spec 2 §6.2) member by member, in bounded memory; the file appears when it is finished. */
export class DumpWriter {
  private constructor(
    private readonly file: UnfinishedFile,
    private readonly archive: ArchiveWriter,
  ) {}

  static async begin({ path, owner, date, dbVersion, members }: DumpHead): Promise<DumpWriter> {
    await mkdir(dirname(path), { recursive: true })
    const file = new UnfinishedFile(path, owner)
    const archive = new ArchiveWriter({
      target: createWriteStream(file.path),
      spoolPath: new UnfinishedFile(`${path}.member`, owner).path,
      level: LEVEL,
      modified: new Date(date),
    })
    const writer = new DumpWriter(file, archive)
    try {
      const metadata = { dumpVersion: 'V6', dbVersion, dumpDate: date }
      await archive.text('metadata.json', JSON.stringify(metadata))
      for (const [name, text] of members) await (text === null ? archive.folder(name) : archive.text(name, text))
      await archive.folder('indexes')
      return writer
    } catch (error) {
      await writer.abandon()
      throw error
    }
  }

  index(order: DumpedIndexOrder, watch: Watch): Promise<void> {
    const { uid } = order
    return withIndexFolder(order, async (folder) => {
      const { primaryKey, createdAt, updatedAt } = folder.meta()!
      const name = `indexes/${uid}`
      await this.archive.folder(name)
      await this.archive.text(`${name}/metadata.json`, print(fromPlain({ uid, primaryKey, createdAt, updatedAt })))
      await this.archive.text(`${name}/settings.json`, print(dumpView(readSettings(folder))))
      await this.archive.chunks(`${name}/documents.jsonl`, documentLines(folder, uid, watch))
    })
  }

  async tasks(order: DumpedTasksOrder, watch: Watch): Promise<void> {
    const environment = Environment.open(order.path, { readOnly: true, maxDatabases: MAX_DATABASES })
    try {
      const store = new TaskStore(environment)
      await this.archive.folder('tasks')
      await this.archive.chunks('tasks/queue.jsonl', taskLines(store, order, watch))
      await this.archive.folder('tasks/update_files')
      await this.payloads(store, order, watch)
      await this.archive.folder('batches')
      await this.archive.chunks('batches/queue.jsonl', batchLines(store, watch))
    } finally {
      await environment.close()
    }
  }

  async finish(): Promise<void> {
    await this.archive.finish()
    await this.file.finish()
  }

  /** Leaves nothing behind. */
  async abandon(): Promise<void> {
    await this.archive.abandon()
    await rm(this.file.path, { force: true })
  }

  private async payloads(store: TaskStore, order: DumpedTasksOrder, watch: Watch): Promise<void> {
    const waiting = store.withStatus('enqueued').and(store.withType('documentAdditionOrUpdate'))
    for (const uid of waiting) {
      if (uid >= order.nextTaskUid) return
      checkCancelled(watch)
      const source = payloadOf(store, uid, order.updatesPath)
      if (source !== undefined) await this.archive.chunks(`tasks/update_files/${uid}.jsonl`, payloadLines(source))
    }
  }
}

function* taskLines(store: TaskStore, order: DumpedTasksOrder, watch: Watch): Generator<Buffer, void, void> {
  const { nextTaskUid, dumpTaskUid, now } = order
  let from = 0
  for (;;) {
    checkCancelled(watch)
    const page = store.range(from, nextTaskUid, PAGE)
    if (page.length === 0) return
    const lines = page.map((task) =>
      taskLine(task.uid === dumpTaskUid ? done(task, now) : withIds(task, store, order.updatesPath)),
    )
    from = page.at(-1)!.uid + 1
    watch.progress('dumping the tasks', from, nextTaskUid)
    yield Buffer.from(lines.join(''))
  }
}

/** Dumps have the ids of a deletion in its line, however many there are. */
function withIds(task: Task, store: TaskStore, updatesPath: string): Task {
  const { content, status, uid } = task
  if (content.type !== 'documentDeletion' || content.selection.by !== 'idList' || status !== 'enqueued') return task
  const ids = idsOf(sourceOf(content.selection.payload, { store, uid, updatesPath }))
  return { ...task, content: { ...content, selection: { by: 'ids', ids } } }
}

/** With times that are as good as any: when it ends is not known yet. */
const done = (task: Task, now: string): Task => ({ ...task, status: 'succeeded', startedAt: now, finishedAt: now })

function* batchLines(store: TaskStore, watch: Watch): Generator<Buffer, void, void> {
  let from = 0
  for (;;) {
    checkCancelled(watch)
    const page: Batch[] = store.batchRange(from, PAGE)
    if (page.length === 0) return
    from = page.at(-1)!.uid + 1
    yield Buffer.from(page.map(batchLine).join(''))
  }
}

function payloadOf(store: TaskStore, uid: number, updatesPath: string): PayloadSource | undefined {
  const content = store.get(uid)?.content
  if (content?.type !== 'documentAdditionOrUpdate' || content.payload.bytes <= EMPTY_PAYLOAD_BYTES) return undefined
  return sourceOf(content.payload, { store, uid, updatesPath })
}

interface PayloadPlaces {
  readonly store: TaskStore
  readonly uid: number
  readonly updatesPath: string
}

function sourceOf(payload: PayloadRef, { store, uid, updatesPath }: PayloadPlaces): PayloadSource {
  if (payload.place === 'file') return { path: join(updatesPath, payload.name) }
  const bytes = store.payload(uid)
  if (bytes === undefined) throw new Error(`the payload of task ${uid} is missing`)
  return { bytes }
}

/** The version of a payload without documents. Old dumps do not tell how many there are. */
const EMPTY_PAYLOAD_BYTES = 1

/** Stands for a document that was received but can never be stored: without an id it fails its task again. */
const BROKEN_LINE = Buffer.from('{}\n')

const CHUNK_BYTES = 1 << 18

function* payloadLines(source: PayloadSource): Generator<Buffer, void, void> {
  let lines: Buffer[] = []
  let bytes = 0
  for (const record of recordsOf(source)) {
    const line = 'document' in record ? documentLine(record.document) : BROKEN_LINE
    lines.push(line)
    bytes += line.length
    if (bytes < CHUNK_BYTES) continue
    yield Buffer.concat(lines, bytes)
    lines = []
    bytes = 0
  }
  yield Buffer.concat(lines, bytes)
}
