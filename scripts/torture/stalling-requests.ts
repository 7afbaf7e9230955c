/** Requests that are made to hold threads or memory, and what has to be in the server for them. */
import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { TestServer } from '../../test/server.js'

export interface Attack {
  readonly name: string
  /** Answers what went wrong beside slow answers to others, if anything did. */
  run(server: TestServer): Promise<string | undefined>
}

const FETCH = '/indexes/many/documents/fetch'
const SEARCH = '/indexes/many/search'
const DOCUMENTS = '/indexes/hurt/documents'

const MANY = 50_000
/** Documents of a megabyte each: a page of them is large. */
const LARGE = 64

export async function prepare(server: TestServer): Promise<void> {
  await write(server, 'PATCH', '/indexes/many/settings', { filterableAttributes: ['n', 'tag', '_geo'] })
  const many = Array.from({ length: MANY }, (_, id) => ({
    id,
    n: id,
    tag: `tag ${id % 1000}`,
    text: 'red fox and hound',
  }))
  await write(server, 'POST', '/indexes/many/documents', many)
  await write(server, 'PATCH', '/indexes/hurt/settings', {
    filterableAttributes: ['_geo'],
    sortableAttributes: ['_geo'],
  })
  const text = 'owl '.repeat(250_000)
  for (let id = 0; id < LARGE; id += 8) {
    const some = Array.from({ length: 8 }, (_, i) => ({ id: id + i, text }))
    await write(server, 'POST', '/indexes/large/documents', some)
  }
}

async function write(server: TestServer, method: string, path: string, body: unknown): Promise<void> {
  const { status, text, body: task } = await server.request<{ taskUid: number }>(method, path, body)
  if (status !== 202) throw new Error(`${method} ${path} was answered ${status} ${text}`)
  await server.waitTask(task.taskUid)
}

/** `size`: 1 for the sizes that did harm, less for a machine that runs all tests. */
export function attacksOf(size: number): readonly Attack[] {
  const objects = manyObjects(99e6 * size)
  const fewer = manyObjects(21e6 * size)
  const squeezed = gzipSync(manyObjects(20e6 * size), { level: 9 })
  const digits = '9'.repeat(4e6 * size)
  const values = (count: number) => Array.from({ length: count * size }, (_, i) => i * 3).join()
  const gzip = { 'content-encoding': 'gzip' }
  return [
    send('99 MB of empty objects to fetch', FETCH, objects),
    send('20 MB of empty objects in 19 kB', FETCH, squeezed, gzip),
    send('21 MB of empty objects to fetch', FETCH, fewer),
    send('21 MB of empty objects to delete', '/indexes/many/documents/delete-batch', fewer),
    send('21 MB of empty objects as a key', '/keys', fewer),
    send('21 MB of empty objects as settings', '/indexes/hurt/settings', fewer, { method: 'PATCH' }),
    send('21 MB of empty objects to multi-search', '/multi-search', fewer),
    documents('2.5 million field names', manyNames(2.5e6 * size), 'application/x-ndjson'),
    documents('300 kB of digits in a CSV', `id,n:number\n1,${'9'.repeat(300e3 * size)}x\n`, 'text/csv'),
    documents('60 kB of digits in _geo', geo(`${'9'.repeat(60e3 * size)}x`), 'application/json'),
    documents('5 MB of text in _geo', geo('x'.repeat(5e6 * size)), 'application/json'),
    documents('an integer of 4 million digits', `[{"id":1,"n":${digits}}]`, 'application/json'),
    send('an integer of 4 million digits as limit', SEARCH, `{"limit":${digits}}`),
    send('a query of digits', SEARCH, JSON.stringify({ q: '9'.repeat(300e3 * size) })),
    send('an integer in the head of a token', SEARCH, '{}', {
      authorization: `Bearer ${Buffer.from(`{"alg":"HS256","n":${'9'.repeat(50_000)}}`).toString('base64url')}.e30.e30`,
    }),
    send('200,000 values of IN to fetch', FETCH, JSON.stringify({ filter: `n IN [${values(200_000)}]` })),
    send('a million values of IN to search', SEARCH, JSON.stringify({ filter: `n IN [${values(1e6)}]` })),
    { name: 'two searches with a million values, and others', run: (server) => besideOthers(server, values(1e6)) },
    { name: 'forty abandoned searches', run: abandoned },
    { name: 'an answer of a gigabyte', run: (server) => hugeAnswer(server, Math.ceil(16 * size)) },
    { name: 'a document of 20 MB', run: (server) => largeDocument(server, 20e6 * size) },
    { name: 'errors of small tasks', run: shortErrors },
  ]
}

