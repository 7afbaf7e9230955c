import { Bitmap } from '../../bitmap/index.js'
import type { ErrorBody, ErrorType } from '../../errors/index.js'
import { isObject, type JsonValue, print } from '../../json/index.js'
import type {
  DeletionSelection,
  ExportedIndex,
  ExportRule,
  Swap,
  Task,
  TaskContent,
  TaskResults,
} from '../../tasks/index.js'
import { BadArchive } from '../archive/bad-archive.js'
import { Facts } from './facts.js'

type Addition = Extract<TaskContent, { type: 'documentAdditionOrUpdate' }>

/** What a dump says about a task to do: additions lack the place of their payload, which they get on arrival. */
export type DumpedContent = Exclude<TaskContent, { type: 'documentAdditionOrUpdate' }> | Omit<Addition, 'payload'>

/** A task of a dump. */
export type DumpedTask = Omit<Task, 'content'> & { readonly content: DumpedContent }

/** Reads a line of `tasks/queue.jsonl` (spec 2 §6.2). `version`: of the server that reads. */
export function readTask(line: JsonValue, place: string, version: string): DumpedTask {
  const facts = new Facts(line, place)
  const status = statusOf(facts)
  const kind = namedContent(facts.value('type'), `${place}, type`)
  const details = facts.has('details') ? namedContent(facts.value('details'), `${place}, details`).facts : NOTHING
  const content = readContent(kind, { facts, details, status, version })
  const isFinished = status !== 'enqueued'
  const customMetadata = facts.textOrNull('customMetadata')
  return {
    uid: facts.count('uid'),
    batchUid: isFinished ? facts.countOrNull('batchUid') : null,
    status,
    content,
    results: status === 'succeeded' ? readResults(details) : null,
    error: status === 'failed' ? readError(facts) : null,
    canceledBy: facts.countOrNull('canceledBy'),
    enqueuedAt: facts.time('enqueuedAt'),
    startedAt: isFinished ? facts.timeOrNull('startedAt') : null,
    finishedAt: isFinished ? facts.timeOrNull('finishedAt') : null,
    ...(customMetadata === null ? {} : { customMetadata }),
  }
}

/** Of a finished deletion there may be no more than how many ids it had. */
function deletedIds(ids: readonly string[], { details, status }: Around): DeletionSelection {
  const count = details.countOrNull('provided_ids') ?? 0
  if (status === 'enqueued' || count <= ids.length) return { by: 'ids', ids }
  return { by: 'idList', count, payload: { place: 'inline', bytes: 0 } }
}

const NOTHING = new Facts(new Map(), '')

function statusOf(facts: Facts): Task['status'] {
  const status = facts.text('status').toLowerCase()
  switch (status) {
    case 'succeeded':
    case 'failed':
    case 'canceled':
    case 'enqueued':
      return status
    case 'processing':
      return 'enqueued'
    default:
      return facts.refuse('status', 'the status of a task')
  }
}

interface NamedContent {
  readonly name: string
  readonly facts: Facts
}

/** `"indexDeletion"` or `{"indexCreation": {...}}`. */
function namedContent(value: JsonValue, place: string): NamedContent {
  if (typeof value === 'string') return { name: value, facts: new Facts(new Map(), place) }
  const [entry] = isObject(value) ? value : []
  if (entry === undefined) throw new BadArchive(`${place}: a name or an object with one member was expected`)
  const [name, content] = entry
  return { name, facts: new Facts(content ?? new Map(), `${place}, ${name}`) }
}

interface Around {
  readonly facts: Facts
  readonly details: Facts
  readonly status: Task['status']
  readonly version: string
}

