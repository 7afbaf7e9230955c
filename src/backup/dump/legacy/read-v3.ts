import { isObject, type JsonValue, print } from '../../../json/index.js'
import type { PayloadFormat } from '../../../payload/index.js'
import type { Batch, TaskResults } from '../../../tasks/index.js'
import { BadArchive } from '../../archive/bad-archive.js'
import type { DumpedIndex, DumpReader, TaskArrival } from '../dump-reader.js'
import { Facts } from '../facts.js'
import { type MemberFile, memberExists, readLines } from '../lines.js'
import type { DumpedContent, DumpedTask } from '../read-task.js'
import type { ServerState } from '../server-state.js'
import { errorFromOld } from './old-error.js'
import { memberOf, type OldDump, readOldIndex, stateWith } from './old-members.js'
import { settingsOfTask } from './settings-task.js'

/** Where the two versions differ. */
export interface V3Layout {
  readonly indexFolder: (uuid: string) => string
  readonly payloadFile: (uuid: string) => string
  readonly payloadFormat: PayloadFormat
}

/** 0.23 and 0.24. */
export const V3: V3Layout = {
  indexFolder: (uuid) => `indexes/${uuid}`,
  payloadFile: (uuid) => `updates/updates_files/${uuid}`,
  payloadFormat: { name: 'ndjson' },
}

/** 0.21 and 0.22. */
export const V2: V3Layout = {
  indexFolder: (uuid) => `indexes/index-${uuid}`,
  payloadFile: (uuid) => `updates/update_files/update_${uuid}`,
  payloadFormat: { name: 'json' },
}

/** The name that finished updates of indexes get which are no more. */
const UNKNOWN_INDEX = 'unknown'

/** V3 and V2: no keys, updates with numbers of their own in each index (spec 2 §6.4). */
export class V3Reader implements DumpReader {
  private names: Map<string, string> | undefined

  constructor(
    private readonly dump: OldDump,
    private readonly layout: V3Layout,
  ) {}

  async state(): Promise<ServerState> {
    return stateWith([], null)
  }

  async *indexes(): AsyncGenerator<DumpedIndex, void, void> {
    const spans = await this.spans()
    for (const [uuid, uid] of await this.uidsByUuid()) {
      const { first: createdAt, last: updatedAt } = spans.get(uid) ?? { first: this.dump.now, last: this.dump.now }
      yield await readOldIndex(this.dump, { uid, name: this.layout.indexFolder(uuid), createdAt, updatedAt })
    }
  }

  async *batches(): AsyncGenerator<Batch, void, void> {}

  async *tasks(): AsyncGenerator<TaskArrival, void, void> {
    for await (const { task, payloadName } of this.updates()) {
      const payload = payloadName === null ? null : await this.payload(payloadName, task)
      yield { task: settingsOfTask(task, this.dump.warn), payload }
    }
  }

  private async payload(name: string, { uid }: DumpedTask): Promise<TaskArrival['payload']> {
    const file: MemberFile = memberOf(this.dump, this.layout.payloadFile(name))
    if (!(await memberExists(file))) {
      throw new BadArchive(`${file.place} is missing: task ${uid} waits for its documents`)
    }
    return { file, format: this.layout.payloadFormat }
  }

  private async uidsByUuid(): Promise<Map<string, string>> {
    if (this.names !== undefined) return this.names
    const names = new Map<string, string>()
    for await (const [line, place] of readLines(memberOf(this.dump, 'index_uuids/data.jsonl'))) {
      const facts = new Facts(line, place)
      names.set(facts.text('uuid'), facts.text('uid'))
    }
    this.names = names
    return names
  }

  /** Updates in the order of the file, with new uids. Those that wait for an index that is no more are left out. */
  private async *updates(): AsyncGenerator<{ task: DumpedTask; payloadName: string | null }, void, void> {
    const file = memberOf(this.dump, 'updates/data.jsonl')
    if (!(await memberExists(file))) return
    const names = await this.uidsByUuid()
    let uid = 0
    for await (const [line, place] of readLines(file)) {
      const facts = new Facts(line, place)
      const name = names.get(facts.text('uuid'))
      const update = readUpdate(facts.facts('update'), { uid, indexUid: name ?? UNKNOWN_INDEX })
      if (name === undefined && update.task.status === 'enqueued') continue
      uid++
      yield update
    }
  }

