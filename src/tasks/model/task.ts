import type { ErrorBody } from '../../errors/index.js'
import type { TaskNetwork } from './task-network.js'

/** In the order in which the interface lists them (spec 2 §1.1). */
export const taskStatuses = ['enqueued', 'processing', 'succeeded', 'failed', 'canceled'] as const
export type TaskStatus = (typeof taskStatuses)[number]
/** `processing` is an overlay of the running batch and is never stored. */
export type StoredStatus = Exclude<TaskStatus, 'processing'>

export const taskTypes = [
  'documentAdditionOrUpdate',
  'documentEdition',
  'documentDeletion',
  'settingsUpdate',
  'indexCreation',
  'indexDeletion',
  'indexUpdate',
  'indexSwap',
  'taskCancelation',
  'taskDeletion',
  'dumpCreation',
  'snapshotCreation',
  'export',
  'upgradeDatabase',
  'indexCompaction',
  'networkTopologyChange',
] as const
export type TaskType = (typeof taskTypes)[number]

/** Kinds that concern the whole server: hidden from keys that are limited to some indexes. */
export const globalTypes: readonly TaskType[] = [
  'indexSwap',
  'taskCancelation',
  'taskDeletion',
  'dumpCreation',
  'snapshotCreation',
  'export',
  'upgradeDatabase',
  'networkTopologyChange',
]

/** Where the documents of an addition, or the ids of a long deletion, are kept until it is done. */
export type PayloadRef =
  | { readonly place: 'file'; readonly name: string; readonly bytes: number }
  /** In the task store itself, under the uid of the task. */
  | { readonly place: 'inline'; readonly bytes: number }

export interface Swap {
  readonly indexes: readonly [string, string]
  readonly rename: boolean
}

/** Which indexes an export takes, and how. */
export interface ExportRule {
  /** An index uid, the beginning of one followed by `*`, or `*`. */
  readonly pattern: string
  /** JSON text of the filter as received. */
  readonly filter: string | null
  readonly overrideSettings: boolean
}

export interface ExportedIndex extends Omit<ExportRule, 'pattern'> {
  readonly uid: string
  readonly matchedDocuments: number
}

export type DeletionSelection =
  | { readonly by: 'ids'; readonly ids: readonly string[] }
  /** So many that a task that holds them would be slow to read: the payload is JSON text of the list. */
  | { readonly by: 'idList'; readonly count: number; readonly payload: PayloadRef }
  /** JSON text of the filter as received. */
  | { readonly by: 'filter'; readonly filter: string }
  | { readonly by: 'all' }

/** What a task is to do. Filters, contexts and settings are kept as JSON text, as they were received. */
export type TaskContent =
  | {
      readonly type: 'documentAdditionOrUpdate'
      readonly indexUid: string
      readonly method: 'replace' | 'update'
      readonly primaryKey: string | null
      readonly documentsCount: number
      readonly allowIndexCreation: boolean
      readonly skipCreation: boolean
      readonly payload: PayloadRef
    }
  | {
      readonly type: 'documentEdition'
      readonly indexUid: string
      readonly filter: string | null
      readonly context: string | null
      readonly function: string
    }
  | { readonly type: 'documentDeletion'; readonly indexUid: string; readonly selection: DeletionSelection }
  | {
      readonly type: 'settingsUpdate'
      readonly indexUid: string
      /** The body of a whole-settings PATCH: absent members are untouched, null ones reset. */
      readonly settings: string
      readonly isDeletion: boolean
      readonly allowIndexCreation: boolean
    }
  | { readonly type: 'indexCreation'; readonly indexUid: string; readonly primaryKey: string | null }
  | {
      readonly type: 'indexUpdate'
      readonly indexUid: string
      readonly primaryKey: string | null
      readonly newIndexUid: string | null
      /** The name in the request, once a later swap has changed `indexUid`. */
      readonly oldIndexUid?: string
      /** What later swaps and renames have made of `newIndexUid`, which stays as it was asked for. */
      readonly newestIndexUid?: string
    }
  | { readonly type: 'indexDeletion'; readonly indexUid: string }
  | { readonly type: 'indexCompaction'; readonly indexUid: string }
  | { readonly type: 'indexSwap'; readonly swaps: readonly Swap[] }
  /** `tasks`: the frozen uids as a serialized bitmap, in base64. */
  | { readonly type: 'taskCancelation'; readonly query: string; readonly matched: number; readonly tasks: string }
  | { readonly type: 'taskDeletion'; readonly query: string; readonly matched: number; readonly tasks: string }
  /** `keys`: JSON text of the list of API keys there were when the request came, in the form that dumps have. */
  | { readonly type: 'dumpCreation'; readonly keys: string; readonly instanceUid: string | null }
  | { readonly type: 'snapshotCreation' }
  | {
      readonly type: 'export'
      readonly url: string
      readonly apiKey: string | null
      readonly payloadBytes: number | null
      readonly indexes: readonly ExportRule[]
    }
  /** Versions as `major.minor.patch`. */
  | { readonly type: 'upgradeDatabase'; readonly from: string; readonly to: string }
  /** `state`: JSON text that only servers of a cluster understand. */
  | { readonly type: 'networkTopologyChange'; readonly state: string }

/** What came out of a task, once it is finished. Null: the task was absorbed by another of its batch. */
export interface TaskResults {
  readonly indexedDocuments?: number | null
  readonly deletedDocuments?: number | null
  readonly editedDocuments?: number | null
  readonly canceledTasks?: number
  readonly deletedTasks?: number
  readonly preCompactionBytes?: number
  readonly postCompactionBytes?: number
  readonly dumpUid?: string
  readonly exported?: readonly ExportedIndex[]
  readonly movedDocuments?: number
  readonly message?: string
}

/** Times are RFC 3339 text. */
export interface Task {
  readonly uid: number
  readonly batchUid: number | null
  readonly status: StoredStatus
  readonly content: TaskContent
  readonly results: TaskResults | null
  readonly error: ErrorBody | null
  readonly canceledBy: number | null
  readonly enqueuedAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly customMetadata?: string
  /** Absent where other servers have nothing to do with it. */
  readonly network?: TaskNetwork
}

/** Where the payload of a task is, if it has one. */
export function payloadRefOf(content: TaskContent): PayloadRef | undefined {
  if (content.type === 'documentAdditionOrUpdate') return content.payload
  const isLongDeletion = content.type === 'documentDeletion' && content.selection.by === 'idList'
  return isLongDeletion ? content.selection.payload : undefined
}

/** The index a task shows, or null. */
export function indexUidOf(content: TaskContent): string | null {
  return 'indexUid' in content ? content.indexUid : null
}

/** All indexes a task is tied to, for filters and key scopes (spec 2 §1.1). */
export function tiedIndexes(content: TaskContent): readonly string[] {
  if (content.type === 'indexSwap') return content.swaps.flatMap((swap) => swap.indexes)
  if (content.type === 'indexUpdate' && content.newIndexUid !== null)
    return [...new Set([content.indexUid, content.newestIndexUid ?? content.newIndexUid])]
  const uid = indexUidOf(content)
  return uid === null ? [] : [uid]
}
