import type { TaskQueue } from '../../tasks/index.js'

/** The longest that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1

export interface SnapshotSchedule {
  stop(): void
}

/** Registers a snapshot whenever an interval is over, the first time after a whole one (spec 2 §7). */
export function scheduleSnapshots(options: {
  readonly intervalMs: number
  readonly tasks: Pick<TaskQueue, 'enqueue'>
  /** Asked when an interval is over: of the servers of a cluster one registers a snapshot for all. */
  readonly isOurs?: () => boolean
  /** Hears why a snapshot could not be registered. */
  readonly refused: (reason: unknown) => void
}): SnapshotSchedule {
  const { intervalMs, tasks, refused, isOurs = () => true } = options
  let due = performance.now() + intervalMs
  let timer: NodeJS.Timeout
  const register = async (): Promise<void> => {
    try {
      const task = await tasks.enqueue({ type: 'snapshotCreation' })
      if (!task.ok) refused(task.failure)
    } catch (error) {
      refused(error)
    }
  }
  const wait = (): void => {
    timer = setTimeout(look, Math.min(Math.max(0, due - performance.now()), MAX_TIMER_MS))
    timer.unref()
  }
  const look = (): void => {
    if (performance.now() >= due) {
      due += intervalMs
      if (isOurs()) void register()
    }
    wait()
  }
  wait()
  return { stop: () => clearTimeout(timer) }
}