  private async spans(): Promise<Map<string, { first: string; last: string }>> {
    const spans = new Map<string, { first: string; last: string }>()
    for await (const { task } of this.updates()) {
      if (!('indexUid' in task.content)) continue
      const { indexUid } = task.content
      const last = task.finishedAt ?? task.enqueuedAt
      spans.set(indexUid, { first: spans.get(indexUid)?.first ?? task.enqueuedAt, last })
    }
    return spans
  }
}

function readUpdate(
  facts: Facts,
  { uid, indexUid }: { uid: number; indexUid: string },
): { task: DumpedTask; payloadName: string | null } {
  const status = statusOf(facts)
  const isFinished = status !== 'enqueued'
  const { content, payloadName } = readMeta(facts, indexUid)
  const finishedAt = facts.timeOrNull('processedAt') ?? facts.timeOrNull('failedAt') ?? facts.timeOrNull('abortedAt')
  const enqueuedAt = facts.time('enqueuedAt')
  return {
    task: {
      uid,
      batchUid: null,
      status,
      content,
      results: status === 'succeeded' ? readSuccess(facts.value('success')) : null,
      error: status === 'failed' ? errorFromOld(facts.factsOrNull('error')) : null,
      canceledBy: null,
      enqueuedAt,
      startedAt: isFinished ? (facts.timeOrNull('startedProcessingAt') ?? finishedAt ?? enqueuedAt) : null,
      finishedAt: isFinished ? (finishedAt ?? enqueuedAt) : null,
    },
    payloadName: isFinished ? null : payloadName,
  }
}

function statusOf(facts: Facts): 'enqueued' | 'succeeded' | 'failed' {
  switch (facts.text('status')) {
    case 'processed':
      return 'succeeded'
    case 'failed':
    case 'aborted':
      return 'failed'
    case 'enqueued':
    case 'processing':
      return 'enqueued'
    default:
      return facts.refuse('status', 'the status of an update')
  }
}

/** What the update does, under its name: `{"Settings":{…}}`, or `{"type":"Settings",…}` in V2. */
function readMeta(facts: Facts, indexUid: string): { content: DumpedContent; payloadName: string | null } {
  const meta = facts.value('meta')
  const tagged = isObject(meta) ? meta.get('type') : undefined
  const [name, value] = typeof meta === 'string' ? [meta, null] : tagged === undefined ? first(meta) : [tagged, meta]
  const inner = new Facts(isObject(value) ? value : new Map(), facts.place)
  switch (name) {
    case 'DocumentAddition':
    case 'DocumentsAddition':
      return {
        payloadName: inner.textOrNull('content_uuid') ?? facts.textOrNull('content'),
        content: {
          type: 'documentAdditionOrUpdate',
          indexUid,
          method: inner.textOrNull('method') === 'UpdateDocuments' ? 'update' : 'replace',
          primaryKey: inner.textOrNull('primary_key'),
          documentsCount: 0,
          allowIndexCreation: true,
          skipCreation: false,
        },
      }
    case 'DeleteDocuments': {
      const ids = Array.isArray(value) ? value.filter((id) => typeof id === 'string') : inner.texts('ids')
      return { payloadName: null, content: { type: 'documentDeletion', indexUid, selection: { by: 'ids', ids } } }
    }
    case 'ClearDocuments':
      return { payloadName: null, content: { type: 'documentDeletion', indexUid, selection: { by: 'all' } } }
    case 'Settings':
      return {
        payloadName: null,
        content: {
          type: 'settingsUpdate',
          indexUid,
          settings: print(inner.object),
          isDeletion: false,
          allowIndexCreation: true,
        },
      }
    default:
      throw new BadArchive(`${facts.place}: there is no update with the name ${JSON.stringify(name)}`)
  }
}

function first(value: JsonValue): [name: JsonValue, content: JsonValue] {
  const [entry] = isObject(value) ? value : []
  return entry ?? [null, null]
}

function readSuccess(success: JsonValue): TaskResults {
  const [name, content] = first(success)
  const count = isObject(content) ? [...content.values()].find((value) => typeof value === 'number') : undefined
  if (typeof name !== 'string' || typeof count !== 'number') return {}
  return name.includes('Addition') ? { indexedDocuments: count } : { deletedDocuments: count }
}
