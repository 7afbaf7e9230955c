import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { createOutbound } from '../../outbound/index.js'
import type { ExportRule } from '../../tasks/index.js'
import { JobCancelled } from '../../threads/index.js'
import { type BackupServer, openBackupServer } from '../backup-server.fixture.js'
import { RemoteServer } from './remote-server.js'

interface Seen {
  readonly request: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

interface Remote {
  readonly url: string
  readonly seen: Seen[]
}

const cleanups: (() => Promise<unknown>)[] = []
const outbound = createOutbound({ networks: 'any', userAgent: 'test' })
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup()
  await outbound.close()
})

type Said = readonly [status: number, body?: object]
const NOT_FOUND: Said = [404, { code: 'index_not_found', type: 'invalid_request', message: 'no' }]
const ACCEPTED: Said = [202, { taskUid: 0 }]

/** Another server, as far as an export sees it. */
async function startRemote(answer: (request: string, count: number) => Said | 'cut'): Promise<Remote> {
  const seen: Seen[] = []
  const server = createServer(async (incoming, response) => {
    const bytes = Buffer.concat(await incoming.toArray())
    const body = incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
    const request = `${incoming.method} ${incoming.url}`
    seen.push({ request, headers: incoming.headers, body: body.toString() })
    const said = answer(request, seen.length)
    if (said === 'cut') incoming.socket.destroy()
    else response.writeHead(said[0], { 'content-type': 'application/json' }).end(JSON.stringify(said[1] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(async () => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const emptyRemote = () => startRemote((request) => (request.startsWith('GET') ? NOT_FOUND : ACCEPTED))
const fullRemote = () => startRemote((request) => (request.startsWith('GET') ? [200, {}] : ACCEPTED))

const ALL: ExportRule = { pattern: '*', filter: null, overrideSettings: false }

async function exported(server: BackupServer, url: string, change: object = {}) {
  const content = { type: 'export', url, apiKey: null, payloadBytes: null, indexes: [ALL], ...change } as const
  const { uid } = await server.put(content)
  await server.settle()
  return server.queue.task(uid, null)!
}

async function serverWith(documents: readonly object[], uids = ['movies']): Promise<BackupServer> {
  const server = openBackupServer()
  for (const indexUid of uids) {
    await server.add(indexUid, documents)
    const settings = JSON.stringify({ filterableAttributes: ['id'], stopWords: ['the'] })
    await server.put({ type: 'settingsUpdate', indexUid, settings, isDeletion: false, allowIndexCreation: true })
  }
  await server.settle()
  return server
}

const THREE = [{ id: 1 }, { id: 2 }, { id: 3 }]

test('an index that is not there is made, with its settings, then its documents follow', async () => {
  const [server, remote] = [await serverWith(THREE), await emptyRemote()]
  const task = await exported(server, `${remote.url}//`, { apiKey: 'secret-key' })
  expect(remote.seen.map(({ request }) => request)).toEqual([
    'GET /indexes/movies',
    'POST /indexes',
    'PATCH /indexes/movies/settings',
    'POST /indexes/movies/documents',
  ])
  const [, made, settings, documents] = remote.seen
  expect(JSON.parse(made!.body)).toEqual({ uid: 'movies', primaryKey: 'id' })
  expect(JSON.parse(settings!.body)).toMatchObject({ stopWords: ['the'], filterableAttributes: ['id'] })
  expect(JSON.parse(settings!.body)).not.toHaveProperty('chat')
  expect(documents!.body).toBe('{"id":1}\n{"id":2}\n{"id":3}\n')
  expect(documents!.headers).toMatchObject({
    'content-type': 'application/x-ndjson',
    authorization: 'Bearer secret-key',
  })
  expect(task).toMatchObject({
    status: 'succeeded',
    details: { apiKey: 'seXXXX...', indexes: new Map([['movies', expect.anything()]]) },
  })
})

test('an index that is there keeps its settings, unless they are to be overridden', async () => {
  const server = await serverWith(THREE)
  const kept = await fullRemote()
  await exported(server, kept.url)
  expect(kept.seen.map(({ request }) => request)).toEqual(['GET /indexes/movies', 'POST /indexes/movies/documents'])
  const overridden = await fullRemote()
  await exported(server, overridden.url, { indexes: [{ ...ALL, overrideSettings: true }] })
  expect(overridden.seen.map(({ request }) => request)).toEqual([
    'GET /indexes/movies',
    'PATCH /indexes/movies',
    'PATCH /indexes/movies/settings',
    'POST /indexes/movies/documents',
  ])
})

test('documents are packed up to the size asked for, one at least', async () => {
  const [server, remote] = [await serverWith([...THREE, { id: 4, text: 'x'.repeat(50) }]), await fullRemote()]
  await exported(server, remote.url, { payloadBytes: 20 })
  const bodies = remote.seen.filter(({ request }) => request.startsWith('POST')).map(({ body }) => body)
  expect(bodies).toEqual(['{"id":1}\n{"id":2}\n', '{"id":3}\n', `{"id":4,"text":"${'x'.repeat(50)}"}\n`])
})

test('a filter chooses documents; what is chosen is counted, and nothing is sent for nothing', async () => {
  const [server, remote] = [await serverWith(THREE), await fullRemote()]
  const some = await exported(server, remote.url, { indexes: [{ ...ALL, filter: '"id > 1"' }] })
  expect((some.details as { indexes: Map<string, Map<string, unknown>> }).indexes.get('movies')).toEqual(
    new Map<string, unknown>([
      ['filter', 'id > 1'],
      ['overrideSettings', false],
      ['matched_documents', 2],
    ]),
  )
  const before = remote.seen.length
  await exported(server, remote.url, { indexes: [{ ...ALL, filter: '"id > 5"' }] })
  expect(remote.seen.slice(before).map(({ request }) => request)).toEqual(['GET /indexes/movies'])
})

test.each([
  ['"nope = 1"', 'invalid_document_filter'],
  ['"id = "', 'invalid_document_filter'],
  ['"id CONTAINS x"', 'feature_not_enabled'],
])('the filter %s fails the task with %s before anything is sent', async (filter, code) => {
  const [server, remote] = [await serverWith(THREE), await fullRemote()]
  const task = await exported(server, remote.url, { indexes: [{ ...ALL, filter }] })
  expect(task).toMatchObject({ status: 'failed', error: { code } })
  expect(remote.seen).toEqual([])
})

test('the first pattern in byte order wins, and indexes without one stay', async () => {
  const server = await serverWith(THREE, ['cities', 'movies', 'other'])
  const remote = await fullRemote()
  const rules = [
    { pattern: 'movies', filter: '"id = 1"', overrideSettings: false },
    { pattern: 'mov*', filter: '"id = 2"', overrideSettings: false },
    { pattern: 'cit*', filter: null, overrideSettings: false },
  ]
  await exported(server, remote.url, { indexes: rules })
  expect(remote.seen.map(({ request, body }) => `${request} ${body.trim()}`)).toEqual([
    'GET /indexes/cities ',
    `POST /indexes/cities/documents ${'{"id":1}\n{"id":2}\n{"id":3}'}`,
    'GET /indexes/movies ',
    'POST /indexes/movies/documents {"id":2}',
  ])
})

test('an export of nothing succeeds', async () => {
  const server = openBackupServer()
  const task = await exported(server, 'http://127.0.0.1:1')
  expect(task).toMatchObject({ status: 'succeeded', details: { indexes: new Map() } })
})

test('a refusal of the other server fails the task with what it says', async () => {
  const server = await serverWith(THREE)
  const refusal = { code: 'invalid_api_key', type: 'auth', message: 'wrong key' }
  const remote = await startRemote(() => [403, refusal])
  const task = await exported(server, remote.url)
  expect(task).toMatchObject({ status: 'failed', error: { code: 'internal' } })
  expect((task.error as { message: string }).message).toMatch(/403, invalid_api_key \(auth\): wrong key/)
  expect(remote.seen).toHaveLength(1)
})

test('an address that is none fails the task at once', async () => {
  const server = await serverWith(THREE)
  expect(await exported(server, '')).toMatchObject({ status: 'failed', error: { code: 'internal' } })
})

const limits = { firstMs: 1, longestMs: 2, giveUpMs: 1000 }
const watch = { progress: () => {}, isCancelled: () => false }

test('what may pass is tried again', async () => {
  const answers: (Said | 'cut')[] = ['cut', [503], [429], [408], [500], [200, {}]]
  const remote = await startRemote((_, count) => answers[count - 1]!)
  const server = new RemoteServer({ url: remote.url, apiKey: null }, { outbound, watch, limits })
  expect(await server.hasIndex('movies')).toBe(true)
  expect(remote.seen).toHaveLength(6)
})

test('after a while it gives up', async () => {
  const remote = await startRemote(() => [503])
  const services = { outbound, watch, limits: { firstMs: 1, longestMs: 50, giveUpMs: 1500 } }
  const server = new RemoteServer({ url: remote.url, apiKey: null }, services)
  await expect(server.hasIndex('movies')).rejects.toThrow(/status 503/)
  expect(remote.seen.length).toBeGreaterThan(1)
})

test('a cancelation ends the pauses', async () => {
  const remote = await startRemote(() => [503])
  let isCancelled = false
  const patient = { firstMs: 60_000, longestMs: 60_000, giveUpMs: 600_000 }
  const services = { outbound, watch: { ...watch, isCancelled: () => isCancelled }, limits: patient }
  const asking = new RemoteServer({ url: remote.url, apiKey: null }, services).hasIndex('movies')
  while (remote.seen.length === 0) await new Promise((resolve) => setImmediate(resolve))
  isCancelled = true
  await expect(asking).rejects.toThrow(JobCancelled)
})

test('a server that stops does not wait for one that does not answer, and exports after its next start', async () => {
  const server = await serverWith(THREE)
  const remote = await startRemote(() => [503])
  const content = { type: 'export', url: remote.url, apiKey: null, payloadBytes: null, indexes: [ALL] } as const
  const { uid } = await server.put(content)
  while (remote.seen.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await server.close()
  const held = openBackupServer({ folder: server.folder, isHeld: true })
  expect(held.queue.task(uid, null)).toMatchObject({ status: 'enqueued' })
})
