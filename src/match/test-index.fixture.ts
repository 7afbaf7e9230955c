import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bitmap } from '../bitmap/index.js'
import { FailureError } from '../errors/index.js'
import { IndexFolder } from '../folder/index.js'
import {
  type IndexWork,
  type JobServices,
  type PayloadSource,
  runIndexJob,
  type TaskOutcome,
  type WordResources,
} from '../index/index.js'
import { parse } from '../json/index.js'
import { receivePayload } from '../payload/index.js'
import { parseFilter } from './filter/parse-filter.js'
import { selectDocuments } from './filter/select-documents.js'

const services: JobServices = {
  selectByFilter(folder, { indexUid, filter }) {
    const value = parse(filter)
    const parsed = value.ok ? parseFilter(value.value, { code: 'invalid_document_filter', reading: 'once' }) : undefined
    const selected = parsed?.ok && parsed.value ? selectDocuments({ indexUid, folder }, parsed.value) : undefined
    if (selected?.ok === false) throw new FailureError(selected.failure)
    return selected?.value ?? Bitmap.empty()
  },
}

/** An index in a folder of its own, changed by jobs as the indexing thread does it. */
export class TestIndex {
  readonly indexUid = 'shop'
  private readonly path = mkdtempSync(join(tmpdir(), 'findling-index-'))
  private batches = 0
  folder = IndexFolder.open(this.path)

  run(work: IndexWork, words: WordResources = {}): readonly TaskOutcome[] {
    const batchKey = String(this.batches++)
    const create = { primaryKey: 'id' }
    const job = { path: this.path, indexUid: this.indexUid, now: '2026-01-05T10:00:00Z', batchKey, create, work }
    return runIndexJob(this.folder, job, { ...services, words }, { progress() {}, isCancelled: () => false }).outcomes
  }

  /** Closes the folder and opens it again. */
  async reopen(): Promise<void> {
    await this.folder.close()
    this.folder = IndexFolder.open(this.path)
  }

  async delete(): Promise<void> {
    await this.folder.close()
    rmSync(this.path, { recursive: true, force: true })
  }
}

export async function payloadOf(documents: readonly object[]): Promise<PayloadSource> {
  const parts: Buffer[] = []
  const sink = {
    async write(bytes: Uint8Array) {
      parts.push(Buffer.from(bytes))
    },
  }
  const received = await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], sink)
  if (!received.ok) throw new Error(received.failure.message)
  return { bytes: Buffer.concat(parts) }
}
