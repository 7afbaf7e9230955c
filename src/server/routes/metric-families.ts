import { clusterFamilies } from '../cluster/cluster-families.js'
import { readCluster } from '../cluster/read-cluster.js'
import type { ServerContext } from '../context.js'

import { type Family, gauge, type Sample, samplesBy } from '../metrics/family.js'
import { processFamilies } from '../metrics/process-families.js'
import { responseTimeFamily } from '../metrics/response-times.js'
import type { IndexedBatch, TaskStatistics } from '../statistics.js'
import { latestUpdate, readStoreSizes } from '../store-sizes.js'

/** A batch of documents is shown for this long, and its own duration, after its end (spec 1 §5.5). */
const LAST_INDEXED_SHOWN_MS = 5 * 60 * 1000

/** Part of the task store that may be full before new tasks are refused (spec 1 §7.4). */
const TASK_STORE_THRESHOLD = 0.4

/** All metrics at this moment. */
export async function readFamilies(context: ServerContext): Promise<Family[]> {
  return [
    requestFamily(context),
    ...eventFamilies(context),
    ...(await indexFamilies(context)),
    ...taskFamilies(await context.taskStatistics.read(), Number(context.clock()) / 1e6),
    ...searchFamilies(context),
    ...(await clusterFamiliesOf(context)),
    ...processFamilies(),
    responseTimeFamily(context.requestMetrics.responseTimes()),
  ]
}

async function clusterFamiliesOf(context: ServerContext): Promise<Family[]> {
  const view = await readCluster(context)
  return view === undefined ? [] : clusterFamilies(view)
}

function requestFamily({ requestMetrics }: ServerContext): Family {
  return {
    name: 'meilisearch_http_requests_total',
    help: 'HTTP requests since the start.',
    type: 'counter',
    samples: requestMetrics.requestCounts().map(({ method, path, status, count }) => ({
      labels: { method, path, status },
      value: count,
    })),
  }
}

function eventFamilies({ events }: ServerContext): Family[] {
  const tokens = (kind: string, read: (usage: (typeof events.chatTokenCounts)[number]) => number): Family => ({
    name: `meilisearch_chat_${kind}_total`,
    help: `Tokens that chat providers charged (${kind}).`,
    type: 'counter',
    samples: events.chatTokenCounts.map((usage) => ({
      labels: { workspace: usage.workspace, model: usage.model },
      value: read(usage),
    })),
  })
  return [
    gauge('meilisearch_degraded_search_requests', 'Searches cut short by the cutoff.', events.degradedSearches),
    gauge('meilisearch_personalized_search_requests', 'Personalized searches.', events.personalizedSearches),
    {
      name: 'meilisearch_chat_searches_total',
      help: 'Searches made by chat.',
      type: 'counter',
      samples: samplesBy('type', events.chatSearchCounts),
    },
    tokens('prompt_tokens', ({ promptTokens }) => promptTokens),
    tokens('completion_tokens', ({ completionTokens }) => completionTokens),
    tokens('tokens', ({ totalTokens }) => totalTokens),
  ]
}

async function indexFamilies(context: ServerContext): Promise<Family[]> {
  const { fileBytes, usedBytes } = await readStoreSizes(context)
  const indexes = await context.indexStatistics.all()
  const documents = new Map([...indexes].map(([uid, { numberOfDocuments }]) => [uid, numberOfDocuments]))
  const lastUpdate = latestUpdate([...indexes.values()])
  return [
    gauge('meilisearch_db_size_bytes', 'Bytes of all databases on disk.', fileBytes),
    gauge('meilisearch_used_db_size_bytes', 'Bytes of all databases in use.', usedBytes),
    gauge('meilisearch_index_count', 'Indexes.', indexes.size),
    {
      name: 'meilisearch_index_docs_count',
      help: 'Documents of an index.',
      type: 'gauge',
      samples: samplesBy('index', documents),
    },
    gauge(
      'meilisearch_last_update',
      'Latest update of an index, in Unix seconds.',
      lastUpdate === undefined ? 0 : Number(lastUpdate / 1_000_000_000n),
    ),
  ]
}

