import { readdirSync } from 'node:fs'
import { getPriority, platform, setPriority } from 'node:os'
import { nicerBy } from './priority.js'

/**
 * So much nicer that whoever wakes up on their core gets it at once: the scheduler of Linux lets others finish their
 * slice, some milliseconds. Where they are nicer still, code is compiled so late that batches take longer.
 */
const STEP = 10

let compilers: readonly number[] = []

/** To be called before anything else has started threads: all that run by then, but the one that calls, are V8's. */
export function findCompilers(): void {
  if (platform() !== 'linux') return
  try {
    compilers = readdirSync('/proc/self/task')
      .map(Number)
      .filter((id) => id !== process.pid)
  } catch {
    // A sandbox may hide them: then all threads are equal.
  }
}

/**
 * Lets all other threads go before those on which V8 compiles, from now on: who waits for an answer must not wait for
 * code that will be faster the next time. Until somebody does, batches are better off when it comes soon.
 */
export function compilersStepBack(): void {
  const ids = compilers
  compilers = []
  for (const id of ids) {
    try {
      setPriority(id, nicerBy(STEP, getPriority(id)))
    } catch {
      // It has ended, or a sandbox forbids it.
    }
  }
}
