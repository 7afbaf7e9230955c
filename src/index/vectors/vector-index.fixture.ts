import { Bitmap } from '../../bitmap/index.js'
import type { DocId } from '../../documents/index.js'
import { type Failure, FailureError, fail, ok } from '../../errors/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { receivePayload } from '../../payload/index.js'
import type { DocumentEmbedders, EmbeddingInput } from '../../vectors/index.js'
import { VectorsPrinter } from '../../vectors/index.js'
import type { DocumentOperation, IndexWork } from '../apply/job.js'
import { runIndexJob } from '../apply/run-job.js'

/** Embeds a text as its length and its first letter's number, and remembers what it was asked. */
export class FakeEmbedders implements DocumentEmbedders {
  readonly asked: EmbeddingInput[] = []
  size = 2
  failure: string | undefined
  ignoresEmbedderFailures = false
  ignoresTemplateFailures = false

  dimensions() {
    return ok(this.size)
  }

  embed(_name: string, _config: unknown, inputs: readonly EmbeddingInput[]) {
    if (this.failure !== undefined && this.ignoresEmbedderFailures) return ok(inputs.map(() => new Float32Array(0)))
    if (this.failure !== undefined) return fail('vector_embedding_error', this.failure)
    this.asked.push(...inputs)
    return ok(inputs.map(({ text, fragment }) => this.vectorOf(text ?? JSON.stringify(fragment))))
  }

  private vectorOf(text: string): Float32Array {
    return new Float32Array(this.size).fill(text.length)
  }

  /** What was asked since the last time. */
  take(): (string | undefined)[] {
    return this.asked.splice(0).map(({ text, fragment }) => text ?? String(fragment))
  }
}

let batches = 0

/** An index that is told what to do as tasks tell it. */
export class VectorIndex {
  readonly embedders = new FakeEmbedders()
  readonly folder: IndexFolder = temporaryIndex()

  async add(documents: unknown, method: 'replace' | 'update' = 'replace'): Promise<Failure | undefined> {
    const operations = [await addition(documents, method)]
    return this.run({ kind: 'documents', operations })
  }

  settings(patch: unknown): Failure | undefined {
    return this.run({ kind: 'settings', patches: [JSON.stringify(patch)] })
  }

  embed(embedders: unknown): Failure | undefined {
    return this.settings({ embedders })
  }

  delete(...ids: string[]): Failure | undefined {
    return this.run({ kind: 'deletions', operations: [{ kind: 'deleteIds', ids }] })
  }

  run(work: IndexWork): Failure | undefined {
    const job = {
      path: '',
      indexUid: 'shop',
      now: '2026-01-05T10:00:00Z',
      batchKey: `v${batches++}`,
      create: { primaryKey: 'id' },
      work,
    }
    const services = { selectByFilter: () => Bitmap.empty(), embedders: this.embedders }
    try {
      runIndexJob(this.folder, job, services, { progress() {}, isCancelled: () => false })
      return undefined
    } catch (error) {
      if (error instanceof FailureError) return error.failure
      throw error
    }
  }

  /** `_vectors` of a document as it is shown. */
  vectors(id: string): unknown {
    const docId = this.folder.docIdOf(id)!
    const printer = new VectorsPrinter(this.folder, this.folder.fields())
    return JSON.parse(printer.print(docId, this.folder.document(docId as DocId)!))
  }
}

export async function addition(documents: unknown, method: 'replace' | 'update'): Promise<DocumentOperation> {
  const parts: Buffer[] = []
  await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], {
    async write(bytes) {
      parts.push(Buffer.from(bytes))
    },
  })
  return {
    kind: 'import',
    method,
    payload: { bytes: Buffer.concat(parts) },
    primaryKey: null,
    skipCreation: false,
  }
}

/** Settings of embedders that tests use again and again. */
export const userProvided = (dimensions: number, more: object = {}) => ({
  source: 'userProvided',
  dimensions,
  ...more,
})

export const rest = (more: object = {}) => ({
  source: 'rest',
  url: 'http://model.test/',
  request: '{{text}}',
  response: '{{embedding}}',
  ...more,
})
