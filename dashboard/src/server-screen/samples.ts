import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { type Failure, failureOf, isAborted } from '../server/failure.js'
import { askRaw } from '../server/raw.js'
import { type Metric, parseMetrics } from './metrics-text.js'

/** What the charts need of one answer of `GET /metrics`. Counters count from the start of the server. */
export interface Sample {
  readonly atMs: number
  readonly searches: number
  readonly searchSeconds: number
  /** How many searches took at most that long, by seconds. */
  readonly withinSeconds: ReadonlyMap<number, number>
  readonly requests: number
  readonly cpuSeconds: number | undefined
  readonly memoryBytes: number | undefined
  readonly startedAtMs: number | undefined
}

export const WINDOW_MS = 5 * 60 * 1000
const EVERY_MS = 2_000

/** Those of the last minutes, also while another screen is shown. */
export const samples = signal<readonly Sample[]>([])

/** Takes one now and then, while the page can be seen. The failure of the last one, if it failed. */
export function useSampling(isOn: boolean): Failure | undefined {
  const [failure, setFailure] = useState<Failure | undefined>()
  useEffect(() => {
    if (!isOn) return
    const controller = new AbortController()
    let isAsking = false
    const take = async () => {
      if (document.hidden || isAsking) return
      isAsking = true
      try {
        keep(await takeSample(controller.signal))
        setFailure(undefined)
      } catch (error) {
        if (!isAborted(error)) setFailure(failureOf(error))
      }
      isAsking = false
    }
    void take()
    const timer = setInterval(() => void take(), EVERY_MS)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [isOn])
  return failure
}

function keep(sample: Sample): void {
  const since = sample.atMs - WINDOW_MS
  const last = samples.value.at(-1)
  // Another start of the server begins to count anew.
  const before = last !== undefined && last.startedAtMs !== sample.startedAtMs ? [] : samples.value
  samples.value = [...before.filter(({ atMs }) => atMs >= since), sample]
}

async function takeSample(signal: AbortSignal): Promise<Sample> {
  const answer = await askRaw('GET', 'metrics', { signal })
  return sampleOf(parseMetrics(await answer.text()), Date.now())
}

const SEARCHES = new Set([
  '/indexes/{index_uid}/search',
  '/indexes/{index_uid}/facet-search',
  '/indexes/{index_uid}/similar',
  '/multi-search',
])

const TIMES = 'meilisearch_http_response_time_seconds'

function sampleOf(metrics: readonly Metric[], atMs: number): Sample {
  const ofSearches = metrics.filter(({ labels }) => SEARCHES.has(labels.path ?? ''))
  const sum = (of: readonly Metric[], name: string) =>
    of.reduce((total, metric) => (metric.name === name ? total + metric.value : total), 0)
  const only = (name: string) => metrics.find((metric) => metric.name === name)?.value
  const within = new Map<number, number>()
  for (const { name, labels, value } of ofSearches) {
    if (name !== `${TIMES}_bucket`) continue
    const seconds = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)
    within.set(seconds, (within.get(seconds) ?? 0) + value)
  }
  const startedAt = only('process_start_time_seconds')
  return {
    atMs,
    searches: sum(ofSearches, `${TIMES}_count`),
    searchSeconds: sum(ofSearches, `${TIMES}_sum`),
    withinSeconds: within,
    requests: sum(metrics, 'meilisearch_http_requests_total'),
    cpuSeconds: only('process_cpu_seconds_total'),
    memoryBytes: only('process_resident_memory_bytes'),
    startedAtMs: startedAt === undefined ? undefined : startedAt * 1000,
  }
}
