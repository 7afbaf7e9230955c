import { print } from '../../../json/index.js'
import type { Batch, TaskResults } from '../../../tasks/index.js'
import { BadArchive } from '../../archive/bad-archive.js'
import type { DumpedIndex, DumpReader, TaskArrival } from '../dump-reader.js'
import { Facts } from '../facts.js'
import { memberExists, readFacts, readLines } from '../lines.js'
import type { DumpedContent, DumpedTask } from '../read-task.js'
import type { ServerState } from '../server-state.js'
import { errorFromOld } from './old-error.js'
import { memberOf, type OldDump, stateWith } from './old-members.js'
import { settingsFromOld } from './old-settings.js'
import { settingsOfTask } from './settings-task.js'

/** V1 (up to 0.20): a folder for each index, named after it; `metadata.json` lists them (spec 2 §6.4). */
export class V1Reader implements DumpReader {
  constructor(private readonly dump: OldDump) {}

  async state(): Promise<ServerState> {
    return stateWith([], null)
  }

  async *indexes(): AsyncGenerator<DumpedIndex, void, void> {
    for (const facts of await this.listed()) {
      const uid = facts.text('uid')
      const documents = memberOf(this.dump, `${uid}/documents.jsonl`)
      if (!(await memberExists(documents))) throw new BadArchive(`${documents.place} is missing`)
      const settings = await readFacts(memberOf(this.dump, `${uid}/settings.json`))
      yield {
        uid,
        primaryKey: facts.textOrNull('primaryKey'),
        createdAt: facts.timeOrNull('createdAt') ?? this.dump.now,
        updatedAt: facts.timeOrNull('updatedAt') ?? this.dump.now,
        settings: settingsFromOld(settings.object, this.dump.warn),
        documents,
      }
    }
  }

  async *batches(): AsyncGenerator<Batch, void, void> {}

  /** Updates of one index after the other, with new uids. Those that were not done yet are left out. */
  async *tasks(): AsyncGenerator<TaskArrival, void, void> {
    let uid = 0
    for (const facts of await this.listed()) {
      const indexUid = facts.text('uid')
      const file = memberOf(this.dump, `${indexUid}/updates.jsonl`)
      if (!(await memberExists(file))) continue
      for await (const [line, place] of readLines(file)) {
        const task = readUpdate(new Facts(line, place), { uid, indexUid })
        if (task === undefined) continue
        uid++
        yield { task: settingsOfTask(task, this.dump.warn), payload: null }
      }
    }
  }

  private async listed(): Promise<Facts[]> {
    const metadata = await readFacts(memberOf(this.dump, 'metadata.json'))
    return metadata.list('indexes').map((index) => new Facts(index, 'metadata.json, indexes'))
  }
}

function readUpdate(facts: Facts, { uid, indexUid }: { uid: number; indexUid: string }): DumpedTask | undefined {
  const status = facts.text('status')
  if (status !== 'processed' && status !== 'failed') return undefined
  const enqueuedAt = facts.time('enqueuedAt')
  const finishedAt = facts.timeOrNull('processedAt') ?? enqueuedAt
  const { content, results } = readType(facts.facts('type'), indexUid)
  const error = facts.textOrNull('error')
  return {
    uid,
    batchUid: null,
    status: status === 'processed' ? 'succeeded' : 'failed',
    content,
    results: status === 'processed' ? results : null,
    error: status === 'failed' ? { ...errorFromOld(facts), message: error ?? '' } : null,
    canceledBy: null,
    enqueuedAt,
    startedAt: finishedAt,
    finishedAt,
  }
}

function readType(type: Facts, indexUid: string): { content: DumpedContent; results: TaskResults } {
  const count = type.countOrNull('number') ?? 0
  const name = type.text('name')
  switch (name) {
    case 'DocumentsAddition':
    case 'DocumentsPartial':
      return {
        results: { indexedDocuments: count },
        content: {
          type: 'documentAdditionOrUpdate',
          indexUid,
          method: name === 'DocumentsPartial' ? 'update' : 'replace',
          primaryKey: null,
          documentsCount: count,
          allowIndexCreation: true,
          skipCreation: false,
        },
      }
    case 'DocumentsDeletion':
      return {
        results: { deletedDocuments: count },
        content: { type: 'documentDeletion', indexUid, selection: { by: 'ids', ids: [] } },
      }
    case 'ClearAll':
      return { results: {}, content: { type: 'documentDeletion', indexUid, selection: { by: 'all' } } }
    default:
      return {
        results: {},
        content: {
          type: 'settingsUpdate',
          indexUid,
          settings: print(type.factsOrNull('settings')?.object ?? new Map()),
          isDeletion: false,
          allowIndexCreation: true,
        },
      }
  }
}
