/** How long a remote that failed is not asked, at first and at most (spec 8 §3.8). */
const FIRST_PERIOD_MS = 30_000
const LONGEST_PERIOD_MS = 300_000

interface Absence {
  /** On the clock of `now`. */
  readonly until: number
  readonly periodMs: number
}

export type RemoteStatus = 'available' | 'unavailable'

/** Which remotes can be asked. In memory only: after a start all of them can. */
export class Availability {
  private readonly absences = new Map<string, Absence>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  statusOf(name: string): RemoteStatus {
    return this.isAway(name) ? 'unavailable' : 'available'
  }

  /** The remote failed: it gets time to recover, twice as much when it was away already. */
  fail(name: string): void {
    const known = this.isAway(name) ? this.absences.get(name) : undefined
    const periodMs = known === undefined ? FIRST_PERIOD_MS : Math.min(known.periodMs * 2, LONGEST_PERIOD_MS)
    this.absences.set(name, { until: Math.max(this.now() + periodMs, known?.until ?? 0), periodMs })
  }

  /** Somebody knows: a remote that is said to be away stays so until the opposite is said. */
  set(name: string, status: RemoteStatus): void {
    if (status === 'available') this.absences.delete(name)
    else this.absences.set(name, { until: Number.POSITIVE_INFINITY, periodMs: LONGEST_PERIOD_MS })
  }

  private isAway(name: string): boolean {
    const absence = this.absences.get(name)
    return absence !== undefined && this.now() < absence.until
  }
}
