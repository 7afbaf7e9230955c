import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { PersonalQuestion } from '../answer/index.js'
import { createOutbound, type OutboundOptions, parseNetworks } from '../outbound/index.js'
import { RerankService } from './rerank-service.js'

/**
 * Over real HTTP with a service on loopback:
 * - what it is asked, and what of its answer counts
 * - which outcomes are tried again, after which pauses, and what is told in the end
 * - the cutoff of the search: nothing is asked after it, and failures do not count
 */
const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Seen {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

interface Fake {
  readonly url: string
  readonly seen: Seen[]
}

/** Answers one after the other, the last one again and again. */
async function serve(...answers: RequestListener[]): Promise<Fake> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url: path, headers } = request
    const nth = seen.push({ method, path, headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
    answers[Math.min(nth, answers.length) - 1]!(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/rerank`, seen }
}

const says =
  (status: number, body: unknown = ''): RequestListener =>
  (_request, response: ServerResponse) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
const order = (...places: unknown[]): RequestListener => says(200, { results: places.map((index) => ({ index })) })
const breakOff: RequestListener = (request) => request.socket.destroy()
const silence: RequestListener = () => {}

function loopback() {
  const parsed = parseNetworks(['127.0.0.0/8'])
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.networks
}

/** A service whose pauses take no time, but move the clock of the search. */
function serviceAt(url: string, outbound: Partial<OutboundOptions> = {}) {
  const client = createOutbound({ networks: loopback(), userAgent: 'findling-test', ...outbound })
  cleanups.push(() => client.close())
  const pauses: number[] = []
  let nowMs = 0
  const service = new RerankService(
    { apiKey: 'SECRET-KEY', url },
    {
      client,
      now: () => nowMs,
      random: () => 0,
      startTimer: (ms, onTime) => {
        pauses.push(ms)
        nowMs += ms
        setImmediate(onTime)
        return () => {}
      },
    },
  )
  const moveClock = (ms: number) => {
    nowMs += ms
  }
  return { service, pauses, moveClock }
}

const question: PersonalQuestion = {
  userContext: 'likes animals',
  q: 'red',
  documents: ['{"id":1}', '{"id":2}', '{"id":3}'],
  deadline: Number.POSITIVE_INFINITY,
}

const ok = (value: readonly number[] | null) => ({ ok: true, value })

test('the service is told the person, the query and the documents', async () => {
  const fake = await serve(order(0))
  await serviceAt(fake.url).service.order(question)
  expect(fake.seen).toEqual([
    {
      method: 'POST',
      path: '/v1/rerank',
      headers: expect.objectContaining({ authorization: 'Bearer SECRET-KEY', 'content-type': 'application/json' }),
      body: {
        query: 'User Context: likes animals\nQuery: red',
        documents: question.documents,
        model: 'rerank-english-v3.0',
      },
    },
  ])
})

describe('of its answer', () => {
  test.each<[string, unknown[], number[]]>([
    ['all places count', [2, 0, 1], [2, 0, 1]],
    ['documents may be missing', [1], [1]],
    ['all may be missing', [], []],
    ['places that do not exist are left out', [3, 2, -1, 0], [2, 0]],
    ['a place counts once', [1, 0, 1, 0], [1, 0]],
  ])('%s', async (_what, places, expected) => {
    const fake = await serve(order(...places))
    expect(await serviceAt(fake.url).service.order(question)).toEqual(ok(expected))
  })
})

test.each<[string, unknown]>([
  ['no JSON', 'garbage'],
  ['nothing', ''],
  ['null', 'null'],
  ['other members', { result: [] }],
  ['no list', { results: {} }],
  ['a result that is null', { results: [null] }],
  ['a result without a place', { results: [{ score: 1 }] }],
  ['a place that is no integer', { results: [{ index: 0.5 }] }],
  ['a place that is text', { results: [{ index: '0' }] }],
  ['more than anyone should read', 'x'.repeat(5 * 1024 * 1024)],
])('an answer with %s is asked for again', async (_what, body) => {
  const fake = await serve(says(200, body), order(1, 0, 2))
  const { service, pauses } = serviceAt(fake.url)
  expect(await service.order(question)).toEqual(ok([1, 0, 2]))
  expect(pauses).toEqual([1])
})

describe('outcomes that do not change', () => {
  test.each<[number, string]>([
    [400, 'remote_bad_request'],
    [401, 'remote_invalid_api_key'],
    [402, 'remote_bad_response'],
    [403, 'remote_bad_response'],
    [404, 'remote_bad_response'],
    [499, 'remote_bad_response'],
  ])('status %i is %s at once', async (status, code) => {
    const fake = await serve(says(status, 'why'))
    const { service, pauses } = serviceAt(fake.url)
    expect(await service.order(question)).toEqual({ ok: false, failure: { code, message: expect.any(String) } })
    expect([fake.seen.length, pauses]).toEqual([1, []])
  })

  test('an address that the policy forbids is not asked', async () => {
    const fake = await serve(order(0))
    const { service, pauses } = serviceAt(fake.url, { networks: [] })
    const refused = await service.order(question)
    expect(refused).toMatchObject({ ok: false, failure: { code: 'remote_could_not_send_request' } })
    expect([fake.seen, pauses]).toEqual([[], []])
  })

  test('neither does a redirect lead elsewhere: the key and the documents stay', async () => {
    const other = await serve(order(0))
    const redirect: RequestListener = (_, response) => void response.writeHead(307, { location: other.url }).end()
    const fake = await serve(redirect, order(2, 1, 0))
    expect(await serviceAt(fake.url).service.order(question)).toEqual(ok([2, 1, 0]))
    expect(other.seen).toEqual([])
  })
})

describe('outcomes that may change are tried ten times again, after longer and longer pauses', () => {
  const soon = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
  const slowly = soon.map((ms) => ms + 100)
  test.each<[string, RequestListener, string, number[]]>([
    ['429', says(429, 'slow down'), 'too_many_search_requests', slowly],
    ['500', says(500, 'oops'), 'remote_remote_error', soon],
    ['503', says(503), 'remote_remote_error', soon],
    ['302', says(302), 'remote_bad_response', soon],
    ['garbage', says(200, '<html>'), 'remote_bad_response', soon],
    ['a broken connection', breakOff, 'remote_could_not_send_request', soon],
  ])('%s', async (_what, answer, code, pauses) => {
    const fake = await serve(answer)
    const asked = serviceAt(fake.url)
    const failed = await asked.service.order(question)
    expect(failed).toEqual({ ok: false, failure: { code, message: expect.any(String) } })
    expect([fake.seen.length, asked.pauses]).toEqual([11, pauses])
  })

  test('silence counts as a broken connection after half a minute', async () => {
    const fake = await serve(silence, order(1, 2, 0))
    const timeouts: number[] = []
    const startTimer: OutboundOptions['startTimer'] = (ms, onTime) => {
      timeouts.push(ms)
      const timer = setTimeout(onTime, timeouts.length === 1 ? 50 : 5_000)
      return () => clearTimeout(timer)
    }
    const { service, pauses } = serviceAt(fake.url, { startTimer })
    expect(await service.order(question)).toEqual(ok([1, 2, 0]))
    expect([timeouts, pauses]).toEqual([[30_000, 30_000], [1]])
  })
})

describe('the cutoff of the search', () => {
  const until = (deadline: number) => ({ ...question, deadline })

  test('nobody is asked after it, nor about nothing', async () => {
    const fake = await serve(order(2, 1, 0))
    const { service, moveClock } = serviceAt(fake.url)
    moveClock(10)
    expect(await service.order(until(10))).toEqual(ok(null))
    expect(await service.order({ ...question, documents: [] })).toEqual(ok(null))
    expect(fake.seen).toEqual([])
  })

  test('failures leave the order as it was once it has passed, and pauses do not last longer', async () => {
    const fake = await serve(says(429))
    const { service, pauses } = serviceAt(fake.url)
    expect(await service.order(until(1500))).toEqual(ok(null))
    expect(pauses).toEqual([101, 110, 200, 1089])
    expect(fake.seen.length).toBe(5)
  })

  test('an answer that comes after it counts', async () => {
    let late = () => {}
    const fake = await serve((request, response) => {
      late()
      order(2, 1, 0)(request, response)
    })
    const { service, moveClock } = serviceAt(fake.url)
    late = () => moveClock(5_000)
    expect(await service.order(until(1500))).toEqual(ok([2, 1, 0]))
  })
})

test('messages never tell the key', async () => {
  for (const status of [200, 400, 401, 404]) {
    const fake = await serve(says(status, 'the key SECRET-KEY is SECRET-KEY'))
    const failed = await serviceAt(fake.url).service.order(question)
    expect(JSON.stringify(failed)).not.toContain('SECRET-KEY')
    expect(failed.ok).toBe(false)
  }
})
