import type { History } from './history.js'
import type { SearchTimes } from './searchers.js'

/** Something that was done to the cluster, in times of `performance.now()`. */
export interface Blow {
  readonly what: string
  readonly at: number
  /** The next one came when everybody was ready again. */
  readonly isAwaited: boolean
  /** How long that took. Undefined where another blow makes it no figure of this one. */
  readonly readyMs?: number
  /** Until here its effects are looked for. */
  readonly until: number
}

/** Columns: how often, and medians and maxima of gaps. Blows that came with others are counted and not measured. */
export function figuresOf(blows: readonly Blow[], history: History, searches: SearchTimes): string[] {
  const kinds = [...new Set(blows.map(({ what }) => what))].sort()
  const width = Math.max(...kinds.map(({ length }) => length))
  const title = `${''.padEnd(width)}  count  gap in writes  slowest write  gap in searches  failed  ready again after (median / worst, s)`
  return [title, ...kinds.map((what) => row(what, width)), ...totals(history, searches)]

  function row(what: string, columnWidth: number): string {
    const all = blows.filter((blow) => blow.what === what)
    const measured = all.filter(({ readyMs }) => readyMs !== undefined)
    const acknowledgedAt = history.acknowledgements.map(({ at }) => at)
    const writeGaps = measured.map((blow) => longestGap(acknowledgedAt, blow))
    const slowest = measured.map((blow) => slowestWrite(history, blow))
    const searchGaps = measured.map((blow) => longestGap(searches.answeredAt, blow))
    const failed = measured.map(({ at, until }) => searches.failedAt.filter((t) => t >= at && t < until).length)
    const ready = measured.map(({ readyMs }) => readyMs!)
    const cells = [spread(writeGaps).padStart(13), spread(slowest).padStart(13), spread(searchGaps).padStart(15)]
    const failures = `${failed.reduce((sum, count) => sum + count, 0)}`.padStart(6)
    return `${what.padEnd(columnWidth)}  ${`${all.length}`.padStart(5)}  ${cells.join('  ')}  ${failures}  ${spread(ready)}`
  }
}

function totals({ acknowledgements, acknowledged, unanswered, refusals }: History, searches: SearchTimes): string[] {
  const answered = acknowledgements.map(({ answeredMs }) => answeredMs).sort((a, b) => a - b)
  const at = (share: number): string => `${(answered[Math.floor(share * (answered.length - 1))] ?? 0).toFixed(1)} ms`
  const refused = [...refusals].map(
    ([why, { count, slowestMs }]) => `${count} × ${why} within ${(slowestMs / 1000).toFixed(1)} s`,
  )
  return [
    `202: ${acknowledged.size}, p50 ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)}; ${unanswered} unanswered; refused: ${refused.join(', ') || 'none'}`,
    `searches: ${searches.answeredAt.length} answered, ${searches.retried} asked twice, ${searches.failedAt.length} failed at two servers`,
  ]
}

/** The longest time without any of these instants, which are in order, from the blow on. */
function longestGap(instants: readonly number[], { at, until }: Pick<Blow, 'at' | 'until'>): number {
  let before = at
  let longest = 0
  for (let i = firstFrom(instants, at); i < instants.length && before < until; i++) {
    longest = Math.max(longest, Math.min(instants[i]!, until) - before)
    before = instants[i]!
  }
  return Math.max(longest, until - before)
}

/** The position of the first instant at or behind a time. */
function firstFrom(instants: readonly number[], from: number): number {
  let [lo, hi] = [0, instants.length]
  while (lo < hi) {
    const middle = (lo + hi) >> 1
    if (instants[middle]! < from) lo = middle + 1
    else hi = middle
  }
  return lo
}

/** Of the writes that were under way or began meanwhile, with all their attempts. */
function slowestWrite({ acknowledgements }: History, { at, until }: Blow): number {
  let slowest = 0
  for (const each of acknowledgements) {
    if (each.at >= at && each.sentAt < until) slowest = Math.max(slowest, each.at - each.sentAt)
  }
  return slowest
}

function spread(times: readonly number[]): string {
  if (times.length === 0) return '–'
  const sorted = [...times].sort((a, b) => a - b)
  const seconds = (ms: number): string => (ms / 1000).toFixed(2)
  return `${seconds(sorted[sorted.length >> 1]!)} / ${seconds(sorted[sorted.length - 1]!)}`
}
