import { Bitmap } from '../../bitmap/index.js'
import { type DocumentOperation, type IndexWork, readArrivals, type TaskOutcome } from '../../index/index.js'
import { indexUidOf, type PayloadRef, payloadRefOf, type Task, type TaskContent } from '../model/task.js'
import { mayCreate } from '../schedule/autobatch.js'
import type { Plan } from '../schedule/plan.js'
import type { CatalogueEntry } from '../store/index-catalogue.js'
import type { BatchJobs, RunServices } from './batch-jobs.js'
import { type BatchOutcome, type Ending, endingOf, outcomeOf } from './batch-outcome.js'
import { isWorthTidying, withoutHoles } from './index-copies.js'

/** Documents and settings of one index: all tasks of the batch in one job. */
export async function runIndexWork(jobs: BatchJobs, plan: Plan): Promise<BatchOutcome> {
  const { content } = plan.tasks[0]!
  const uid = indexUidOf(content)!
  const work = await jobs.runOn(uid, workOf(jobs.services, plan), mayCreate(content))
  const { stats, outcomes, folder, digest, recordedVectors } = work
  return outcomeOf(endingsOf(plan, outcomes), {
    digest,
    hasVectors: recordedVectors ?? false,
    bytesAfter: stats.databaseBytes,
    async complete() {
      const tidy = await tidied(jobs, plan, { uid, folder, stats: await work.complete() })
      return {
        commit: () => jobs.services.catalogue.put(tidy),
        obsoleteFolders: tidy.folder === folder ? [] : [folder],
      }
    },
  })
}

/** The same index in a file without holes, when they are large and nothing follows that would make new ones. */
async function tidied(jobs: BatchJobs, plan: Plan, entry: CatalogueEntry): Promise<CatalogueEntry> {
  if (!isWorthTidying(entry.stats) || hasMoreFor(jobs.services, plan, entry.uid)) return entry
  try {
    return (await withoutHoles(jobs, entry)).copy
  } catch (error) {
    jobs.services.log.error({ index: entry.uid, error }, 'the file of an index could not be made smaller')
    return entry
  }
}

function hasMoreFor({ store }: RunServices, { tasks }: Plan, uid: string): boolean {
  const waiting = store.withStatus('enqueued').and(store.tiedTo(uid))
  return !waiting.andNot(Bitmap.fromUnsorted(tasks.map((task) => task.uid))).isEmpty
}

function workOf(services: RunServices, { kind, tasks }: Plan): IndexWork {
  switch (kind) {
    case 'deletions':
    case 'filteredDeletions':
      return { kind: 'deletions', operations: operationsOf(services, tasks) }
    case 'clear':
      return { kind: 'clear', patches: [] }
    case 'clearAndSettings':
      return { kind: 'clear', patches: settingsOf(tasks) }
    case 'settings':
      return { kind: 'settings', patches: settingsOf(tasks) }
    default:
      return { kind: 'documents', operations: operationsOf(services, tasks) }
  }
}

function settingsOf(tasks: readonly Task[]): string[] {
  return tasks.flatMap(({ content }) => (content.type === 'settingsUpdate' ? [content.settings] : []))
}

function operationsOf({ store, payloads }: RunServices, tasks: readonly Task[]): DocumentOperation[] {
  const inline = store.payloads(tasks.filter(({ content }) => hasInlinePayload(content)).map(({ uid }) => uid))
  return tasks.map((task) => operationOf(task, { payloads, inline }))
}

const hasInlinePayload = (content: TaskContent): boolean => payloadRefOf(content)?.place === 'inline'

interface Payloads extends Pick<RunServices, 'payloads'> {
  /** Those that are kept with their tasks, by uid. */
  readonly inline: ReadonlyMap<number, Uint8Array>
}

function operationOf({ uid, content, network }: Task, { payloads, inline }: Payloads): DocumentOperation {
  const sourceOf = (payload: PayloadRef) =>
    payload.place === 'file' ? { path: payloads.pathOf(payload.name) } : { bytes: inline.get(uid)! }
  if (content.type === 'documentAdditionOrUpdate') {
    const { method, primaryKey, skipCreation, payload } = content
    const handedOver = network?.kind === 'import' && (network.from.ifAbsent ? 'ifAbsent' : 'all')
    return {
      kind: 'import',
      method,
      primaryKey,
      skipCreation,
      payload: sourceOf(payload),
      task: network?.kind === 'origin' ? network.origin.taskUid : uid,
      ...(handedOver && { handedOver }),
      ...arrivalsOf(network),
    }
  }
  if (content.type !== 'documentDeletion' || content.selection.by === 'all')
    throw new Error(`task ${uid} is no document operation`)
  const { selection } = content
  if (selection.by === 'filter') return { kind: 'deleteFilter', filter: selection.filter }
  return { kind: 'deleteIds', ids: selection.by === 'ids' ? selection.ids : sourceOf(selection.payload) }
}

function arrivalsOf(network: Task['network']): { arrivals?: readonly number[] } {
  const from = network?.kind === 'import' ? network.from : undefined
  const arrivals = from?.arrivals === undefined ? undefined : readArrivals(from.arrivals, from.documentCount)
  return arrivals === undefined ? {} : { arrivals }
}

/** Clears and settings have one outcome for all; document operations one each. */
function endingsOf({ kind, tasks }: Plan, outcomes: readonly TaskOutcome[]): Ending[] {
  if (kind === 'clear' || kind === 'clearAndSettings') return clearEndings(tasks, outcomes[0]!)
  if (kind === 'settings') return tasks.map(() => ({ ok: true, results: {} }))
  return tasks.map((_, i) => endingOf(outcomes[i]!))
}

/** The first clear counts everything, later ones nothing; what a clear absorbs has no counter. */
function clearEndings(tasks: readonly Task[], outcome: TaskOutcome): Ending[] {
  let first = endingOf(outcome)
  return tasks.map(({ content }): Ending => {
    const isClear = content.type === 'documentDeletion' && content.selection.by === 'all'
    if (!isClear) return { ok: true, results: {} }
    const ending = first
    first = { ok: true, results: { deletedDocuments: 0 } }
    return ending
  })
}