function readContent({ name, facts }: NamedContent, around: Around): DumpedContent {
  /** Kinds that belong to an index cannot be without one. */
  const indexUid = (): string => around.facts.text('indexUid')
  switch (name) {
    case 'documentImport':
      return {
        type: 'documentAdditionOrUpdate',
        indexUid: indexUid(),
        method: facts.text('method') === 'UpdateDocuments' ? 'update' : 'replace',
        primaryKey: facts.textOrNull('primary_key'),
        documentsCount: facts.countOrNull('documents_count') ?? 0,
        allowIndexCreation: facts.flag('allow_index_creation', true),
        skipCreation: false,
      }
    case 'documentDeletion':
      return {
        type: 'documentDeletion',
        indexUid: indexUid(),
        selection: deletedIds(facts.texts('documents_ids'), around),
      }
    case 'documentDeletionByFilter':
      return {
        type: 'documentDeletion',
        indexUid: indexUid(),
        selection: { by: 'filter', filter: print(facts.value('filter')) },
      }
    case 'documentClear':
      return { type: 'documentDeletion', indexUid: indexUid(), selection: { by: 'all' } }
    case 'documentEdition':
      return {
        type: 'documentEdition',
        indexUid: indexUid(),
        filter: jsonOrNull(facts, 'filter'),
        context: jsonOrNull(facts, 'context'),
        function: facts.text('function'),
      }
    case 'settings':
      return {
        type: 'settingsUpdate',
        indexUid: indexUid(),
        settings: print(facts.has('settings') ? facts.facts('settings').object : new Map()),
        isDeletion: facts.flag('is_deletion'),
        allowIndexCreation: facts.flag('allow_index_creation', true),
      }
    case 'indexCreation':
      return { type: 'indexCreation', indexUid: indexUid(), primaryKey: facts.textOrNull('primary_key') }
    case 'indexUpdate':
      return readIndexUpdate(indexUid(), facts, around.details)
    case 'indexDeletion':
      return { type: 'indexDeletion', indexUid: indexUid() }
    case 'indexCompaction':
      return { type: 'indexCompaction', indexUid: facts.textOrNull('index_uid') ?? indexUid() }
    case 'indexSwap':
      return { type: 'indexSwap', swaps: facts.list('swaps').map((swap) => readSwap(swap, facts.place)) }
    case 'taskCancelation':
      return { type: 'taskCancelation', ...readChoice(facts, around) }
    case 'tasksDeletion':
    case 'taskDeletion':
      return { type: 'taskDeletion', ...readChoice(facts, around) }
    case 'dumpCreation':
      return {
        type: 'dumpCreation',
        keys: print(facts.list('keys')),
        instanceUid: facts.textOrNull('instance_uid'),
      }
    case 'snapshotCreation':
      return { type: 'snapshotCreation' }
    case 'export':
      return readExport(facts)
    case 'upgradeDatabase':
      return {
        type: 'upgradeDatabase',
        from: versionText(facts.list('from')),
        to: around.details.has('to') ? versionText(around.details.list('to')) : around.version,
      }
    case 'networkTopologyChange':
      return { type: 'networkTopologyChange', state: print(facts.object) }
    default:
      throw new BadArchive(`${around.facts.place}: there is no type of task with the name ${JSON.stringify(name)}`)
  }
}

function readIndexUpdate(indexUid: string, facts: Facts, details: Facts): DumpedContent {
  const primaryKey = facts.textOrNull('primary_key')
  const newestIndexUid = facts.textOrNull('uid')
  if (newestIndexUid === null) return { type: 'indexUpdate', indexUid, primaryKey, newIndexUid: null }
  const oldIndexUid = details.textOrNull('old_index_uid') ?? indexUid
  const newIndexUid = details.textOrNull('new_index_uid') ?? newestIndexUid
  return {
    type: 'indexUpdate',
    indexUid,
    primaryKey,
    newIndexUid,
    ...(oldIndexUid === indexUid ? {} : { oldIndexUid }),
    ...(newIndexUid === newestIndexUid ? {} : { newestIndexUid }),
  }
}

function readSwap(value: JsonValue, place: string): Swap {
  const facts = new Facts(value, place)
  const [first, second] = facts.texts('indexes')
  if (first === undefined || second === undefined) return facts.refuse('indexes', 'a pair')
  return { indexes: [first, second], rename: facts.flag('rename') }
}

/** The set of a finished task has no effect any more: it may be damaged. */
function readChoice(facts: Facts, { details, status }: Around): { query: string; matched: number; tasks: string } {
  const bytes = Uint8Array.from(facts.list('tasks'), (byte) => (typeof byte === 'number' ? byte : 0))
  const tasks = readBitmap(bytes)
  if (tasks === undefined && status === 'enqueued') return facts.refuse('tasks', 'a set of task uids')
  const known = tasks ?? Bitmap.empty()
  return {
    query: facts.textOrNull('query') ?? '',
    matched: details.countOrNull('matched_tasks') ?? known.size,
    tasks: Buffer.from(known.serialize()).toString('base64'),
  }
}

