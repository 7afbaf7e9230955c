import { isObject, type JsonValue, print } from '../../../json/index.js'
import type { TaskResults } from '../../../tasks/index.js'
import { BadArchive } from '../../archive/bad-archive.js'
import { Facts } from '../facts.js'
import type { DumpedContent, DumpedTask } from '../read-task.js'
import { errorFromOld } from './old-error.js'

/** A task of V4 or V5: what it does, and what happened to it (spec 2 §6.4). */
export interface EventTask {
  readonly task: DumpedTask
  /** The file with the documents of an addition that waits. */
  readonly payloadName: string | null
  /** When it was enqueued, and when it succeeded, if it did. */
  readonly createdAt: string
  readonly succeededAt: string | null
}

/** One member with the name of the variant, or the name alone. */
function variantOf(value: JsonValue, place: string): [name: string, content: JsonValue] {
  if (typeof value === 'string') return [value, null]
  const [entry] = isObject(value) ? value : []
  if (entry === undefined) throw new BadArchive(`${place}: a name or an object with one member was expected`)
  return entry
}

export function readEventTask(line: JsonValue, place: string): EventTask {
  const facts = new Facts(line, place)
  const events = facts.list('events').map((event) => readEvent(event, place))
  const first = events[0]
  const last = events.at(-1)
  if (first === undefined || last === undefined) return facts.refuse('events', 'a list with at least one event')
  const { content, payloadName, dumpUid } = readContent(facts)
  const status = last.name === 'Succeeded' ? 'succeeded' : last.name === 'Failed' ? 'failed' : 'enqueued'
  const isFinished = status !== 'enqueued'
  return {
    task: {
      uid: facts.count('id'),
      batchUid: null,
      status,
      content,
      results: status === 'succeeded' ? { ...last.results, ...(dumpUid === null ? {} : { dumpUid }) } : null,
      error: status === 'failed' ? errorFromOld(last.error) : null,
      canceledBy: null,
      enqueuedAt: first.time,
      startedAt: isFinished ? (events.find(({ name }) => name === 'Processing')?.time ?? last.time) : null,
      finishedAt: isFinished ? last.time : null,
    },
    payloadName: isFinished ? null : payloadName,
    createdAt: first.time,
    succeededAt: status === 'succeeded' ? last.time : null,
  }
}

interface Event {
  readonly name: 'Created' | 'Batched' | 'Processing' | 'Succeeded' | 'Failed'
  readonly time: string
  readonly results: TaskResults
  readonly error: Facts | null
}

function readEvent(value: JsonValue, place: string): Event {
  const [name, content] = variantOf(value, place)
  const base = { results: {}, error: null }
  switch (name) {
    case 'Created':
    case 'Processing':
      return { ...base, name, time: new Facts(value, place).time(name) }
    case 'Batched':
      return { ...base, name, time: new Facts(content, place).time('timestamp') }
    // The spelling of V4.
    case 'Succeded':
    case 'Succeeded': {
      const facts = new Facts(content, place)
      return {
        ...base,
        name: 'Succeeded',
        time: facts.time('timestamp'),
        results: readResult(facts.value('result'), place),
      }
    }
    case 'Failed': {
      const facts = new Facts(content, place)
      return { ...base, name, time: facts.time('timestamp'), error: facts.factsOrNull('error') }
    }
    default:
      throw new BadArchive(`${place}: the event ${JSON.stringify(name)} is not known`)
  }
}

function readResult(result: JsonValue, place: string): TaskResults {
  if (result === null) return {}
  const [name, content] = variantOf(result, place)
  if (name === 'Other') return {}
  const facts = new Facts(content, place)
  return name === 'DocumentAddition'
    ? { indexedDocuments: facts.countOrNull('indexed_documents') ?? 0 }
    : { deletedDocuments: facts.countOrNull('deleted_documents') ?? 0 }
}

interface OldContent {
  readonly content: DumpedContent
  readonly payloadName: string | null
  readonly dumpUid: string | null
}

function readContent(task: Facts): OldContent {
  const [name, value] = variantOf(task.value('content'), task.place)
  const inner = isObject(value) ? new Facts(value, task.place) : new Facts(new Map(), task.place)
  const uid = (): string => inner.textOrNull('index_uid') ?? task.text('index_uid')
  const none = { payloadName: null, dumpUid: null }
  switch (name) {
    case 'DocumentAddition':
      return {
        dumpUid: null,
        payloadName: inner.textOrNull('content_uuid'),
        content: {
          type: 'documentAdditionOrUpdate',
          indexUid: uid(),
          method: inner.textOrNull('merge_strategy') === 'UpdateDocuments' ? 'update' : 'replace',
          primaryKey: inner.textOrNull('primary_key'),
          documentsCount: inner.countOrNull('documents_count') ?? 0,
          allowIndexCreation: inner.flag('allow_index_creation', true),
          skipCreation: false,
        },
      }
    case 'DocumentDeletion':
      return {
        ...none,
        content: {
          type: 'documentDeletion',
          indexUid: uid(),
          selection: readSelection(inner.has('deletion') ? inner.value('deletion') : value, task.place),
        },
      }
    case 'SettingsUpdate':
      return {
        ...none,
        content: {
          type: 'settingsUpdate',
          indexUid: uid(),
          settings: print(inner.factsOrNull('settings')?.object ?? new Map()),
          isDeletion: inner.flag('is_deletion'),
          allowIndexCreation: inner.flag('allow_index_creation', true),
        },
      }
    case 'IndexDeletion':
      return { ...none, content: { type: 'indexDeletion', indexUid: uid() } }
    case 'IndexCreation':
      return {
        ...none,
        content: { type: 'indexCreation', indexUid: uid(), primaryKey: inner.textOrNull('primary_key') },
      }
    case 'IndexUpdate':
      return {
        ...none,
        content: {
          type: 'indexUpdate',
          indexUid: uid(),
          primaryKey: inner.textOrNull('primary_key'),
          newIndexUid: null,
        },
      }
    case 'Dump':
      return {
        payloadName: null,
        dumpUid: inner.textOrNull('uid'),
        content: { type: 'dumpCreation', keys: '[]', instanceUid: null },
      }
    default:
      throw new BadArchive(`${task.place}: there is no type of task with the name ${JSON.stringify(name)}`)
  }
}

type Selection = Extract<DumpedContent, { type: 'documentDeletion' }>['selection']

/** `"Clear"` or `{"Ids":[…]}`. */
function readSelection(value: JsonValue, place: string): Selection {
  return value === 'Clear' ? { by: 'all' } : { by: 'ids', ids: new Facts(value, place).texts('Ids') }
}
