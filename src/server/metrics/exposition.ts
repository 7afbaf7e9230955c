import { Counter, Gauge, type Metric, Registry } from 'prom-client'
import type { Family } from './family.js'
import { BUCKETS_SECONDS, type ResponseTimes } from './request-metrics.js'

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4'

/** The metrics as Prometheus reads them. A family without samples is not shown (spec 1 §5.5). */
export function exposeMetrics(families: readonly Family[], times: readonly ResponseTimes[]): Promise<string> {
  const registry = new Registry()
  for (const family of families) if (family.samples.length > 0) register(registry, family)
  if (times.length > 0) registry.registerMetric(histogramOf(times))
  return registry.metrics()
}

function register(registry: Registry, { name, help, type, samples }: Family): void {
  const options = { name, help, labelNames: Object.keys(samples[0]!.labels), registers: [registry] }
  if (type === 'counter') {
    const counter = new Counter(options)
    for (const { labels, value } of samples) counter.inc(labels, value)
  } else {
    const gauge = new Gauge(options)
    for (const { labels, value } of samples) gauge.set(labels, value)
  }
}

/**
 * A histogram that was counted before this module was loaded. The registry asks a metric for its name and its values
 * and for nothing else, so this object can stand for one.
 */
function histogramOf(times: readonly ResponseTimes[]): Metric {
  const name = 'meilisearch_http_response_time_seconds'
  const values = times.flatMap((series) => seriesValues(name, series))
  const help = 'Time from the arrival of a request to its answer.'
  return { name, get: async () => ({ name, help, type: 'histogram', values, aggregator: 'sum' }) } as unknown as Metric
}

function seriesValues(name: string, { method, path, buckets, sumSeconds, count }: ResponseTimes): object[] {
  let below = 0
  const cumulated = buckets.map((inBucket, i) => {
    below += inBucket
    return { metricName: `${name}_bucket`, labels: { le: BUCKETS_SECONDS[i] ?? '+Inf', method, path }, value: below }
  })
  return [
    ...cumulated,
    { metricName: `${name}_sum`, labels: { method, path }, value: sumSeconds },
    { metricName: `${name}_count`, labels: { method, path }, value: count },
  ]
}
