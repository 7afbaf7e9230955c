import { JobCancelled } from '../threads/index.js'

/** How long work is watched, and stopped, from outside. */
export interface Watch {
  /** Called often; must be cheap. */
  progress(step: string, finished: number, total: number): void
  isCancelled(): boolean
}

/** Throws when the work was asked to stop. */
export function checkCancelled(watch: Watch): void {
  if (watch.isCancelled()) throw new JobCancelled()
}
