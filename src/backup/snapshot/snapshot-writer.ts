import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Environment } from '../../store/index.js'
import { payloadRefOf, TaskStore } from '../../tasks/index.js'
import { ArchiveWriter } from '../archive/archive-writer.js'
import type { Member } from '../dump/server-state.js'
import type { SnapshotTarget } from './target.js'

export interface SnapshotHead {
  /** Where copies wait until they are in the archive; made and removed again. */
  readonly workPath: string
  /** RFC 3339. */
  readonly date: string
  /** Of gzip. */
  readonly level: number
  /** Small files of the data folder. */
  readonly members: readonly Member[]
}

export interface CopiedStoreOrder {
  /** A store, which must be open on another thread. */
  readonly path: string
  /** Its folder in the archive. */
  readonly name: string
}

export interface CopiedTasksOrder extends CopiedStoreOrder {
  readonly updatesPath: string
  /** Tasks that must not be in the copy. */
  readonly without: readonly number[]
}

/** The name that LMDB gives to the file with the data. */
const DATA_FILE = 'data.mdb'

/** More than any store has. */
const MAX_DATABASES = 32

/** Writes one snapshot: the data folder as of one instant, as an archive (spec 2 §7). */
export class SnapshotWriter {
  private constructor(
    private readonly workPath: string,
    private readonly target: SnapshotTarget,
    private readonly archive: ArchiveWriter,
  ) {}

  static async begin(
    { workPath, date, level, members }: SnapshotHead,
    target: SnapshotTarget,
  ): Promise<SnapshotWriter> {
    const options = { target: target.stream, spoolPath: join(workPath, 'member'), level, modified: new Date(date) }
    const archive = new ArchiveWriter(options)
    const writer = new SnapshotWriter(workPath, target, archive)
    try {
      await mkdir(workPath, { recursive: true })
      for (const [name, text] of members) await (text === null ? archive.folder(name) : archive.text(name, text))
      return writer
    } catch (error) {
      await writer.abandon()
      throw error
    }
  }

  async store({ path, name }: CopiedStoreOrder): Promise<void> {
    await this.copied(path, async (copy) => this.archive.file(`${name}/${DATA_FILE}`, join(copy, DATA_FILE)))
  }

  /** The copy decides which tasks there are; their payloads stay until tasks are processed, which waits for this. */
  async tasks({ path, name, updatesPath, without }: CopiedTasksOrder): Promise<void> {
    await this.copied(path, async (copy) => {
      const payloads = await withoutTasks(copy, without)
      await this.archive.file(`${name}/${DATA_FILE}`, join(copy, DATA_FILE))
      for (const payload of payloads) await this.archive.file(`updates/${payload}`, join(updatesPath, payload))
    })
  }

  async finish(): Promise<void> {
    await this.archive.finish()
    await this.target.finish()
    await rm(this.workPath, { recursive: true, force: true })
  }

  /** Leaves nothing behind. */
  async abandon(): Promise<void> {
    await this.archive.abandon()
    await this.target.abandon()
    await rm(this.workPath, { recursive: true, force: true })
  }

  /** As of one instant, and without holes. */
  private async copied(path: string, use: (copy: string) => Promise<void>): Promise<void> {
    const copy = join(this.workPath, 'copy')
    const environment = Environment.open(path, { readOnly: true, maxDatabases: MAX_DATABASES })
    try {
      await environment.copyCompacted(copy)
      await use(copy)
    } finally {
      await environment.close()
      await rm(copy, { recursive: true, force: true })
    }
  }
}

/** Takes tasks out of a copy of the task store. Answers the names of the payloads that the others wait for. */
async function withoutTasks(copy: string, uids: readonly number[]): Promise<string[]> {
  const environment = Environment.open(copy, { maxDatabases: MAX_DATABASES })
  try {
    const store = new TaskStore(environment)
    const gone = uids.flatMap((uid) => store.get(uid) ?? [])
    await store.write(() => store.change(gone.map((before) => ({ before }))))
    return payloadNames(store)
  } finally {
    await environment.close()
  }
}

function payloadNames(store: TaskStore): string[] {
  const withPayloads = store.withType('documentAdditionOrUpdate').or(store.withType('documentDeletion'))
  return [...store.withStatus('enqueued').and(withPayloads)].flatMap((uid) => {
    const content = store.get(uid)?.content
    const payload = content && payloadRefOf(content)
    return payload?.place === 'file' ? [payload.name] : []
  })
}
