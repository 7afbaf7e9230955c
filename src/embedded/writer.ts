import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { IndexFolder } from '../folder/index.js'
import { type IndexWork, type JobServices, runIndexJob, type TaskOutcome } from '../index/index.js'
import { fromPlain, print } from '../json/index.js'
import { selectByFilter } from '../match/index.js'
import { WordThread } from '../postings/index.js'
import { patchText, type SettingFeatures, settingsBody } from '../settings/index.js'
import { checkBody } from '../shape/index.js'
import { formatTimestamp, systemClock } from '../time/index.js'
import { KeptCentres } from '../vectors/index.js'
import { EngineError, throwingErrors, unwrap } from './engine-error.js'
import { Inbox } from './inbox.js'
import type { Change, DocumentId, DocumentLike, Documents, Filter, SettingsPatch } from './types.js'

export interface WriterOptions {
  readonly uid: string
  readonly path: string
  readonly primaryKey: string | null
  readonly features: SettingFeatures
  /** A second thread cuts documents into words. */
  readonly hasWordThread: boolean
}

const UNWATCHED = { progress() {}, isCancelled: () => false }

/** Changes one index, one change after the other, each in one transaction. */
export class Writer {
  private readonly inbox: Inbox
  private readonly services: JobServices
  private readonly thread: WordThread | undefined
  /** When the changes that were asked for so far are done. */
  private last: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly folder: IndexFolder,
    private readonly options: WriterOptions,
  ) {
    this.inbox = new Inbox(join(options.path, 'inbox'))
    this.thread = options.hasWordThread ? new WordThread() : undefined
    this.services = {
      selectByFilter,
      keptCentres: new KeptCentres(),
      ...(this.thread && { words: { thread: this.thread } }),
    }
    if (folder.meta() === undefined) this.run({ kind: 'create' })
  }

  import<Document extends DocumentLike>(
    method: 'replace' | 'update',
    documents: Documents<Document>,
    primaryKey: string | null,
  ): Promise<Change> {
    return this.inTurn(() =>
      this.inbox.receive(documents, (payload) =>
        this.run({
          kind: 'documents',
          operations: [{ kind: 'import', method, payload, primaryKey, skipCreation: false }],
        }),
      ),
    )
  }

  deleteIds(ids: readonly DocumentId[]): Promise<Change> {
    const operation = { kind: 'deleteIds', ids: ids.map(String) } as const
    return this.inTurn(() => this.run({ kind: 'deletions', operations: [operation] }))
  }

  deleteBy(filter: Filter): Promise<Change> {
    const operation = { kind: 'deleteFilter', filter: print(fromPlain(filter)) } as const
    return this.inTurn(() => this.run({ kind: 'deletions', operations: [operation] }))
  }

  clear(): Promise<Change> {
    return this.inTurn(() => this.run({ kind: 'clear', patches: [] }))
  }

  async updateSettings(patch: SettingsPatch): Promise<void> {
    const checked = unwrap(checkBody(settingsBody, fromPlain(patch)))
    const text = unwrap(patchText(checked, this.options.features))
    await this.inTurn(() => this.run({ kind: 'settings', patches: [text] }))
  }

  async close(): Promise<void> {
    await this.last
    await this.thread?.close()
    this.inbox.close()
  }

  private inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.last.then(work)
    this.last = done.catch(() => {})
    return done
  }

  private run(work: IndexWork): Change {
    const { uid, path, primaryKey } = this.options
    const now = formatTimestamp(systemClock())
    const job = { path, indexUid: uid, now, batchKey: randomUUID(), create: { primaryKey }, work }
    const { outcomes } = throwingErrors(() => runIndexJob(this.folder, job, this.services, UNWATCHED))
    return changeOf(outcomes[0])
  }
}

function changeOf(outcome: TaskOutcome | undefined): Change {
  if (outcome === undefined) return {}
  if (!outcome.ok) throw new EngineError(outcome.failure)
  const { indexed, deleted } = outcome
  return {
    ...(indexed === undefined ? {} : { indexedDocuments: indexed }),
    ...(deleted === undefined ? {} : { deletedDocuments: deleted }),
  }
}
