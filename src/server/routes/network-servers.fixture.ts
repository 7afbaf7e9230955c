import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { createOutbound } from '../../outbound/index.js'
import { atEnd } from '../../store/at-end.fixture.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

interface ReceivedRequest {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any
}

export interface OddServer {
  readonly url: string
  /** What it was asked since the last `answers`. */
  readonly seen: ReceivedRequest[]
  /** Answers one after the other, the last one again and again. */
  answers(...listeners: RequestListener[]): void
}

async function startOddServer(): Promise<OddServer> {
  const seen: ReceivedRequest[] = []
  let left: RequestListener[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    seen.push({ path: request.url, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
    const answer = left.length > 1 ? left.shift()! : left[0]!
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const answers = (...listeners: RequestListener[]) => {
    seen.length = 0
    left = listeners
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, answers }
}

/** Answers with a status and a body. */
export const says =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
/** A hit as other servers send it. */
export const hit = (id: number, score: number, more: object = {}) => ({
  id,
  _federation: {
    indexUid: 'books',
    queriesPosition: 0,
    weightedRankingScore: score,
    weightedScoreValues: [{ weightedScore: score }],
    ...more,
  },
})
/** A result as other servers send it. */
export const page = (...hits: object[]) => ({
  hits,
  processingTimeMs: 7,
  limit: 20,
  offset: 0,
  estimatedTotalHits: hits.length,
})
export const close: RequestListener = (request) => request.socket.destroy()
export const silent: RequestListener = () => {}

const SETTINGS = { filterableAttributes: ['color', 'year'], sortableAttributes: ['year'] }

/** Servers of one network with books on them, and one that plays all that can go wrong. They end with the tests. */
export async function openNetwork(): Promise<{ here: IndexServer; there: IndexServer; odd: OddServer }> {
  const outbound = createOutbound({ networks: 'any', userAgent: 'test' })
  const [here, there, odd] = await Promise.all([
    startIndexServer({ context: { outbound } }),
    startIndexServer(),
    startOddServer(),
  ])
  atEnd(() => void outbound.close())
  for (const server of [here, there]) {
    await server.context.features.change({ network: true })
    await server.done('PATCH', '/indexes/books/settings', { body: SETTINGS })
  }
  await here.add('books', [
    { id: 1, title: 'Dune', color: 'Red', year: 1965 },
    { id: 2, title: 'Emma', color: 'green', year: 1815 },
  ])
  await there.add('books', [
    { id: 11, title: 'Dune Messiah', color: 'red', year: 1969, secret: 'sand' },
    { id: 12, title: 'Solaris', color: 'blue', year: 1961 },
  ])
  const { json: key } = await there.send('POST', '/keys', {
    body: { actions: ['search'], indexes: ['*'], expiresAt: null },
  })
  const remotes = {
    here: { url: `http://127.0.0.1:${here.port}` },
    there: { url: `http://127.0.0.1:${there.port}/ignored?too`, searchApiKey: key.key },
  }
  const { status, text } = await here.send('PATCH', '/network', { body: { self: 'here', remotes } })
  expect([status, text]).toEqual([200, expect.any(String)])
  return { here, there, odd }
}

export const at = (remote: string, more: object = {}) => ({ indexUid: 'books', federationOptions: { remote }, ...more })
export const ids = (hits: { id: number }[]) => hits.map(({ id }) => id)
