import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureError } from '../../errors/index.js'
import type { IndexJob, IndexStats, IndexWork, PayloadSource } from '../../index/index.js'
import { print } from '../../json/index.js'
import { receivePayload } from '../../payload/index.js'
import { readPatch } from '../../settings/index.js'
import { isIndexUid } from '../../shape/index.js'
import { type Indexing, newFolderName, type TaskQueue } from '../../tasks/index.js'
import { BadArchive } from '../archive/bad-archive.js'
import type { DumpedIndex } from './dump-reader.js'
import { FilePieces } from './lines.js'

export interface IndexImportServices {
  readonly queue: Pick<TaskQueue, 'store' | 'catalogue' | 'receivePayload'>
  readonly indexing: Indexing
  readonly indexesPath: string
  readonly updatesPath: string
  /** Documents of one transaction, as text. */
  readonly batchBytes: number
  /** Tells the operator how far it is. */
  readonly report: (line: string) => void
}

/** Makes an index of the dump: settings first, so that each document is indexed once, then documents in large batches. */
export async function importIndex(index: DumpedIndex, services: IndexImportServices): Promise<void> {
  const { uid } = index
  if (!isIndexUid(uid)) throw new BadArchive(`${JSON.stringify(uid)} cannot be the name of an index`)
  const { queue } = services
  if (queue.catalogue.get(uid) !== undefined) throw new BadArchive(`the index ${uid} is in it twice`)
  const importing = new IndexImport(index, services)
  const stats = await importing.run()
  await queue.store.write(() => queue.catalogue.put({ uid, folder: importing.folder, stats }))
  services.report(`index ${uid}: ${stats.numberOfDocuments} documents`)
}

class IndexImport {
  readonly folder = newFolderName()
  private step = 0

  constructor(
    private readonly index: DumpedIndex,
    private readonly services: IndexImportServices,
  ) {}

  async run(): Promise<IndexStats> {
    const { settings, createdAt, updatedAt } = this.index
    await this.job({ kind: 'create' }, createdAt)
    const patch = readPatch(settings)
    if (!patch.ok) throw this.refusal(patch.failure.message)
    const stats = await this.job({ kind: 'settings', patches: [print(settings)] }, updatedAt)
    return (await this.documents()) ?? stats
  }

  /** While the indexing thread works on one batch, the next one is read. */
  private async documents(): Promise<IndexStats | undefined> {
    const { indexing, batchBytes } = this.services
    const pieces = new FilePieces(this.index.documents.path, batchBytes)
    let running: Promise<IndexStats> | undefined
    while (await pieces.hasMore()) {
      const payload = await this.receive(pieces.piece())
      await running
      if (payload === undefined) continue
      running = this.add(payload)
      // Looked at above or below; until then it must not count as unhandled.
      running.catch(() => {})
    }
    const stats = await running
    await indexing.release(this.path)
    return stats
  }

  /** Undefined when the piece holds no documents. */
  private async receive(piece: AsyncIterable<Uint8Array>): Promise<PayloadSource | undefined> {
    const receiver = this.services.queue.receivePayload()
    const received = await receivePayload({ name: 'ndjson' }, piece, receiver)
    if (!received.ok) {
      await receiver.discard()
      if (received.failure.code === 'missing_payload') return undefined
      throw new BadArchive(`${this.index.documents.place}: ${received.failure.message}`)
    }
    const payload = await receiver.finish()
    if (received.value === 0) return undefined
    return payload.place === 'inline'
      ? { bytes: payload.content }
      : { path: join(this.services.updatesPath, payload.name) }
  }

  private async add(payload: PayloadSource): Promise<IndexStats> {
    const { primaryKey, updatedAt } = this.index
    const work: IndexWork = {
      kind: 'documents',
      operations: [{ kind: 'import', method: 'replace', primaryKey, skipCreation: false, payload }],
    }
    const stats = await this.job(work, updatedAt)
    if ('path' in payload) await rm(payload.path, { force: true })
    this.services.report(`index ${this.index.uid}: ${stats.numberOfDocuments} documents so far`)
    return stats
  }

  /** The index is dated as in the dump, not as of now. */
  private async job(work: IndexWork, now: string): Promise<IndexStats> {
    const { uid, primaryKey } = this.index
    const job: IndexJob = {
      path: this.path,
      indexUid: uid,
      now,
      batchKey: `import/${this.step++}`,
      create: { primaryKey },
      work,
    }
    try {
      const { outcomes, stats } = await this.services.indexing.run(job, () => {}).done
      const failed = outcomes.find((outcome) => !outcome.ok)
      if (failed !== undefined && !failed.ok) throw this.refusal(failed.failure.message)
      return stats
    } catch (error) {
      throw error instanceof FailureError ? this.refusal(error.failure.message) : error
    }
  }

  private get path(): string {
    return join(this.services.indexesPath, this.folder)
  }

  private refusal(message: string): BadArchive {
    return new BadArchive(`the index ${this.index.uid} cannot be made: ${message}`)
  }
}
