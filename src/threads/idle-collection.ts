import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** For so long there was nothing to do. */
const IDLE_MS = 10_000

/** So much work leaves behind what is worth looking for. */
const MUCH_WORK_MS = 2000

interface IdleCollectionOptions {
  /** How long the thread has worked since it began. */
  readonly workedMs?: () => number
  readonly collect?: () => void
}

/**
 * Collects the garbage of a thread that has worked and then has nothing to do. V8 looks for garbage when there is need of
 * room for something new: what a busy hour has left behind may stay for days.
 */
export class IdleCollection {
  private readonly workedMs: () => number
  private readonly timer: NodeJS.Timeout
  /** When garbage was last collected, in time of work. */
  private collectedAt = 0

  constructor({ workedMs = activeMs, collect = collectGarbage }: IdleCollectionOptions = {}) {
    this.workedMs = workedMs
    this.timer = setTimeout(() => this.rest(collect), IDLE_MS).unref()
  }

  /** To be called whenever something was done. */
  worked(): void {
    this.timer.refresh()
  }

  private rest(collect: () => void): void {
    const worked = this.workedMs()
    if (worked - this.collectedAt < MUCH_WORK_MS) return
    this.collectedAt = worked
    collect()
  }
}

const activeMs = (): number => performance.eventLoopUtilization().active

/** Node offers it only where it was started with an option, or in a context that is made after the option was set. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
