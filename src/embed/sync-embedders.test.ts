import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { Float, type JsonValue } from '../json/index.js'
import type { EmbedderConfig } from './config.js'
import type { StartWorker } from './embedding-thread.js'
import { cleanUp, later, loopback } from './provider.fake.js'
import { SyncEmbedders, type SyncEmbeddersOptions } from './sync-embedders.js'

afterEach(cleanUp)

/** The real thread, compiled on the way. */
const startWorker: StartWorker = (options) => {
  const file = JSON.stringify(new URL('./embedding-worker.ts', import.meta.url).href)
  const code = `import('tsx/esm/api').then(({ tsImport }) => tsImport(${file}, ${file}))`
  return new Worker(code, { ...options, eval: true })
}

function syncEmbedders(more: Partial<SyncEmbeddersOptions> = {}): SyncEmbedders {
  const embedders = SyncEmbedders.start({
    embedding: {
      cacheEntries: 0,
      requestTimeoutMs: 20_000,
      maxRetryMs: 1,
      ignoresEmbedderFailures: false,
      openAiApiKey: null,
      ollamaUrl: '',
    },
    networks: loopback(),
    userAgent: 'findling-test',
    startWorker,
    lostAfterMs: 10_000,
    ...more,
  })
  later(() => embedders.close())
  return embedders
}

/**
 * A provider in a thread of its own, since the test is blocked while it asks. It answers with the length of each
 * input's JSON; `fail` is answered with 503 once, `refuse` with 400, and `hang` never. `shared` counts requests.
 */
const PROVIDER = `
  const { createServer } = require('node:http')
  const { parentPort, workerData } = require('node:worker_threads')
  const count = new Int32Array(workerData)
  let failures = 0
  createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    Atomics.add(count, 0, 1)
    Atomics.notify(count, 0)
    const { input } = JSON.parse(text)
    if (input.includes('hang')) return
    if (input.includes('refuse')) return response.writeHead(400).end('no such input')
    if (input.includes('fail') && failures++ === 0) return response.writeHead(503).end('busy')
    response.end(JSON.stringify({ out: input.map((value) => [JSON.stringify(value).length, 0.5]) }))
  }).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })
`

async function provider() {
  const count = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(PROVIDER, { eval: true, workerData: count.buffer })
  later(() => worker.terminate())
  const [port] = await once(worker, 'message')
  return { url: `http://127.0.0.1:${port}`, requests: () => Atomics.load(count, 0) }
}

const rest = (url: string, placeholder = '{{text}}'): EmbedderConfig => ({
  source: 'rest',
  url,
  ...(placeholder === '{{fragment}}' && {
    dimensions: 2,
    indexingFragments: new Map([['f', placeholder]]),
    searchFragments: new Map([['f', placeholder]]),
  }),
  request: new Map<string, JsonValue>([['input', [placeholder, '{{..}}']]]),
  response: new Map<string, JsonValue>([['out', ['{{embedding}}', '{{..}}']]]),
  headers: new Map(),
})

const never = () => false
const texts = (...list: string[]) => list.map((text) => ({ text }))
const lists = (vectors: readonly Float32Array[]) => vectors.map((vector) => [...vector])

test('a blocked thread gets its vectors, its failures and the count of requests', async () => {
  const { url, requests } = await provider()
  const embedders = syncEmbedders()
  expect(embedders.dimensions('e', rest(url))).toEqual({ ok: true, value: 2 })

  const many = Array.from({ length: 25 }, (_, i) => ({ text: 'x'.repeat(i) }))
  const embedded = embedders.embed('e', rest(url), many, never)
  if (!embedded.ok) throw new Error(embedded.failure.message)
  expect(lists(embedded.value)).toEqual(many.map(({ text }) => [text.length + 2, 0.5]))
  expect(requests()).toBe(4)
  expect(embedders.requests).toEqual({ total: 4, failed: 0, lastError: undefined })

  embedders.countFromZero()
  expect(embedders.embed('e', rest(url), texts('fail'), never).ok).toBe(true)
  expect(embedders.requests).toMatchObject({ total: 2, failed: 1, lastError: expect.stringContaining('busy') })

  const refused = embedders.embed('e', rest(url), texts('refuse'), never)
  expect(refused).toMatchObject({ ok: false, failure: { code: 'vector_embedding_error' } })
  expect(refused).toMatchObject({ failure: { message: expect.stringMatching(/Embedder `e`.*no such input/) } })

  const fragments = [{ fragment: new Map<string, JsonValue>([['a', new Float(1)]]) }, { fragment: 5 }]
  const fragmented = embedders.embed('e', rest(url, '{{fragment}}'), fragments, never)
  // `{"a":1.0}` is read as 1 by the provider, so that its JSON has seven characters.
  expect(fragmented.ok && lists(fragmented.value)).toEqual([
    [7, 0.5],
    [1, 0.5],
  ])
})

test('a cancelled call returns at once, and the next one works', async () => {
  const { url, requests } = await provider()
  const embedders = syncEmbedders()
  embedders.dimensions('e', rest(url))
  const isCancelled = () => requests() === 2
  expect(embedders.embed('e', rest(url), texts('hang'), isCancelled)).toMatchObject({
    ok: false,
    failure: { code: 'internal' },
  })
  const embedded = embedders.embed('e', rest(url), texts('ab'), never)
  expect(embedded.ok && lists(embedded.value)).toEqual([[4, 0.5]])
})

test('an error thrown by the question whether to go on passes through', async () => {
  const { url } = await provider()
  const embedders = syncEmbedders()
  const stop = new Error('stop')
  const throwing = () => {
    throw stop
  }
  expect(() => embedders.embed('e', rest(url), texts('hang'), throwing)).toThrow(stop)
})

test('a thread that is lost fails the call, and the next call starts another', async () => {
  const { url } = await provider()
  const starts: StartWorker[] = [() => new Worker('process.exit(1)', { eval: true }), startWorker]
  const embedders = syncEmbedders({ lostAfterMs: 200, startWorker: (options) => starts.shift()!(options) })
  const lost = embedders.embed('e', rest(url), texts('a'), never)
  expect(lost).toMatchObject({ ok: false, failure: { code: 'internal' } })
  expect(starts).toEqual([startWorker])
})

test('no thread is started for what needs none', () => {
  const embedders = syncEmbedders({
    startWorker: () => {
      throw new Error('a thread was started')
    },
  })
  expect(embedders.dimensions('e', { source: 'userProvided', dimensions: 7 })).toEqual({ ok: true, value: 7 })
  expect(embedders.embed('e', { source: 'userProvided', dimensions: 7 }, [], never)).toEqual({ ok: true, value: [] })
})
