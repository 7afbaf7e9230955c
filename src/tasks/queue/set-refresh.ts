import { JobCancelled } from '../../threads/index.js'
import type { Indexing, RunningJob } from '../run/indexing.js'

/** Batches after which an index is settled though others wait: an import that never ends must not keep it from it. */
const MOST_BATCHES = 64

/**
 * Work on indexes that nobody waits for: what searches need to be fast is renewed when the queue is empty, one index after
 * the other. It stops when something is enqueued, and goes on behind it.
 */
export class Settling {
  /** Uids of indexes that batches changed, and how many did. */
  private readonly changed = new Map<string, number>()
  private running: RunningJob<boolean> | undefined

  constructor(
    private readonly indexing: Indexing,
    /** The folder of an index; undefined when it is gone. */
    private readonly pathOf: (uid: string) => string | undefined,
  ) {}

  note(uids: Iterable<string>): void {
    for (const uid of uids) this.changed.set(uid, (this.changed.get(uid) ?? 0) + 1)
  }

  /** An index that has been changed too often to wait any longer. */
  get overdue(): string | undefined {
    for (const [uid, batches] of this.changed) if (batches >= MOST_BATCHES) return uid
    return undefined
  }

  /** The index that has waited longest. */
  get next(): string | undefined {
    return this.changed.keys().next().value
  }

  /** Does a part of the work. Whoever stops it has it done again later. */
  async settle(uid: string): Promise<void> {
    const path = this.pathOf(uid)
    this.running = path === undefined ? undefined : this.indexing.settle(path)
    try {
      const isMoreLeft = (await this.running?.done) ?? false
      if (isMoreLeft) this.changed.set(uid, 1)
      else this.changed.delete(uid)
    } catch (error) {
      if (error instanceof JobCancelled) return
      this.changed.delete(uid)
      throw error
    } finally {
      this.running = undefined
    }
  }

  /** Somebody waits. */
  interrupt(): void {
    this.running?.cancel()
  }
}
