import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, platform, setPriority } from 'node:os'
import { nicerBy } from './priority.js'

/**
 * So much nicer that whoever wakes up on their core gets it at once: the scheduler of Linux lets others finish their
 * slice, some milliseconds. Where they are nicer still, code is compiled so late that batches take longer.
 */
const STEP = 10

/** How newer versions of Node name them. Older ones name all threads alike. */
const NAME = 'V8Worker'

/** Of older versions the first threads of the process: one that waits for the time to compile, and those that do. */
const firstThreads = (): number => 1 + (poolSize(process.execArgv) ?? DEFAULT_POOL)

const DEFAULT_POOL = 4

function poolSize(nodeOptions: readonly string[]): number | undefined {
  const sizes = nodeOptions.map((option) => /^--v8-pool-size=(\d+)$/.exec(option)?.[1])
  const size = sizes.findLast((found) => found !== undefined)
  return size === undefined ? undefined : Number(size)
}

let compilers: readonly number[] = []

/** To be called before the process starts threads of its own. */
export function findCompilers(): void {
  if (platform() !== 'linux') return
  try {
    const others = threadIds().filter((id) => id !== process.pid)
    const named = others.filter((id) => nameOf(id).startsWith(NAME))
    compilers = named.length > 0 ? named : others.slice(0, firstThreads())
  } catch {
    // A sandbox may hide them: then all threads are equal.
  }
}

/** In the order in which they were started. */
function threadIds(): number[] {
  return readdirSync('/proc/self/task')
    .map(Number)
    .sort((a, b) => a - b)
}

const nameOf = (id: number): string => readFileSync(`/proc/self/task/${id}/comm`, 'utf8')

/**
 * Lets all other threads go before those on which V8 compiles, from now on: who waits for an answer must not wait for
 * code that will be faster the next time. Until somebody does, batches are better off when it comes soon.
 */
export function compilersStepBack(): void {
  if (compilers.length === 0) return
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
