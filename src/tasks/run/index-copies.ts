import type { IndexStats } from '../../index/index.js'
import { indexUidOf } from '../model/task.js'
import type { Plan } from '../schedule/plan.js'
import { type CatalogueEntry, newFolderName } from '../store/index-catalogue.js'
import type { BatchJobs } from './batch-jobs.js'
import { type BatchOutcome, type Ending, effects, outcomeOf, succeeded } from './batch-outcome.js'

/** Smaller holes are soon filled again. */
const MIN_FREE_BYTES = 4 << 20
const MIN_FREE_SHARE = 0.1

/** Copying a larger file would keep the tasks that follow waiting: whoever wants that asks for it. */
const MAX_TIDIED_BYTES = 256 << 20

/** What is copied stays in proportion to what was freed, so that tidying costs a share of the work that made it needed. */
export function isWorthTidying({ sizeBytes, usedBytes }: IndexStats): boolean {
  const freeBytes = sizeBytes - usedBytes
  return freeBytes >= Math.max(MIN_FREE_BYTES, sizeBytes * MIN_FREE_SHARE) && sizeBytes <= MAX_TIDIED_BYTES
}

/** A copy of an index in a file without holes, and how many bytes the index had before. Leaves nothing when it fails. */
export async function withoutHoles(
  jobs: BatchJobs,
  entry: CatalogueEntry,
): Promise<{ before: number; copy: CatalogueEntry }> {
  const { indexing, deleteFolder } = jobs.services
  const folder = newFolderName()
  try {
    const { before, after } = await indexing.compact(jobs.pathOf(entry.folder), jobs.pathOf(folder))
    return { before, copy: { ...entry, folder, stats: { ...entry.stats, sizeBytes: after } } }
  } catch (error) {
    // What cannot be deleted now goes at the next start.
    await deleteFolder(folder).catch(() => {})
    throw error
  }
}

/** Somebody asked for a file without holes. */
export async function compact(jobs: BatchJobs, { tasks }: Plan): Promise<BatchOutcome> {
  const entry = jobs.entryOf(indexUidOf(tasks[0]!.content)!)
  const { before, copy } = await withoutHoles(jobs, entry)
  return succeeded(
    { preCompactionBytes: before, postCompactionBytes: copy.stats.sizeBytes },
    effects({ commit: () => jobs.services.catalogue.put(copy), obsoleteFolders: [entry.folder] }),
  )
}

/** The catalogue moves to the copies of all indexes at once: until then nothing has changed. */
export async function upgrade(jobs: BatchJobs, { tasks }: Plan): Promise<BatchOutcome> {
  const { catalogue, deleteFolder } = jobs.services
  const made: string[] = []
  try {
    const copies = await upgradedCopies(jobs, made)
    return outcomeOf(
      tasks.map((): Ending => ({ ok: true, results: {} })),
      effects({
        obsoleteFolders: copies.map(({ uid }) => catalogue.get(uid)!.folder),
        commit: () => copies.forEach((copy) => void catalogue.put(copy)),
      }),
    )
  } catch (error) {
    for (const folder of made) await deleteFolder(folder).catch(() => {})
    throw error
  }
}

/** Tells which folders it made, also when it fails. */
async function upgradedCopies(jobs: BatchJobs, made: string[]): Promise<CatalogueEntry[]> {
  const { catalogue, indexing } = jobs.services
  const copies: CatalogueEntry[] = []
  const entries = catalogue.list()
  for (const [i, entry] of entries.entries()) {
    const folder = newFolderName()
    const job = jobs.begin(() => {
      jobs.context.onProgress(`upgrading the index ${entry.uid}`, i, entries.length)
      made.push(folder)
      return indexing.upgrade(jobs.pathOf(entry.folder), jobs.pathOf(folder))
    })
    const stats = await job.done
    if (stats !== undefined) copies.push({ ...entry, folder, stats })
  }
  return copies
}
