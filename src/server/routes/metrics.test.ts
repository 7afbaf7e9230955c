import { expect, test } from 'vitest'
import { SearchQueue } from '../../searching/index.js'
import { NO_TASKS, type TaskStatistics } from '../statistics.js'
import { startTestServer } from '../test-server.fixture.js'

const enabled = { args: ['--experimental-enable-metrics'] }

/** `name{a="1",b="2"} 3` lines, by what stands before the value. */
function samples(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

test('the feature must be on', async () => {
  const server = await startTestServer()
  const refused = await server.send('GET', '/metrics')
  expect([refused.status, refused.json.code]).toEqual([400, 'feature_not_enabled'])
  await server.send('PATCH', '/experimental-features', { body: { metrics: true } })
  const { status, headers } = await server.send('GET', '/metrics')
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4'])
})

test('requests are counted from the start, timed while the feature is on', async () => {
  const server = await startTestServer()
  await server.send('GET', '/keys/unknown')
  await server.send('GET', '/nope"\\x')
  await server.send('PATCH', '/experimental-features', { body: { metrics: true } })
  await server.send('GET', '/health')
  const { text } = await server.send('GET', '/metrics')
  const found = samples(text)
  expect(found.get('meilisearch_http_requests_total{method="GET",path="/keys/{key}",status="404"}')).toBe(1)
  expect(found.get('meilisearch_http_requests_total{method="GET",path="/nope\\"\\\\x",status="404"}')).toBe(1)
  expect(found.get('meilisearch_http_requests_total{method="PATCH",path="/experimental-features",status="200"}')).toBe(
    1,
  )
  const time = 'meilisearch_http_response_time_seconds'
  expect(found.get(`${time}_bucket{le="+Inf",method="GET",path="/health"}`)).toBe(1)
  expect(found.get(`${time}_count{method="GET",path="/health"}`)).toBe(1)
  expect(found.get(`${time}_sum{method="GET",path="/health"}`)).toBeGreaterThan(0)
  expect(found.has(`${time}_count{method="GET",path="/keys/{key}"}`)).toBe(false)
  expect(text).toContain(`# TYPE ${time} histogram`)
})

test('buckets are cumulative and have the bounds that dashboards know', async () => {
  const server = await startTestServer(enabled)
  for (let i = 0; i < 3; i++) await server.send('GET', '/health')
  const { text } = await server.send('GET', '/metrics')
  const buckets = [...samples(text)].filter(([name]) => name.includes('_bucket') && name.includes('/health'))
  const bounds = buckets.map(([name]) => /le="([^"]+)"/.exec(name)?.[1])
  expect(bounds).toEqual('0.005 0.01 0.025 0.05 0.075 0.1 0.25 0.5 0.75 1 2.5 5 7.5 10 +Inf'.split(' '))
  const counts = buckets.map(([, value]) => value)
  expect(counts).toEqual([...counts].sort((a, b) => a - b))
  expect(counts.at(-1)).toBe(3)
})

test('a quiet server shows what has a value, and no family without samples', async () => {
  const server = await startTestServer(enabled)
  const { text } = await server.send('GET', '/metrics')
  const found = samples(text)
  for (const [name, value] of [
    ['degraded_search_requests', 0],
    ['personalized_search_requests', 0],
    ['index_count', 0],
    ['last_update', 0],
    ['is_indexing', 0],
    ['search_queue_size', 1000],
    ['searches_running', 0],
    ['searches_waiting_to_be_processed', 0],
    ['task_queue_latency_seconds', 0],
    ['task_queue_max_size', 0],
    ['task_queue_used_size', 0],
    ['task_queue_size_until_stop_registering', 0],
  ] as const) {
    expect([name, found.get(`meilisearch_${name}`)]).toEqual([name, value])
  }
  expect(found.get('meilisearch_db_size_bytes')).toBeGreaterThan(0)
  expect(found.get('meilisearch_used_db_size_bytes')).toBeGreaterThan(0)
  for (const name of ['chat_searches_total', 'chat_tokens_total', 'nb_tasks', 'index_docs_count', 'batch_running']) {
    expect(text).not.toContain(name)
  }
})

