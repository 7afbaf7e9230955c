import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestServer } from './server.js'

/** Batches tell how often embedders were asked, while they run and afterwards (spec 7 §1.12). */
let server: TestServer
/** What the provider of vectors does with the next requests; afterwards it answers. */
let behaviours: ((response: ServerResponse) => void)[] = []

const provider = createServer(async (request, response) => {
  await request.toArray()
  const behave = behaviours.shift()
  if (behave === undefined) embed(response)
  else behave(response)
})

const embed = (response: ServerResponse): void => void response.end('{"vector":[1,0]}')
const isBusy = (response: ServerResponse): void => void response.writeHead(503).end('busy')

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const { port } = provider.address() as AddressInfo
  server = await TestServer.start({ flags: ['--experimental-allowed-ip-networks', '127.0.0.0/8'] })
  const embedder = { source: 'rest', url: `http://127.0.0.1:${port}/`, dimensions: 2 }
  const model = { ...embedder, request: { text: '{{text}}' }, response: { vector: '{{embedding}}' } }
  expect(await accepted('PATCH', '/indexes/a/settings', { embedders: { model } })).toMatchObject({
    status: 'succeeded',
  })
})

afterAll(async () => {
  await server.close()
  provider.closeAllConnections()
  provider.close()
})

async function accepted(method: string, path: string, body: unknown) {
  const { body: task } = await server.request<{ taskUid: number }>(method, path, body)
  return server.waitTask(task.taskUid)
}

interface Batch {
  readonly progress: object | null
  readonly stats: { readonly embedderRequests?: object }
}

const batch = async (uid: unknown) => (await server.request<Batch>('GET', `/batches/${uid}`)).body

test('requests are counted, failed ones among them, and the last error is told', async () => {
  behaviours = [isBusy, isBusy]
  const { status, batchUid } = await accepted('POST', '/indexes/a/documents', [{ id: 1 }, { id: 2 }])
  expect(status).toBe('succeeded')
  const { stats } = await batch(batchUid)
  expect(stats.embedderRequests).toEqual({ total: 4, failed: 2, lastError: expect.stringContaining('busy') })
})

test('they are told while the batch runs', async () => {
  let answer = () => {}
  behaviours = [isBusy, (response) => void (answer = () => embed(response))]
  const { body: task } = await server.request<{ taskUid: number }>('POST', '/indexes/a/documents', [{ id: 3 }])
  let running: Batch | undefined
  while (running?.stats.embedderRequests === undefined) {
    const { body } = await server.request<{ results: Batch[] }>('GET', '/batches?limit=1')
    running = body.results.find(({ progress }) => progress !== null)
  }
  expect(running.stats.embedderRequests).toMatchObject({ total: 1, failed: 1 })
  while (behaviours.length > 0) await server.request('GET', '/health')
  answer()
  const { batchUid } = await server.waitTask(task.taskUid)
  expect((await batch(batchUid)).stats.embedderRequests).toMatchObject({ total: 2, failed: 1 })
})

test('nothing is told of a batch without requests, whatever the one before it did', async () => {
  const { batchUid } = await accepted('DELETE', '/indexes/a/documents/1', undefined)
  expect((await batch(batchUid)).stats).not.toHaveProperty('embedderRequests')
})
