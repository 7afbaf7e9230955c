import { join } from 'node:path'
import { JobCancelled } from '../../threads/index.js'
import type { Indexing, RunningJob } from '../run/indexing.js'
import type { IndexCatalogue } from '../store/index-catalogue.js'
import type { TaskStore } from '../store/task-store.js'

/** Batches after which the sets of an index are renewed though others wait, for an import may never end. */
const MOST_BATCHES = 64

export interface SetRefreshOptions {
  readonly store: TaskStore
  readonly catalogue: IndexCatalogue
  readonly indexing: Indexing
  readonly indexesPath: string
}

/**
 * Work on indexes that nobody waits for: what searches need to be fast is renewed when the queue is empty, one index after
 * the other. It stops when something is enqueued, and goes on behind it. The catalogue knows which indexes want it, so that
 * a server that was stopped goes on as well.
 */
export class SetRefresh {
  /** Uids of indexes whose sets are due, and how many batches changed them since. */
  private readonly due = new Map<string, number>()
  private running: { readonly job: RunningJob<unknown>; readonly isOverdue: boolean } | undefined

  constructor(private readonly options: SetRefreshOptions) {
    this.note(options.catalogue.list().map(({ uid }) => uid))
  }

  /** Indexes that a batch changed. */
  note(uids: Iterable<string>): void {
    for (const uid of uids) {
      if (this.options.catalogue.get(uid)?.stats.areSetsDue) this.due.set(uid, (this.due.get(uid) ?? 0) + 1)
      else this.due.delete(uid)
    }
  }

  /** An index that has been changed too often to wait any longer. */
  get overdue(): string | undefined {
    for (const [uid, batches] of this.due) if (batches >= MOST_BATCHES) return uid
    return undefined
  }

  /** The index that has waited longest. */
  get next(): string | undefined {
    return this.due.keys().next().value
  }

  /** Does a part of the work. Whoever stops it has it done again later. */
  async refresh(uid: string): Promise<void> {
    const { store, catalogue, indexing, indexesPath } = this.options
    const entry = catalogue.get(uid)
    const batches = this.due.get(uid) ?? 0
    this.due.delete(uid)
    if (entry === undefined) return
    const job = indexing.refreshSets(join(indexesPath, entry.folder))
    this.running = { job, isOverdue: batches >= MOST_BATCHES }
    try {
      const stats = await job.done
      await store.write(() => catalogue.put({ ...entry, stats }))
      this.note([uid])
    } catch (error) {
      if (!(error instanceof JobCancelled)) throw error
      this.due.set(uid, batches)
    } finally {
      this.running = undefined
    }
  }

  /** Somebody waits. What is overdue is done all the same: there would always be somebody. */
  interrupt(): void {
    if (!this.running?.isOverdue) this.stop()
  }

  stop(): void {
    this.running?.job.cancel()
  }
}
