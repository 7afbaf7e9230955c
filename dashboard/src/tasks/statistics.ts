import type { Task } from 'meilisearch'
import { STATUSES, type Status } from './query.js'
import { secondsOf } from './time.js'

export const BINS = 40
/** Everything at once would be a line without width. */
const LEAST_MS = 1_000

export interface Bin {
  readonly beginMs: number
  readonly counts: Readonly<Record<Status, number>>
}

export interface Run {
  readonly uid: number
  readonly finishedMs: number
  readonly seconds: number
}

/** What is drawn of the tasks that are loaded. */
export interface Statistics {
  readonly fromMs: number
  readonly toMs: number
  /** By the time at which they came. */
  readonly bins: readonly Bin[]
  readonly most: number
  readonly totals: Readonly<Record<Status, number>>
  readonly runs: readonly Run[]
}

export function statisticsOf(tasks: readonly Task[]): Statistics {
  const came = tasks.map(({ enqueuedAt }) => Date.parse(enqueuedAt))
  const runs = tasks.flatMap(runOf)
  const fromMs = Math.min(...came)
  const toMs = Math.max(fromMs + LEAST_MS, ...came, ...runs.map(({ finishedMs }) => finishedMs))
  const width = (toMs - fromMs) / BINS
  const counts = Array.from({ length: BINS }, nothing)
  const totals = nothing()
  for (const [i, { status }] of tasks.entries()) {
    counts[Math.min(BINS - 1, Math.floor((came[i]! - fromMs) / width))]![status]++
    totals[status]++
  }
  const bins = counts.map((each, i) => ({ beginMs: fromMs + i * width, counts: each }))
  const most = Math.max(...bins.map((bin) => sum(bin.counts)))
  return { fromMs, toMs, bins, most, totals, runs }
}

const nothing = (): Record<Status, number> =>
  Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>

export const sum = (counts: Readonly<Record<Status, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0)

/** Canceled ones have times too, but did not run. */
function runOf({ uid, status, finishedAt, duration }: Task): Run[] {
  const seconds = secondsOf(duration)
  const hasRun = (status === 'succeeded' || status === 'failed') && finishedAt !== null && seconds !== undefined
  return hasRun ? [{ uid, finishedMs: Date.parse(finishedAt), seconds }] : []
}

export interface Durations {
  readonly shortest: number
  readonly median: number
  readonly longest: number
}

export function durationsOf(runs: readonly Run[]): Durations | undefined {
  const sorted = runs.map(({ seconds }) => seconds).sort((a, b) => a - b)
  if (sorted.length === 0) return undefined
  return { shortest: sorted[0]!, median: sorted[sorted.length >> 1]!, longest: sorted.at(-1)! }
}
