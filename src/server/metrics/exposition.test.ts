import fc from 'fast-check'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { exposeMetrics } from './exposition.js'
import { type Family, gauge } from './family.js'
import { BUCKETS_SECONDS, RequestMetrics } from './request-metrics.js'
import { responseTimeFamily } from './response-times.js'

// `prom-client` is the client of Prometheus for Node.js: what it prints of the same figures is the standard here.

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '{', '}', ',', '=', ' ', '漢') })
const sample = fc.record({ labels: fc.record({ path: text, status: fc.nat(999) }), value: fc.nat() })
const samples = fc.uniqueArray(sample, { minLength: 1, selector: ({ labels }) => JSON.stringify(labels) })
const family = fc.record({ help: text.map((help) => `A ${help}`), type: fc.constantFrom('counter', 'gauge'), samples })

test('counters and gauges are printed as prom-client does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(family, { minLength: 1, maxLength: 3 }), async (parts) => {
      const families = parts.map((part, i): Family => ({ name: `metric_${i}`, ...part }))
      expect(exposeMetrics(families)).toBe(await printedByClient(families))
    }),
  )
})

function printedByClient(families: readonly Family[]): Promise<string> {
  const registry = new Registry()
  for (const { name, help, type, samples } of families) {
    const options = { name, help, labelNames: ['path', 'status'], registers: [registry] }
    const metric = type === 'counter' ? new Counter(options) : new Gauge(options)
    for (const { labels, value } of samples) metric.inc(labels, value)
  }
  return registry.metrics()
}

test('response times are printed as prom-client does', async () => {
  const requests = fc.record({
    method: fc.constantFrom('GET', 'POST'),
    pattern: fc.constantFrom('/health', '/indexes/{index_uid}'),
    seconds: fc.oneof(fc.constantFrom(...BUCKETS_SECONDS), fc.double({ min: 0, max: 20, noNaN: true })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: 1 }), async (answered) => {
      const ours = new RequestMetrics()
      const registers = [new Registry()]
      const { name, help } = responseTimeFamily([])
      const labelNames = ['method', 'path']
      const theirs = new Histogram({ name, help, labelNames, buckets: [...BUCKETS_SECONDS], registers })
      for (const { method, pattern, seconds } of answered) {
        ours.time({ method, pattern, path: pattern, status: 200, seconds })
        theirs.observe({ method, path: pattern }, seconds)
      }
      expect(exposeMetrics([responseTimeFamily(ours.responseTimes())])).toBe(await registers[0]!.metrics())
    }),
  )
})

test('a family without samples is not shown, and no limit is +Inf', () => {
  const none: Family = { name: 'none', help: 'Nothing.', type: 'gauge', samples: [] }
  const files = gauge('files', 'Open files.', Number.POSITIVE_INFINITY)
  expect(exposeMetrics([none, files])).toBe('# HELP files Open files.\n# TYPE files gauge\nfiles +Inf\n')
})
