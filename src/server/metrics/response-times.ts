import type { Family, Sample } from './family.js'
import { BUCKETS_SECONDS, type ResponseTimes } from './request-metrics.js'

/** Response times as the histogram that dashboards know. */
export function responseTimeFamily(times: readonly ResponseTimes[]): Family {
  return {
    name: 'meilisearch_http_response_time_seconds',
    help: 'Time from the arrival of a request to its answer.',
    type: 'histogram',
    samples: times.flatMap(samplesOf),
  }
}

/** Each bucket counts the requests of those before it as well. */
function samplesOf({ method, path, buckets, sumSeconds, count }: ResponseTimes): Sample[] {
  let below = 0
  const cumulated = buckets.map((inBucket, i): Sample => {
    below += inBucket
    return { suffix: '_bucket', labels: { le: BUCKETS_SECONDS[i] ?? '+Inf', method, path }, value: below }
  })
  const labels = { method, path }
  return [...cumulated, { suffix: '_sum', labels, value: sumSeconds }, { suffix: '_count', labels, value: count }]
}