function taskFamilies(tasks: TaskStatistics, nowMs: number): Family[] {
  const { oldestEnqueuedAt, maxBytes, usedBytes } = tasks
  const latencySeconds = oldestEnqueuedAt === undefined ? 0 : (nowMs - Number(oldestEnqueuedAt) / 1e6) / 1000
  return [
    taskCounts(tasks),
    gauge('meilisearch_is_indexing', '1 while a task is being processed.', tasks.isProcessing ? 1 : 0),
    ...batchFamilies(tasks, nowMs),
    gauge('meilisearch_task_queue_latency_seconds', 'Age of the oldest unfinished task.', Math.max(0, latencySeconds)),
    gauge('meilisearch_task_queue_max_size', 'Bytes that the task store may hold.', maxBytes),
    gauge('meilisearch_task_queue_used_size', 'Bytes that the task store holds.', usedBytes),
    gauge(
      'meilisearch_task_queue_size_until_stop_registering',
      'Bytes that the task store may still grow before new tasks are refused.',
      Math.max(0, Math.floor(maxBytes * TASK_STORE_THRESHOLD) - usedBytes),
    ),
  ]
}

function taskCounts({ byStatus, byType, byIndex }: TaskStatistics): Family {
  return {
    name: 'meilisearch_nb_tasks',
    help: 'Tasks by status, type and index.',
    type: 'gauge',
    samples: [
      ...samplesBy('value', byStatus, { kind: 'statuses' }),
      ...samplesBy('value', byType, { kind: 'types' }),
      ...samplesBy('value', byIndex, { kind: 'indexes' }),
    ],
  }
}

function batchFamilies({ running, lastFinished, lastIndexed }: TaskStatistics, nowMs: number): Family[] {
  const indexed = lastIndexed && isRecent(lastIndexed, nowMs) ? lastIndexed : undefined
  const labels = { batch_uid: indexed?.batchUid ?? 0, index: indexed?.index ?? '' }
  const shown = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ labels, value }])
  const steps = (trace: TaskStatistics['running']) =>
    trace ? samplesBy('step_name', trace.steps, { batch_uid: trace.batchUid }) : []
  return [
    {
      name: 'meilisearch_batch_running_progress_trace',
      help: 'Finished part of each step of the running batch.',
      type: 'gauge',
      samples: steps(running),
    },
    {
      name: 'meilisearch_last_finished_batches_progress_trace_ms',
      help: 'Milliseconds of each step of the last finished batch.',
      type: 'gauge',
      samples: steps(lastFinished),
    },
    {
      name: 'meilisearch_last_indexed_documents_count',
      help: 'Documents of the last batch of documents.',
      type: 'gauge',
      samples: shown(indexed?.documents),
    },
    {
      name: 'meilisearch_last_indexed_documents_duration_ms',
      help: 'Milliseconds of the last batch of documents.',
      type: 'gauge',
      samples: shown(indexed?.durationMs),
    },
  ]
}

function isRecent({ finishedAt, durationMs }: IndexedBatch, nowMs: number): boolean {
  return nowMs - Number(finishedAt) / 1e6 <= durationMs + LAST_INDEXED_SHOWN_MS
}

function searchFamilies({ searchQueue, partQueue }: ServerContext): Family[] {
  const running = searchQueue.running + partQueue.running
  const waiting = searchQueue.waiting + partQueue.waiting
  return [
    gauge('meilisearch_search_queue_size', 'Searches that may wait.', searchQueue.capacity),
    gauge('meilisearch_searches_running', 'Searches that are running.', running),
    gauge('meilisearch_searches_waiting_to_be_processed', 'Searches that are waiting.', waiting),
  ]
}
