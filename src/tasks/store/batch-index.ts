import { Bitmap } from '../../bitmap/index.js'
import { globalTypes, type Task, type TaskStatus, type TaskType, tiedIndexes } from '../model/task.js'
import type { ChunkedSets } from './chunked-sets.js'
import { append, type TaskChange } from './task-change.js'

/** The sets of tasks, as they are after a change. */
export interface TaskSets {
  named(name: string): Bitmap
  ofBatch(batchUid: number): Bitmap
}

/**
 * Which finished batches hold at least one task with some property, so that filters of batches need not walk all of
 * them. A name is that of the set of tasks; `local:` stands for an index as far as tasks of that index alone go.
 */
export class BatchIndex {
  constructor(
    private readonly sets: ChunkedSets,
    private readonly tasks: TaskSets,
  ) {}

  withStatus(status: TaskStatus): Bitmap {
    return this.sets.get(`status:${status}`)
  }

  withType(type: TaskType): Bitmap {
    return this.sets.get(`type:${type}`)
  }

  tiedTo(indexUid: string): Bitmap {
    return this.sets.get(`index:${indexUid}`)
  }

  /** As `tiedTo`, without the kinds that concern the whole server. */
  ofIndex(indexUid: string): Bitmap {
    return this.sets.get(`local:${indexUid}`)
  }

  /** Inside a transaction, after the sets of tasks changed. */
  change(changes: readonly TaskChange[]): void {
    const gained = new Map<string, number[]>()
    const doubtful = new Map<number, Set<string>>()
    for (const { before, after } of changes) {
      const were = namesOf(before)
      const are = namesOf(after)
      const isSameBatch = before?.batchUid === after?.batchUid
      for (const name of are) if (!isSameBatch || !were.includes(name)) append(gained, name, after!.batchUid!)
      const maybeLost = isSameBatch ? were.filter((name) => !are.includes(name)) : were
      if (maybeLost.length > 0) doubt(doubtful, before!.batchUid!, maybeLost)
    }
    for (const [name, uids] of gained) this.sets.add(name, Bitmap.fromUnsorted(uids))
    for (const [name, uids] of this.lost(doubtful)) this.sets.remove(name, Bitmap.fromUnsorted(uids))
  }

  /** Names that no task left in the batch has. */
  private lost(doubtful: ReadonlyMap<number, ReadonlySet<string>>): Map<string, number[]> {
    const lost = new Map<string, number[]>()
    for (const [batchUid, names] of doubtful) {
      const left = this.tasks.ofBatch(batchUid)
      for (const name of names) if (!this.isHeld(left, name)) append(lost, name, batchUid)
    }
    return lost
  }

  private isHeld(tasks: Bitmap, name: string): boolean {
    if (tasks.isEmpty || !name.startsWith('local:')) return tasks.intersects(this.tasks.named(name))
    const globals = Bitmap.orMany(globalTypes.map((type) => this.tasks.named(`type:${type}`)))
    return tasks.andNot(globals).intersects(this.tasks.named(`index:${name.slice('local:'.length)}`))
  }
}

function namesOf(task: Task | undefined): string[] {
  if (task === undefined || task.batchUid === null) return []
  const { type } = task.content
  const indexes = tiedIndexes(task.content)
  const names = [`status:${task.status}`, `type:${type}`, ...indexes.map((uid) => `index:${uid}`)]
  return globalTypes.includes(type) ? names : [...names, ...indexes.map((uid) => `local:${uid}`)]
}

function doubt(doubtful: Map<number, Set<string>>, batchUid: number, names: readonly string[]): void {
  const known = doubtful.get(batchUid) ?? new Set()
  for (const name of names) known.add(name)
  doubtful.set(batchUid, known)
}
