import type { Task } from '../model/task.js'
import type { UnconfirmedBatch } from '../run/batch-decision.js'
import type { TaskStore } from '../store/task-store.js'
import type { QueueReplication } from './replication.js'
import { RunningState } from './running-state.js'

export interface ConfirmationOptions {
  readonly store: TaskStore
  readonly replication: QueueReplication | undefined
  readonly now: () => string
  readonly notify: (tasks: readonly Task[], batchUid: number) => Promise<void>
}

/**
 * Batches whose end is on disk here, but not yet on all servers that answer. Who waits for a task and then asks another
 * server has to find there what the task did, so their tasks are shown as being processed.
 */
export class Confirmations {
  private readonly waiting = new Set<RunningState>()

  constructor(private readonly options: ConfirmationOptions) {
    for (const batch of options.replication?.unconfirmed() ?? []) this.addEarlier(batch)
  }

  get shown(): readonly RunningState[] {
    return [...this.waiting]
  }

  add(running: RunningState, tasks: readonly Task[], sequence: number): void {
    this.waiting.add(running)
    void this.confirm(running, tasks, sequence)
  }

  private async confirm(running: RunningState, tasks: readonly Task[], sequence: number): Promise<void> {
    const { notify } = this.options
    const replication = this.options.replication!
    await replication.carriedOutEverywhere(sequence)
    this.waiting.delete(running)
    if (await replication.mustNotify(sequence)) {
      await notify(tasks, running.uid)
      replication.notified(sequence)
    }
    replication.confirmed(sequence)
  }

  /** What was not known to be on all servers when this one was stopped is not now. */
  private addEarlier({ sequence, batchUid }: UnconfirmedBatch): void {
    const { store, now } = this.options
    const batch = store.batch(batchUid)
    const tasks = Array.from(store.ofBatch(batchUid).toArray(), (uid) => store.get(uid)!)
    const { startedAt = now(), strategy = '' } = batch ?? {}
    this.add(new RunningState(batchUid, tasks.map(unfinished), startedAt, strategy), tasks, sequence)
  }
}

/** As it was before its batch. */
const unfinished = (task: Task): Task => ({
  ...task,
  status: 'enqueued',
  batchUid: null,
  startedAt: null,
  finishedAt: null,
  results: null,
  error: null,
  canceledBy: null,
})
