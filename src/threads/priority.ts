import { getPriority, platform, setPriority } from 'node:os'

/** So much nicer than before that others get about three times as much of a core that both want. */
const STEP = 5
/** No thread can be nicer. */
const NICEST = 19

/**
 * Lets other threads of this machine go before the one that calls, and before those that it starts from now on: what is
 * done in the background must not delay answers. Only Linux gives each thread a priority of its own; elsewhere the whole
 * process would step back.
 */
export function stepBack(): void {
  if (platform() !== 'linux') return
  try {
    setPriority(Math.min(getPriority() + STEP, NICEST))
  } catch {
    // A sandbox may forbid it: then all threads are equal.
  }
}