const manyObjects = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from('{"x":['), Buffer.alloc(Math.floor(bytes / 3) * 3, '{},'), Buffer.from('{}]}')])

const manyNames = (count: number): string =>
  `{"id":1${Array.from({ length: count }, (_, i) => `,"f${i}":1`).join('')}}\n`

const geo = (lat: string): string => JSON.stringify([{ id: 1, _geo: { lat, lng: '1' } }])

/** A request that must be answered, however, but not with a failure of the server. */
function send(name: string, path: string, body: string | Buffer, headers: Record<string, string> = {}): Attack {
  const { method = 'POST', ...others } = headers
  return {
    name,
    async run(server) {
      try {
        const { status, text, body: answer } = await server.request<{ taskUid?: number }>(method, path, body, others)
        if (status >= 500) return `was answered ${status} ${text.slice(0, 200)}`
        if (status === 202 && answer.taskUid !== undefined) await server.waitTask(answer.taskUid)
        return undefined
      } catch (error) {
        // What is too large may be refused while it is still being sent.
        const { code } = error as NodeJS.ErrnoException
        return code === 'EPIPE' || code === 'ECONNRESET' ? undefined : `failed with ${error}`
      }
    },
  }
}

const documents = (name: string, body: string, type: string): Attack =>
  send(name, DOCUMENTS, body, { 'content-type': type })

/** Searches of others are answered while two have more to filter by than their time allows. */
async function besideOthers(server: TestServer, values: string): Promise<string | undefined> {
  const filter = JSON.stringify({ filter: `n IN [${values}]` })
  const heavy = [0, 1].map(() => server.request('POST', SEARCH, filter))
  const { status } = await server.request('POST', SEARCH, { q: 'fox' })
  for (const { status: of } of await Promise.all(heavy)) if (of >= 500) return `a heavy search was answered ${of}`
  return status === 200 ? undefined : `a search beside them was answered ${status}`
}

const ABANDONED = 40
const PATIENCE_MS = 5_000

async function abandoned(server: TestServer): Promise<string | undefined> {
  const filter = Array.from({ length: 100_000 }, (_, i) => `n = ${i}`).join(' OR ')
  for (let i = 0; i < ABANDONED; i++) await leave(server, JSON.stringify({ q: `fox ${i}`, filter }))
  const began = performance.now()
  const { status } = await server.request('POST', SEARCH, { q: 'hound' })
  const tookMs = performance.now() - began
  if (status !== 200) return `a search afterwards was answered ${status}`
  return tookMs > PATIENCE_MS ? `a search afterwards took ${tookMs.toFixed(0)} ms` : undefined
}

/** Sends a search and goes away before it is answered. */
function leave(server: TestServer, body: string): Promise<void> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asking = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      method: 'POST',
      path: SEARCH,
      headers,
      agent: false,
    })
    asking.on('error', () => {})
    asking.on('close', () => resolve())
    asking.end(body, () => delay(5).then(() => asking.destroy()))
  })
}

/** A multi-search whose answer has some 64 MB for each query, read by a client that takes its time. */
async function hugeAnswer(server: TestServer, queries: number): Promise<string | undefined> {
  const body = JSON.stringify({
    queries: Array.from({ length: queries }, () => ({ indexUid: 'large', q: '', limit: LARGE })),
  })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve) => {
    const target = {
      host: '127.0.0.1',
      port: server.port,
      method: 'POST',
      path: '/multi-search',
      headers,
      agent: false,
    }
    const asking = httpRequest(target, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('end', () => resolve(bytes > queries * LARGE * 900_000 ? undefined : `only ${bytes} bytes came`))
      answer.on('error', (error) => resolve(`the answer broke off: ${error}`))
    })
    asking.on('error', (error) => resolve(`failed with ${error}`))
    asking.end(body)
  })
}

/** Shown alone and in a list. */
async function largeDocument(server: TestServer, bytes: number): Promise<string | undefined> {
  await write(server, 'POST', '/indexes/huge/documents', [{ id: 1, text: 'owl "quoted" '.repeat(bytes / 13) }])
  for (const path of ['/indexes/huge/documents/1', '/indexes/huge/documents']) {
    const { status } = await server.request('GET', path)
    if (status !== 200) return `${path} was answered ${status}`
  }
  return undefined
}

/** What was sent is not repeated at length in the errors of tasks. */
async function shortErrors(server: TestServer): Promise<string | undefined> {
  const { text } = await server.request('GET', '/tasks?statuses=failed')
  return text.length > 100_000 ? `the list of failed tasks has ${text.length} bytes` : undefined
}
