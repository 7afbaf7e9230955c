import type { Patience } from '../../answer/index.js'
import { LatencyHistogram } from './latency-histogram.js'

/** Another server is asked when the first one takes longer than nineteen in twenty of its answers. */
const USUAL_PART = 0.95
/** Waiting less would only ask twice for answers that are on their way. */
const LEAST_WAIT_MS = 5
/** Waiting longer would be felt. That many answers take long is no reason: only few are asked for twice. */
const MOST_WAIT_MS = 300
/** As long as little is known of a server. */
const DEFAULT_WAIT_MS = 50
const ENOUGH_ANSWERS = 16

/** One request in ten may be asked twice, with some in reserve for a bad moment. */
const HEDGED_PART = 0.1
const MAX_RESERVE = 10

/** Beyond this nobody waits for one server alone, whether there is something in reserve or not. */
const LONGEST_WAIT_MS = 250
const LONGEST_WAIT_FACTOR = 3

/** How long a server that did not answer in the longest time is not the first to be asked, at first and at most. */
const FIRST_SLOW_MS = 2000
const LONGEST_SLOW_MS = 60_000

/** So many answers that nobody waited for any more, without one between them, are no chance. */
const MAX_MISSES = 3

interface Slowness {
  /** On the clock of `now`. */
  readonly until: number
  readonly periodMs: number
}

/**
 * How long servers are waited for before another one is asked the same question. Most slow answers are slow by chance, so
 * that a second request after the usual time cuts the tail off and costs little ("The Tail at Scale", Dean and Barroso,
 * 2013). Whoever does not answer at all is noticed by the same means.
 */
export class MeasuredPatience implements Patience {
  private readonly times = new Map<string, LatencyHistogram>()
  private readonly slow = new Map<string, Slowness>()
  /** How often each was given up since its last answer. */
  private readonly misses = new Map<string, number>()
  private reserve = MAX_RESERVE

  constructor(private readonly now: () => number = () => performance.now()) {}

  answered(server: string, elapsedMs: number): void {
    this.note(server, elapsedMs)
    this.slow.delete(server)
    this.misses.delete(server)
  }

  /** It would have taken longer still. */
  gaveUp(server: string, elapsedMs: number): void {
    const isTooLong = elapsedMs >= this.longestMs(server)
    this.note(server, elapsedMs)
    const misses = (this.misses.get(server) ?? 0) + 1
    this.misses.set(server, misses)
    if (!isTooLong && misses < MAX_MISSES) return
    const periodMs = Math.min((this.slow.get(server)?.periodMs ?? FIRST_SLOW_MS / 2) * 2, LONGEST_SLOW_MS)
    this.slow.set(server, { until: this.now() + periodMs, periodMs })
  }

  usualMs(server: string): number {
    return Math.min(this.measuredMs(server), MOST_WAIT_MS)
  }

  /** Where all answers take long, it grows with them. */
  longestMs(server: string): number {
    return Math.max(this.measuredMs(server) * LONGEST_WAIT_FACTOR, LONGEST_WAIT_MS)
  }

  mayAskTwice(): boolean {
    if (this.reserve < 1) return false
    this.reserve--
    return true
  }

  isSlow(server: string): boolean {
    return (this.slow.get(server)?.until ?? 0) > this.now()
  }

  private measuredMs(server: string): number {
    const known = this.times.get(server)
    if (known === undefined || known.size < ENOUGH_ANSWERS) return DEFAULT_WAIT_MS
    return Math.max(known.quantile(USUAL_PART), LEAST_WAIT_MS)
  }

  private note(server: string, elapsedMs: number): void {
    const known = this.times.get(server) ?? new LatencyHistogram()
    known.add(elapsedMs)
    this.times.set(server, known)
    this.reserve = Math.min(this.reserve + HEDGED_PART, MAX_RESERVE)
  }
}
