import { Bitmap } from '../../bitmap/index.js'
import { FailureError, failure } from '../../errors/index.js'
import type { IndexStats } from '../../index/index.js'
import { indexUidOf, type Swap, type Task, type TaskContent, type TaskResults } from '../model/task.js'
import { mayCreate } from '../schedule/autobatch.js'
import type { Plan } from '../schedule/plan.js'
import { type CatalogueEntry, newFolderName } from '../store/index-catalogue.js'
import type { BatchJobs, IndexResult, RunServices } from './batch-jobs.js'
import { type BatchOutcome, type Ending, effects, endingOf, outcomeOf, succeeded } from './batch-outcome.js'
import { exchangeNames } from './exchange-names.js'

type ContentOf<Type extends TaskContent['type']> = Extract<TaskContent, { type: Type }>

export async function createIndex(jobs: BatchJobs, content: ContentOf<'indexCreation'>): Promise<BatchOutcome> {
  const { indexUid: uid, primaryKey } = content
  const { catalogue } = jobs.services
  if (catalogue.get(uid) !== undefined) throw new FailureError(failure('index_already_exists', uid))
  const folder = newFolderName()
  const work = await jobs.start(uid, folder, { kind: 'create' }, primaryKey).done
  return succeeded(
    {},
    changedIndex(work, (stats) => catalogue.put({ uid, folder, stats })),
  )
}

/** What a batch did to one index, and how the catalogue follows. */
function changedIndex({ stats, digest, recordedVectors, complete }: IndexResult, follow: (stats: IndexStats) => void) {
  return {
    digest,
    hasVectors: recordedVectors ?? false,
    bytesAfter: stats.databaseBytes,
    async complete() {
      const now = await complete()
      return { commit: () => follow(now), obsoleteFolders: [] }
    },
  }
}

export async function editDocuments(jobs: BatchJobs, content: ContentOf<'documentEdition'>): Promise<BatchOutcome> {
  const { indexUid: uid, filter, context, function: source } = content
  const work = { kind: 'edit', filter, context, function: source } as const
  const edited = await jobs.runOn(uid, work, false)
  const { folder, outcomes } = edited
  return outcomeOf(
    [endingOf(outcomes[0]!)],
    changedIndex(edited, (stats) => jobs.services.catalogue.put({ uid, folder, stats })),
  )
}

/** The new name stays even when the primary key is then refused (spec 2 §10.2). */
export async function updateIndex(
  jobs: BatchJobs,
  task: Task,
  { indexUid, newIndexUid, primaryKey }: ContentOf<'indexUpdate'>,
): Promise<BatchOutcome> {
  const { catalogue } = jobs.services
  const entry = jobs.entryOf(indexUid)
  const isRenamed = newIndexUid !== null && newIndexUid !== indexUid
  if (isRenamed && catalogue.get(newIndexUid) !== undefined)
    throw new FailureError(failure('index_already_exists', newIndexUid))
  const { work, ending } = await setPrimaryKey(jobs, entry, { primaryKey, touch: isRenamed })
  const follow = (stats: IndexStats): void => {
    catalogue.put({ ...entry, stats })
    if (isRenamed) renameEverywhere(jobs.services, task, [{ indexes: [indexUid, newIndexUid], rename: true }])
  }
  return outcomeOf([ending], changedIndex(work, follow))
}

async function setPrimaryKey(
  jobs: BatchJobs,
  { uid, folder }: CatalogueEntry,
  { primaryKey, touch }: { primaryKey: string | null; touch: boolean },
): Promise<{ work: IndexResult; ending: Ending }> {
  try {
    const work = await jobs.start(uid, folder, { kind: 'primaryKey', primaryKey, touch }).done
    return { work, ending: { ok: true, results: {} } }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    const work = await jobs.start(uid, folder, { kind: 'primaryKey', primaryKey: null, touch }).done
    return { work, ending: { ok: false, failure: error.failure } }
  }
}

export function swapIndexes({ services }: BatchJobs, task: Task, swaps: readonly Swap[]): BatchOutcome {
  const isThere = (uid: string): boolean => services.catalogue.get(uid) !== undefined
  const needed = swaps.flatMap(({ indexes, rename }) => (rename ? [indexes[0]] : indexes))
  const missing = needed.filter((uid) => !isThere(uid)).sort()
  if (missing.length > 0) throw new FailureError(failure('index_not_found', ...missing))
  const taken = swaps.find(({ indexes, rename }) => rename && isThere(indexes[1]))
  if (taken !== undefined) throw new FailureError(failure('index_already_exists', taken.indexes[1]))
  return succeeded({}, effects({ commit: () => renameEverywhere(services, task, swaps) }))
}

/** Exchanges names in the catalogue and in the history of older tasks. */
function renameEverywhere({ catalogue, store }: RunServices, task: Task, swaps: readonly Swap[]): void {
  for (const { indexes } of swaps) {
    const [a, b] = indexes
    catalogue.exchange(a, b)
    const older = store.tiedTo(a).or(store.tiedTo(b)).and(Bitmap.range(0, task.uid))
    const changes = [...older.toArray()].map((uid) => {
      const before = store.get(uid)!
      return { before, after: { ...before, content: exchangeNames(before.content, a, b) } }
    })
    store.change(changes)
  }
}

/** Everything before the deletion succeeds without being done (spec 2 §1.6). */
export async function deleteIndex(jobs: BatchJobs, { tasks }: Plan): Promise<BatchOutcome> {
  const { services } = jobs
  const uid = indexUidOf(tasks[0]!.content)!
  const entry = services.catalogue.get(uid)
  if (entry === undefined && !mayCreate(tasks[0]!.content)) throw new FailureError(failure('index_not_found', uid))
  const count = entry?.stats.numberOfDocuments ?? 0
  const shares = entry && (await jobs.documentsByShard(entry))
  return outcomeOf(
    tasks.map(({ content }): Ending => {
      const counted = content.type === 'indexDeletion' && shares ? { shares } : {}
      return { ok: true, results: absorbedByDeletion(content, count), ...counted }
    }),
    {
      bytesAfter: {},
      ...effects({
        commit: () => services.catalogue.delete(uid),
        obsoleteFolders: entry === undefined ? [] : [entry.folder],
      }),
    },
  )
}

function absorbedByDeletion(content: TaskContent, documentCount: number): TaskResults {
  if (content.type === 'indexDeletion') return { deletedDocuments: documentCount }
  if (content.type === 'documentAdditionOrUpdate') return { indexedDocuments: 0 }
  if (content.type === 'documentDeletion' && content.selection.by !== 'all') return { deletedDocuments: 0 }
  return {}
}