test('tasks, batches, indexes, searches and chats are all counted', async () => {
  const now = 10n ** 18n
  const minutesAgo = (minutes: number) => (now - BigInt(minutes * 60) * 10n ** 9n) as never
  const tasks: TaskStatistics = {
    ...(await NO_TASKS.read()),
    byStatus: new Map([['enqueued', 3]]),
    byType: new Map([['dumpCreation', 0]]),
    byIndex: new Map([['shop', 3]]),
    isProcessing: true,
    oldestEnqueuedAt: minutesAgo(1),
    maxBytes: 1000,
    usedBytes: 150,
    running: { batchUid: 7, steps: new Map([['indexing', 0.5]]) },
    lastFinished: { batchUid: 6, steps: new Map([['indexing', 120]]) },
    lastIndexed: { batchUid: 6, index: 'shop', documents: 12, durationMs: 1000, finishedAt: minutesAgo(5) },
  }
  const searchQueue = new SearchQueue({ permits: 1, queueSize: 9, dropAfterMs: 1000 })
  void searchQueue.acquire()
  void searchQueue.acquire()
  const partQueue = new SearchQueue({ permits: 1, queueSize: 9, dropAfterMs: 1000 })
  const context = { taskStatistics: { read: async () => tasks }, searchQueue, partQueue }
  const server = await startTestServer({ ...enabled, context, clock: (() => now) as never })
  server.context.events.countChatSearch('internal')
  for (let i = 0; i < 2; i++) {
    server.context.events.countChatTokens({
      workspace: 'w',
      model: 'm',
      promptTokens: 2,
      completionTokens: 3,
      totalTokens: 5,
    })
  }
  const found = samples((await server.send('GET', '/metrics')).text)
  const expected: [string, number][] = [
    ['nb_tasks{kind="statuses",value="enqueued"}', 3],
    ['nb_tasks{kind="types",value="dumpCreation"}', 0],
    ['nb_tasks{kind="indexes",value="shop"}', 3],
    ['is_indexing', 1],
    ['task_queue_latency_seconds', 60],
    ['task_queue_size_until_stop_registering', 250],
    ['batch_running_progress_trace{batch_uid="7",step_name="indexing"}', 0.5],
    ['last_finished_batches_progress_trace_ms{batch_uid="6",step_name="indexing"}', 120],
    ['last_indexed_documents_count{batch_uid="6",index="shop"}', 12],
    ['last_indexed_documents_duration_ms{batch_uid="6",index="shop"}', 1000],
    ['searches_running', 1],
    ['searches_waiting_to_be_processed', 1],
    ['chat_searches_total{type="internal"}', 1],
    ['chat_prompt_tokens_total{workspace="w",model="m"}', 4],
    ['chat_completion_tokens_total{workspace="w",model="m"}', 6],
    ['chat_tokens_total{workspace="w",model="m"}', 10],
  ]
  for (const [name, value] of expected) expect([name, found.get(`meilisearch_${name}`)]).toEqual([name, value])
})

test('the last batch of documents is forgotten after five minutes', async () => {
  const now = 10n ** 18n
  const finishedAt = (now - 302n * 10n ** 9n) as never
  const lastIndexed = { batchUid: 6, index: 'shop', documents: 12, durationMs: 1000, finishedAt }
  const taskStatistics = { read: async () => ({ ...(await NO_TASKS.read()), lastIndexed }) }
  const server = await startTestServer({ ...enabled, context: { taskStatistics }, clock: (() => now) as never })
  expect((await server.send('GET', '/metrics')).text).not.toContain('last_indexed')
})

test.runIf(process.platform === 'linux')('the process is described', async () => {
  const server = await startTestServer(enabled)
  const found = samples((await server.send('GET', '/metrics')).text)
  for (const name of [
    'cpu_seconds_total',
    'open_fds',
    'max_fds',
    'virtual_memory_bytes',
    'resident_memory_bytes',
    'threads',
  ]) {
    expect([name, found.get(`process_${name}`)]).toEqual([name, expect.any(Number)])
    expect(found.get(`process_${name}`)).toBeGreaterThan(0)
  }
  expect(Math.abs((found.get('process_start_time_seconds') ?? 0) - Date.now() / 1000)).toBeLessThan(600)
})

test('strangers cannot fill the memory with paths', async () => {
  const server = await startTestServer(enabled)
  const { requestMetrics } = server.context
  for (let i = 0; i < 2000; i++) {
    requestMetrics.count({ method: 'GET', pattern: undefined, path: `/nope/${i}`, status: 404, seconds: 0 })
  }
  expect(requestMetrics.requestCounts().length).toBeLessThan(600)
})
