import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Patience, SearchNetwork } from '../../answer/index.js'
import { ok } from '../../errors/index.js'
import { isObject } from '../../json/index.js'
import { createOutbound } from '../../outbound/index.js'
import { UnknownShardMap } from '../../sharding/index.js'
import { askRemotes } from './ask-remotes.js'
import { MeasuredPatience } from './patience.js'

interface Asked {
  readonly server: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

const outbound = createOutbound({ networks: 'any', userAgent: 'test' })
const asked: Asked[] = []
const given: string[] = []
const behaviour = new Map<string, RequestListener>()
const urls = new Map<string, string>()
const closers: (() => void)[] = []

const says =
  (status: number, delayMs = 0): RequestListener =>
  (_request, response) =>
    void setTimeout(() => response.writeHead(status).end('{"found":true}'), delayMs)
const refuses =
  (code: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(412).end(JSON.stringify({ code }))
const silent: RequestListener = () => {}
const closes: RequestListener = (request) => request.socket.destroy()

async function start(name: string): Promise<void> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked.push({ server: name, body: Buffer.concat(chunks).toString(), headers: request.headers })
    response.on('close', () => response.writableFinished || given.push(name))
    behaviour.get(name)!(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  urls.set(name, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
}

beforeAll(async () => {
  await Promise.all([...'abcd'].map(start))
})
afterAll(async () => {
  await outbound.close()
  for (const close of closers) close()
})
beforeEach(() => {
  asked.length = 0
  given.length = 0
  for (const name of 'abcd') behaviour.set(name, says(200))
})

/** Waits for whoever was asked first. */
class Calm extends MeasuredPatience {
  override usualMs(): number {
    return 60_000
  }
}

interface Question {
  /** The owners of each shard in the order in which they are asked, one letter each. */
  readonly shards: Record<string, string>
  readonly named?: string
  readonly away?: string
  readonly patience?: Patience
  readonly timeoutMs?: number
  readonly canPlanAgain?: boolean
}

async function ask(question: Question) {
  const { shards, named = '', away = '', patience = new Calm(), timeoutMs = 5000, canPlanAgain = false } = question
  const network: SearchNetwork = {
    version: 'v',
    self: 'self',
    everywhere: [],
    remotes: new Map(Array.from(urls, ([name, url]) => [name, { url, searchApiKey: null }])),
    shards: new Map(Object.entries(shards).map(([name, owners]) => [name, [...owners]])),
    away: [...away],
  }
  const pending = askRemotes(
    {
      path: '/multi-search',
      named: [...named],
      shards: Object.keys(shards),
      bodyFor: (part) => ok(`${part.isNamed ? '!' : ''}${part.shards.join('')}`),
      read: (name, answer) => (isObject(answer) ? { name } : 'of another kind'),
    },
    {
      network,
      remotes: { request: (request) => outbound.request(request), timeoutMs, patience },
      includesMetadata: false,
      canPlanAgain,
    },
  )
  const { answers, errors, failed } = await pending!.answered
  return {
    answers: answers.map(({ name }) => name),
    errors: Object.fromEntries(Array.from(errors, ([name, { code }]) => [name, code])),
    failed,
  }
}

const questions = () => asked.map(({ server, body }) => `${server} ${body}`)

test('one request goes to each of the first owners, with all their shards', async () => {
  const outcome = await ask({ shards: { s: 'ab', t: 'cd', u: 'ad' } })
  expect(outcome).toEqual({ answers: ['a', 'c'], errors: {}, failed: [] })
  expect(questions().sort()).toEqual(['a su', 'c t'])
  expect(asked[0]!.headers).toMatchObject({ 'x-findling-shards': 'true', 'meili-proxy-search': 'true' })
})

test.each([
  ['answers with status 500', says(500)],
  ['closes the connection', closes],
])('shards of a server that %s are asked of other owners at once', async (_name, listener) => {
  behaviour.set('a', listener)
  const outcome = await ask({ shards: { s: 'ab', t: 'ac', u: 'a' } })
  expect(outcome.answers.sort()).toEqual(['b', 'c'])
  expect(outcome.errors).toEqual({ a: expect.stringMatching(/^remote_/) })
  expect(outcome.failed).toEqual(['a'])
  expect(questions().slice(-2).sort()).toEqual(['b s', 'c t'])
})

test('where others answer for all shards, nothing is missing and nothing is said', async () => {
  behaviour.set('a', says(500))
  behaviour.set('b', closes)
  expect(await ask({ shards: { s: 'abc' } })).toEqual({ answers: ['c'], errors: {}, failed: ['a', 'b'] })
  expect(questions()).toEqual(['a s', 'a s', 'b s', 'b s', 'c s'])
})

test('a shard that nobody answers for is told of, with all who could have', async () => {
  behaviour.set('a', says(500))
  behaviour.set('b', says(400))
  const { answers, errors, failed } = await ask({ shards: { s: 'abd', t: 'c', u: 'd' }, away: 'd' })
  expect(answers).toEqual(['c'])
  expect(errors).toEqual({
    a: 'remote_remote_error',
    b: 'remote_bad_request',
    d: 'remote_could_not_send_request',
  })
  expect(failed).toEqual(['a'])
  expect(asked.some(({ server }) => server === 'd')).toBe(false)
})

test('a server that takes longer than usual is not waited for alone, and given up when another answers', async () => {
  behaviour.set('a', silent)
  const start = performance.now()
  expect(await ask({ shards: { s: 'ab', t: 'ac' }, patience: new MeasuredPatience() })).toEqual({
    answers: ['b', 'c'],
    errors: {},
    failed: [],
  })
  expect(performance.now() - start).toBeLessThan(1000)
  while (given.length === 0) await new Promise(setImmediate)
  expect(given).toEqual(['a'])
})

test('the first answer counts, whoever was asked first', async () => {
  behaviour.set('a', says(200, 150))
  behaviour.set('b', silent)
  expect(await ask({ shards: { s: 'ab' }, patience: new MeasuredPatience() })).toEqual({
    answers: ['a'],
    errors: {},
    failed: [],
  })
  expect(questions()).toEqual(['a s', 'b s'])
  while (given.length === 0) await new Promise(setImmediate)
  expect(given).toEqual(['b'])
})

test('a server that is late and fails in the end is replaced by the one that was asked meanwhile', async () => {
  behaviour.set('a', says(500, 100))
  behaviour.set('b', says(200, 300))
  expect(await ask({ shards: { s: 'ab' }, patience: new MeasuredPatience() })).toEqual({
    answers: ['b'],
    errors: {},
    failed: ['a'],
  })
})

test('who is late is still heard when the others fail', async () => {
  behaviour.set('a', says(200, 300))
  behaviour.set('b', says(500))
  expect(await ask({ shards: { s: 'ab' }, patience: new MeasuredPatience() })).toEqual({
    answers: ['a'],
    errors: {},
    failed: ['b'],
  })
})

test('where too much was asked twice, a server is waited for longer, but not for ever', async () => {
  const patience = new MeasuredPatience()
  while (patience.mayAskTwice());
  behaviour.set('a', silent)
  const start = performance.now()
  expect((await ask({ shards: { s: 'ab' }, patience })).answers).toEqual(['b'])
  expect(performance.now() - start).toBeGreaterThan(240)
  while (!patience.isSlow('a')) await new Promise(setImmediate)
  asked.length = 0
  expect((await ask({ shards: { s: 'ab', t: 'a' }, patience, timeoutMs: 300 })).answers).toEqual(['b'])
  expect(questions().sort()).toEqual(['a t', 'b s'])
})

test('what only one server can answer is not asked of others', async () => {
  behaviour.set('a', says(500))
  const outcome = await ask({ shards: { s: 'ab' }, named: 'ad' })
  expect(outcome).toEqual({ answers: ['b', 'd'], errors: { a: 'remote_remote_error' }, failed: ['a'] })
  expect(questions().sort()).toEqual(['a !s', 'a !s', 'a !s', 'a !s', 'b s', 'd !'])
})

test('servers are told how long they are waited for', async () => {
  behaviour.set('a', says(500, 100))
  behaviour.set('b', silent)
  const { errors } = await ask({ shards: { s: 'ab' }, timeoutMs: 400 })
  expect(errors).toEqual({ a: 'remote_remote_error', b: 'remote_timeout' })
  const left = asked.map(({ headers }) => Number(headers['x-findling-time-left']))
  expect(left[0]).toBeLessThanOrEqual(400)
  expect(left[0]).toBeGreaterThan(300)
  expect(Math.min(...left)).toBeLessThan(360)
})

test('servers are told the version whose shards are meant', async () => {
  await ask({ shards: { s: 'a' }, named: 'b' })
  const told = new Map(asked.map(({ server, headers }) => [server, headers['x-findling-network-version']]))
  expect(told).toEqual(new Map([['a', 'v'], ['b', undefined]])) // biome-ignore format: one line says more
})

test('when the shards are those of a former version, the search has to be planned again', async () => {
  behaviour.set('a', refuses('shard_map_outdated'))
  await expect(ask({ shards: { s: 'a', t: 'b' }, canPlanAgain: true })).rejects.toThrow(UnknownShardMap)
  const lost = { answers: ['b'], errors: { a: 'shard_map_outdated' }, failed: [] }
  expect(await ask({ shards: { s: 'a', t: 'b' } })).toEqual(lost)
  expect(await ask({ shards: { s: 'ac', t: 'b' }, canPlanAgain: true })).toEqual({
    answers: ['c', 'b'],
    errors: {},
    failed: [],
  })
})

test('a server that does not know the shards yet is asked again until it does', async () => {
  let times = 0
  behaviour.set('a', (request, response) => {
    const listener = times++ < 6 ? refuses('shard_map_unknown') : says(200)
    listener(request, response)
  })
  expect(await ask({ shards: { s: 'a' } })).toEqual({ answers: ['a'], errors: {}, failed: [] })
})
