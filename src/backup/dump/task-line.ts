import { Bitmap } from '../../bitmap/index.js'
import { fromPlain, type JsonValue, parse, print } from '../../json/index.js'
import { type ExportRule, type Task, type TaskContent, taskView } from '../../tasks/index.js'

/** A task as `tasks/queue.jsonl` holds it: JSON text with a line end (spec 2 §6.2). */
export function taskLine(task: Task): string {
  const { content } = task
  const line = {
    uid: task.uid,
    batchUid: task.batchUid,
    indexUid: 'indexUid' in content ? content.indexUid : null,
    status: task.status,
    type: kindOf(content),
    canceledBy: task.canceledBy ?? undefined,
    details: detailsOf(task),
    error: task.error ?? undefined,
    enqueuedAt: task.enqueuedAt,
    startedAt: task.startedAt ?? undefined,
    finishedAt: task.finishedAt ?? undefined,
    customMetadata: task.customMetadata,
  }
  return `${print(fromPlain(line))}\n`
}

/** What the task is to do: a name, or an object with the name as its only member. */
function kindOf(content: TaskContent): unknown {
  switch (content.type) {
    case 'documentAdditionOrUpdate':
      return {
        documentImport: {
          primary_key: content.primaryKey,
          method: content.method === 'replace' ? 'ReplaceDocuments' : 'UpdateDocuments',
          documents_count: content.documentsCount,
          allow_index_creation: content.allowIndexCreation,
        },
      }
    case 'documentDeletion':
      return deletionKind(content)
    case 'documentEdition': {
      const { filter, context } = content
      return {
        documentEdition: {
          filter: filter === null ? null : stored(filter),
          context: context === null ? null : stored(context),
          function: content.function,
        },
      }
    }
    case 'settingsUpdate':
      return {
        settings: {
          settings: stored(content.settings),
          is_deletion: content.isDeletion,
          allow_index_creation: content.allowIndexCreation,
        },
      }
    case 'indexCreation':
      return { indexCreation: { primary_key: content.primaryKey } }
    case 'indexUpdate':
      return { indexUpdate: { primary_key: content.primaryKey, uid: content.newestIndexUid ?? content.newIndexUid } }
    case 'indexSwap':
      return { indexSwap: { swaps: content.swaps } }
    case 'taskCancelation':
      return { taskCancelation: { query: content.query, tasks: bytesOf(content.tasks) } }
    case 'taskDeletion':
      return { tasksDeletion: { query: content.query, tasks: bytesOf(content.tasks) } }
    case 'dumpCreation':
      return { dumpCreation: { keys: stored(content.keys), instance_uid: content.instanceUid } }
    case 'export':
      return {
        export: {
          url: content.url,
          api_key: content.apiKey,
          payload_size: content.payloadBytes === null ? null : `${content.payloadBytes} B`,
          indexes: rules(content.indexes),
        },
      }
    case 'upgradeDatabase':
      return { upgradeDatabase: { from: versionParts(content.from) } }
    case 'indexCompaction':
      return { indexCompaction: { index_uid: content.indexUid } }
    case 'networkTopologyChange':
      return { networkTopologyChange: stored(content.state) }
    case 'indexDeletion':
    case 'snapshotCreation':
      return content.type
  }
}

function deletionKind({ selection }: Extract<TaskContent, { type: 'documentDeletion' }>): unknown {
  if (selection.by === 'all') return 'documentClear'
  if (selection.by === 'filter') return { documentDeletionByFilter: { filter: stored(selection.filter) } }
  // The list of a finished task is gone; its length is among the details.
  return { documentDeletion: { documents_ids: selection.by === 'ids' ? selection.ids : [] } }
}

/** The numbers that a task shows, under the names that dumps have for them; secrets are in clear. */
function detailsOf(task: Task): unknown {
  const { content } = task
  const shown = (taskView(task).details ?? {}) as Record<string, unknown>
  switch (content.type) {
    case 'documentAdditionOrUpdate': {
      const { receivedDocuments, indexedDocuments } = shown
      return {
        DocumentAdditionOrUpdate: { received_documents: receivedDocuments, indexed_documents: indexedDocuments },
      }
    }
    case 'documentDeletion':
      return deletionDetails(content, shown)
    case 'documentEdition':
      return {
        DocumentEdition: {
          deleted_documents: shown.deletedDocuments,
          edited_documents: shown.editedDocuments,
          original_filter: shown.originalFilter,
          context: shown.context,
          function: content.function,
        },
      }
    case 'settingsUpdate':
      return { SettingsUpdate: { settings: stored(content.settings) } }
    case 'indexCreation':
    case 'indexUpdate':
      return {
        IndexInfo: {
          primary_key: content.primaryKey,
          new_index_uid: shown.newIndexUid ?? null,
          old_index_uid: shown.oldIndexUid ?? null,
        },
      }
    case 'indexDeletion':
      return { ClearAll: { deleted_documents: shown.deletedDocuments } }
    case 'indexSwap':
      return { IndexSwap: { swaps: content.swaps } }
    case 'taskCancelation': {
      const { matched, query } = content
      return {
        TaskCancelation: { matched_tasks: matched, canceled_tasks: shown.canceledTasks, original_filter: query },
      }
    }
    case 'taskDeletion': {
      const { matched, query } = content
      return { TaskDeletion: { matched_tasks: matched, deleted_tasks: shown.deletedTasks, original_filter: query } }
    }
    case 'dumpCreation':
      return { Dump: { dump_uid: shown.dumpUid } }
    case 'export':
      return {
        Export: {
          url: content.url,
          api_key: content.apiKey,
          payload_size: shown.payloadSize ?? null,
          indexes: shown.indexes,
        },
      }
    case 'upgradeDatabase':
      return { UpgradeDatabase: { from: versionParts(content.from), to: versionParts(content.to) } }
    case 'indexCompaction':
      return {
        IndexCompaction: {
          index_uid: content.indexUid,
          pre_compaction_size: task.results?.preCompactionBytes === undefined ? null : shown.preCompactionSize,
          post_compaction_size: task.results?.postCompactionBytes === undefined ? null : shown.postCompactionSize,
        },
      }
    case 'networkTopologyChange':
      return { NetworkTopologyChange: { moved_documents: shown.movedDocuments, message: shown.message } }
    case 'snapshotCreation':
      return undefined
  }
}

function deletionDetails(
  { selection }: Extract<TaskContent, { type: 'documentDeletion' }>,
  shown: Record<string, unknown>,
): unknown {
  const deleted_documents = shown.deletedDocuments
  if (selection.by === 'all') return { ClearAll: { deleted_documents } }
  return selection.by === 'filter'
    ? { DocumentDeletionByFilter: { original_filter: selection.filter, deleted_documents } }
    : { DocumentDeletion: { provided_ids: shown.providedIds, deleted_documents } }
}

function rules(indexes: readonly ExportRule[]): JsonValue {
  return new Map(
    indexes.map(({ pattern, filter, overrideSettings }) => [
      pattern,
      fromPlain({ filter: filter === null ? null : stored(filter), overrideSettings }),
    ]),
  )
}

const versionParts = (version: string): number[] => version.split('.').map(Number)

/** A set of uids in the portable format of Roaring bitmaps, as a list of bytes. */
function bytesOf(base64: string): number[] {
  return [...Bitmap.deserialize(Buffer.from(base64, 'base64')).serialize()]
}

/** Text that was JSON when the task was stored. */
function stored(text: string): JsonValue {
  const parsed = parse(text, 1024)
  if (!parsed.ok) throw new Error(`a task holds text that is not JSON: ${parsed.reason}`)
  return parsed.value
}
