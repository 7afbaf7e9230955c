import { fromPlain, type JsonValue, parse } from '../../json/index.js'
import { maskSecret, maskUrl } from '../../secret/index.js'
import type { ExportRule, Task, TaskContent, TaskResults, TaskStatus } from '../model/task.js'
import type { Details } from './details-model.js'
import { settingsDetails } from './settings-details.js'
import { sizeText } from './size.js'

/** The `details` of a task in a given state; undefined for types that have none (spec 2 §1.6). */
export function detailsOf(task: Task, status: TaskStatus = task.status): Details | undefined {
  const { content } = task
  const results = task.results ?? {}
  const isPending = status === 'enqueued' || status === 'processing'
  /** A counter: null until the end, then what came out, nothing if the task failed. */
  const counter = (value: number | null | undefined): number | null =>
    isPending ? null : status === 'succeeded' ? (value ?? null) : 0
  switch (content.type) {
    case 'documentAdditionOrUpdate':
      return { receivedDocuments: content.documentsCount, indexedDocuments: counter(results.indexedDocuments) }
    case 'documentDeletion':
      return deletionDetails(content, counter(results.deletedDocuments))
    case 'documentEdition':
      return editionDetails(content, results, status)
    case 'settingsUpdate':
      return settingsDetails(content.settings)
    case 'indexCreation':
      return { primaryKey: content.primaryKey }
    case 'indexUpdate':
      return updateDetails(content)
    case 'indexDeletion':
      return { deletedDocuments: counter(results.deletedDocuments) }
    case 'indexSwap':
      return { swaps: content.swaps }
    case 'taskCancelation':
      return {
        matchedTasks: content.matched,
        canceledTasks: counter(results.canceledTasks),
        originalFilter: content.query,
      }
    case 'taskDeletion':
      return {
        matchedTasks: content.matched,
        deletedTasks: counter(results.deletedTasks),
        originalFilter: content.query,
      }
    case 'indexCompaction':
      return compactionDetails(results)
    case 'dumpCreation':
      return { dumpUid: results.dumpUid ?? null }
    case 'snapshotCreation':
      return undefined
    case 'export':
      return exportDetails(content, results)
    case 'upgradeDatabase':
      return { upgradeFrom: `v${content.from}`, upgradeTo: `v${content.to}` }
    case 'networkTopologyChange':
      return { movedDocuments: results.movedDocuments ?? 0, message: results.message ?? '' }
  }
}

function deletionDetails(
  content: Extract<TaskContent, { type: 'documentDeletion' }>,
  deletedDocuments: number | null,
): Details {
  const { selection } = content
  if (selection.by === 'all') return { deletedDocuments }
  const providedIds = selection.by === 'filter' ? 0 : selection.by === 'ids' ? selection.ids.length : selection.count
  return { providedIds, deletedDocuments, originalFilter: selection.by === 'filter' ? selection.filter : null }
}

function editionDetails(
  content: Extract<TaskContent, { type: 'documentEdition' }>,
  results: TaskResults,
  status: TaskStatus,
): Details {
  const isFailed = status === 'failed' || status === 'canceled'
  return {
    deletedDocuments: results.deletedDocuments ?? null,
    editedDocuments: isFailed ? 0 : (results.editedDocuments ?? null),
    originalFilter: content.filter,
    context: content.context === null ? null : stored(content.context),
    function: content.function,
  }
}

function updateDetails(content: Extract<TaskContent, { type: 'indexUpdate' }>): Details {
  const { primaryKey, indexUid, newIndexUid } = content
  if (newIndexUid === null) return { primaryKey }
  return { primaryKey, oldIndexUid: content.oldIndexUid ?? indexUid, newIndexUid }
}

function compactionDetails({ preCompactionBytes, postCompactionBytes }: TaskResults): Details {
  if (preCompactionBytes === undefined || postCompactionBytes === undefined) return {}
  return { preCompactionSize: sizeText(preCompactionBytes), postCompactionSize: sizeText(postCompactionBytes) }
}

/** Patterns as they were asked for, or the indexes that they came to (spec 2 §9.4). */
function exportDetails(content: Extract<TaskContent, { type: 'export' }>, { exported }: TaskResults): Details {
  const { url, apiKey, payloadBytes } = content
  const wanted = content.indexes.map(({ pattern, ...rule }) => [pattern, ruleDetails(rule)] as const)
  const done = exported?.map(
    ({ uid, matchedDocuments, ...rule }) =>
      [uid, { ...ruleDetails(rule), matched_documents: matchedDocuments }] as const,
  )
  return {
    url: maskUrl(url),
    ...(apiKey === null ? {} : { apiKey: maskSecret(apiKey) }),
    ...(payloadBytes === null ? {} : { payloadSize: sizeText(payloadBytes) }),
    indexes: new Map((done ?? wanted).map(([name, rule]) => [name, fromPlain(rule)])),
  }
}

function ruleDetails({ filter, overrideSettings }: Omit<ExportRule, 'pattern'>): Details {
  return { filter: filter === null ? null : stored(filter), overrideSettings }
}

/** Text that was JSON when the task was stored. */
function stored(text: string): JsonValue {
  const parsed = parse(text, 1024)
  if (!parsed.ok) throw new Error(`a task holds text that is not JSON: ${parsed.reason}`)
  return parsed.value
}
