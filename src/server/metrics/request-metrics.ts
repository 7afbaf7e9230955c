/** Upper bounds in seconds (spec 1 §5.5); one more bucket, without bound, comes last. */
export const BUCKETS_SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]

/** Paths that match no route are counted under their own name up to this many; strangers could invent more. */
const MAX_UNKNOWN_PATHS = 500
const OTHER_PATHS = '{other}'

export interface RequestCount {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly count: number
}

export interface ResponseTimes {
  readonly method: string
  readonly path: string
  /** Requests in each bucket, not cumulated. */
  readonly buckets: readonly number[]
  readonly sumSeconds: number
  readonly count: number
}

export interface AnsweredRequest {
  readonly method: string
  /** The pattern of the route, or undefined when none matched. */
  readonly pattern: string | undefined
  readonly path: string
  readonly status: number
  readonly seconds: number
}

interface Timing {
  readonly buckets: number[]
  sumSeconds: number
  count: number
}

/** Counts every request and, on demand, sorts response times into buckets. A few map look-ups for each request. */
export class RequestMetrics {
  private readonly counts = new Map<string, number>()
  private readonly timings = new Map<string, Timing>()
  private readonly unknownPaths = new Set<string>()

  count({ method, pattern, path, status }: AnsweredRequest): void {
    const series = `${method} ${status} ${pattern ?? this.boundedPath(path)}`
    this.counts.set(series, (this.counts.get(series) ?? 0) + 1)
  }

  time({ method, pattern, seconds }: AnsweredRequest): void {
    if (pattern === undefined) return
    const series = `${method} ${pattern}`
    let timing = this.timings.get(series)
    if (!timing) {
      timing = { buckets: new Array<number>(BUCKETS_SECONDS.length + 1).fill(0), sumSeconds: 0, count: 0 }
      this.timings.set(series, timing)
    }
    const bucket = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound)
    timing.buckets[bucket === -1 ? BUCKETS_SECONDS.length : bucket]!++
    timing.sumSeconds += seconds
    timing.count++
  }

  requestCounts(): RequestCount[] {
    return [...this.counts].map(([series, count]) => {
      const [method = '', status = '', path = ''] = splitInto(series, 3)
      return { method, path, status: Number(status), count }
    })
  }

  responseTimes(): ResponseTimes[] {
    return [...this.timings].map(([series, timing]) => {
      const [method = '', path = ''] = splitInto(series, 2)
      return { method, path, ...timing }
    })
  }

  private boundedPath(path: string): string {
    if (this.unknownPaths.has(path)) return path
    if (this.unknownPaths.size >= MAX_UNKNOWN_PATHS || path.length > 200) return OTHER_PATHS
    this.unknownPaths.add(path)
    return path
  }
}

/** The last part may hold spaces itself. */
function splitInto(series: string, parts: number): string[] {
  const pieces = series.split(' ')
  return [...pieces.slice(0, parts - 1), pieces.slice(parts - 1).join(' ')]
}