function readBitmap(bytes: Uint8Array): Bitmap | undefined {
  try {
    return Bitmap.deserialize(bytes)
  } catch {
    return undefined
  }
}

function readExport(facts: Facts): DumpedContent {
  const size = facts.textOrNull('payload_size')
  return {
    type: 'export',
    url: facts.text('url'),
    apiKey: facts.textOrNull('api_key'),
    payloadBytes: size === null ? null : (readSize(size) ?? facts.refuse('payload_size', 'a size')),
    indexes: [...(facts.factsOrNull('indexes')?.object ?? [])].map(([pattern, rule]) =>
      readRule(pattern, rule, facts.place),
    ),
  }
}

function readRule(pattern: string, value: JsonValue, place: string): ExportRule {
  const facts = new Facts(value, `${place}, ${pattern}`)
  return { pattern, filter: jsonOrNull(facts, 'filter'), overrideSettings: facts.flag('overrideSettings') }
}

const UNITS = ['B', 'K', 'M', 'G', 'T', 'P', 'E']

/** `24 MiB`, `1.048575 MB`, `500 B`: what task details show (spec 2 §1.5). */
function readSize(text: string): number | undefined {
  const match = /^(\d{1,20}(?:\.\d{1,20})?) ?([KMGTPE]?)(i?)B$/.exec(text)
  if (match === null) return undefined
  const step = match[3] === 'i' ? 1024 : 1000
  return Math.round(Number(match[1]) * step ** Math.max(0, UNITS.indexOf(match[2] || 'B')))
}

const jsonOrNull = (facts: Facts, name: string): string | null => (facts.has(name) ? print(facts.value(name)) : null)

const versionText = (parts: readonly JsonValue[]): string =>
  [0, 1, 2].map((i) => (typeof parts[i] === 'number' ? parts[i] : 0)).join('.')

/** Under the names of all kinds of details: no name means two things. */
function readResults(details: Facts): TaskResults {
  const count = (name: string, member: string) => (details.has(member) ? { [name]: details.count(member) } : {})
  const size = (name: string, member: string) => {
    const text = details.textOrNull(member)
    return text === null ? {} : { [name]: readSize(text) ?? 0 }
  }
  const dumpUid = details.textOrNull('dump_uid')
  return {
    ...count('indexedDocuments', 'indexed_documents'),
    ...count('deletedDocuments', 'deleted_documents'),
    ...count('editedDocuments', 'edited_documents'),
    ...count('canceledTasks', 'canceled_tasks'),
    ...count('deletedTasks', 'deleted_tasks'),
    ...count('movedDocuments', 'moved_documents'),
    ...size('preCompactionBytes', 'pre_compaction_size'),
    ...size('postCompactionBytes', 'post_compaction_size'),
    ...(details.has('message') ? { message: details.text('message') } : {}),
    ...(dumpUid === null ? {} : { dumpUid }),
    ...(details.has('url') && details.has('indexes') ? { exported: readExported(details.facts('indexes')) } : {}),
  }
}

function readExported(indexes: Facts): ExportedIndex[] {
  return [...indexes.object].map(([uid, value]) => {
    const { pattern, ...rule } = readRule(uid, value, indexes.place)
    const facts = new Facts(value, indexes.place)
    const matchedDocuments = facts.countOrNull('matched_documents') ?? facts.countOrNull('matchedDocuments') ?? 0
    return { uid: pattern, ...rule, matchedDocuments }
  })
}

const ERROR_TYPES = ['invalid_request', 'auth', 'internal', 'system']

function readError(facts: Facts): ErrorBody | null {
  const error = facts.factsOrNull('error')
  if (error === null) return null
  const type = error.textOrNull('type') ?? 'internal'
  return {
    message: error.textOrNull('message') ?? '',
    code: error.text('code'),
    type: (ERROR_TYPES.includes(type) ? type : 'internal') as ErrorType,
    link: error.textOrNull('link') ?? '',
  }
}
