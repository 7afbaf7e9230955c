import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { fromPlain } from '../json/index.js'
import { createOutbound } from '../outbound/index.js'
import type { ConfigOf } from './config.js'
import { Embedders } from './embedders.js'
import { type Behaviour, cleanUp, fakeProvider, later, refuse, say, testServices, vectorOf } from './provider.fake.js'
import type { EmbedServices } from './services.js'

afterEach(cleanUp)

const { signal } = new AbortController()
const SOON = () => performance.now() + 5_000

const single = (url: string, more: Partial<ConfigOf<'rest'>> = {}): ConfigOf<'rest'> => ({
  source: 'rest',
  url,
  request: fromPlain({ input: '{{text}}' }),
  response: fromPlain({ out: '{{embedding}}' }),
  headers: new Map(),
  dimensions: 3,
  ...more,
})

const repeated = (url: string, more: Partial<ConfigOf<'rest'>> = {}): ConfigOf<'rest'> =>
  single(url, {
    request: fromPlain({ input: ['{{text}}', '{{..}}'] }),
    response: fromPlain({ out: ['{{embedding}}', '{{..}}'] }),
    ...more,
  })

async function open(config: ConfigOf<'rest'>, services: EmbedServices = testServices()) {
  const opened = await new Embedders(services).open('default', config)
  if (!opened.ok) throw new Error(opened.failure.message)
  return opened.value
}

/** Answers as the tests of this file expect it, whatever form the request has. */
const answer: Behaviour = ({ body }, response) => {
  const { input } = body as { input: string | string[] }
  say(response, { out: Array.isArray(input) ? input.map((text) => vectorOf(text)) : vectorOf(input) })
}

const vectorError = (message: RegExp) => ({
  ok: false,
  failure: { code: 'vector_embedding_error', message: expect.stringMatching(message) },
})

describe('a request', () => {
  test('carries the key, the content type and the headers of the embedder, in this order', async () => {
    const { url, asked } = await fakeProvider(answer)
    const headers = new Map([
      ['X-Team', 'search'],
      ['Content-Type', 'text/special'],
    ])
    const embedder = await open(single(`${url}/embed?v=1`, { apiKey: 'secret', headers }))
    await embedder.embedQuery({ text: 'a' }, SOON())
    expect(asked[0]).toMatchObject({ path: '/embed?v=1', body: { input: 'a' } })
    const names = asked[0]!.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
    expect(names.filter((name) => ['authorization', 'content-type', 'x-team'].includes(name))).toEqual([
      'authorization',
      'content-type',
      'x-team',
      'content-type',
    ])
    expect(asked[0]!.headers.authorization).toBe('Bearer secret')
  })

  test('has no Authorization without a key', async () => {
    const { url, asked } = await fakeProvider(answer)
    await (await open(single(url))).embedQuery({ text: 'a' }, SOON())
    expect(asked[0]!.headers.authorization).toBeUndefined()
  })

  test('holds ten inputs at most, in the order of the documents (spec 7 §8, case 8)', async () => {
    const { url, asked } = await fakeProvider(answer)
    const texts = Array.from({ length: 25 }, (_, i) => `text ${i}`)
    const embedded = await (await open(repeated(url))).embedDocuments(
      texts.map((text) => ({ text })),
      signal,
    )
    expect(embedded).toEqual({ ok: true, value: texts.map((text) => Float32Array.from(vectorOf(text))) })
    const sent = asked.map(({ body }) => (body as { input: string[] }).input)
    expect(sent.map(({ length }) => length).sort((a, b) => b - a)).toEqual([10, 10, 5])
    expect(sent.flat().sort()).toEqual([...texts].sort())
  })

  test('holds one input in the single form, forty requests at once', async () => {
    const waiting: (() => void)[] = []
    const { url, asked, mostAtOnce } = await fakeProvider((seen, response, nth) => {
      waiting.push(() => answer(seen, response, nth))
      // Nobody is answered before forty are there; the others then come one by one.
      if (nth >= 40) for (const go of waiting.splice(0)) go()
    })
    const texts = Array.from({ length: 45 }, (_, i) => ({ text: `${i}` }))
    const embedded = await (await open(single(url))).embedDocuments(texts, signal)
    expect(embedded.ok && embedded.value.length).toBe(45)
    expect(asked.length).toBe(45)
    expect(mostAtOnce()).toBe(40)
  })
})

describe('retries', () => {
  test('503 twice, then 200: three requests (spec 7 §8, case 6)', async () => {
    const { url, asked } = await fakeProvider((seen, response, nth) =>
      nth < 3 ? refuse(response, 503, 'busy') : answer(seen, response, nth),
    )
    const heard: (string | undefined)[] = []
    const services = testServices({ onRequest: (problem) => heard.push(problem) })
    const embedded = await (await open(single(url), services)).embedDocuments([{ text: 'abc' }], signal)
    expect(embedded).toEqual({ ok: true, value: [Float32Array.from(vectorOf('abc'))] })
    expect(asked.length).toBe(3)
    expect(services.pauses).toEqual([1, 10])
    expect(heard).toEqual([expect.stringContaining('503: busy'), expect.stringContaining('503: busy'), undefined])
  })

  test.each([400, 401, 403, 404, 418, 499])('status %i is final', async (status) => {
    const { url, asked } = await fakeProvider((_seen, response) => refuse(response, status, 'because'))
    const embedded = await (await open(single(url))).embedDocuments([{ text: 'a' }], signal)
    expect(embedded).toEqual(vectorError(new RegExp(`Embedder \`default\`.*${status}.*because`)))
    expect(asked.length).toBe(1)
  })

  test.each([300, 500, 599])(
    'status %i is tried eleven times, with ever longer pauses up to the limit',
    async (status) => {
      const { url, asked } = await fakeProvider((_seen, response) => refuse(response, status))
      const services = testServices({ maxRetryMs: 2_000 })
      const embedded = await (await open(single(url), services)).embedDocuments([{ text: 'a' }], signal)
      expect(embedded).toEqual(vectorError(new RegExp(`${status} without more words`)))
      expect(asked.length).toBe(11)
      expect(services.pauses).toEqual([1, 10, 100, 1_000, ...Array(6).fill(2_000)])
    },
  )

  test('429 waits longer, whatever Retry-After says', async () => {
    const { url } = await fakeProvider((seen, response, nth) => {
      if (nth > 2) return answer(seen, response, nth)
      response.writeHead(429, { 'Retry-After': '3600' }).end()
    })
    const services = testServices()
    expect((await (await open(single(url), services)).embedDocuments([{ text: 'a' }], signal)).ok).toBe(true)
    expect(services.pauses).toEqual([101, 110])
  })

  test('pauses are cut by up to a half', async () => {
    const { url } = await fakeProvider((seen, response, nth) =>
      nth < 3 ? refuse(response, 500) : answer(seen, response, nth),
    )
    const services = testServices({ random: () => 0 })
    await (await open(single(url), services)).embedDocuments([{ text: 'a' }], signal)
    expect(services.pauses).toEqual([0.5, 5])
  })

  test('an answer that is not JSON is asked for again', async () => {
    const { url, asked } = await fakeProvider((seen, response, nth) =>
      nth === 1 ? response.end('<html>') : answer(seen, response, nth),
    )
    expect((await (await open(single(url))).embedDocuments([{ text: 'a' }], signal)).ok).toBe(true)
    expect(asked.length).toBe(2)
  })

  test('garbage without end is described', async () => {
    const { url } = await fakeProvider((_seen, response) => response.end('<html>'))
    expect(await (await open(single(url))).embedDocuments([{ text: 'a' }], signal)).toEqual(
      vectorError(/not JSON: <html>/),
    )
  })

  test('a connection that is cut is made again', async () => {
    const { url, asked } = await fakeProvider((seen, response, nth) => {
      if (nth > 2) return answer(seen, response, nth)
      response.writeHead(200, { 'Content-Length': '100' }).write('{"out":')
      response.destroy()
    })
    expect((await (await open(single(url))).embedDocuments([{ text: 'a' }], signal)).ok).toBe(true)
    expect(asked.length).toBe(3)
  })

  test('what is not HTTP at all is asked again and then given up', async () => {
    const server = createServer((socket) => socket.end('hello\r\n\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    later(() => server.close())
    const services = testServices()
    const embedder = await open(single(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), services)
    expect(await embedder.embedDocuments([{ text: 'a' }], signal)).toEqual(vectorError(/127\.0\.0\.1/))
    expect(services.pauses.length).toBe(10)
  })

  test('an address that the policy refuses counts as a failed connection', async () => {
    const { url, asked } = await fakeProvider(answer)
    const client = createOutbound({ networks: [], userAgent: 'findling-test' })
    later(() => client.close())
    const services = testServices({ client })
    expect((await (await open(single(url), services)).embedDocuments([{ text: 'a' }], signal)).ok).toBe(false)
    expect(asked).toEqual([])
    expect(services.pauses.length).toBe(10)
  })

  test('a provider that never answers is given the time of the operator, each time', async () => {
    const { url } = await fakeProvider(() => {})
    const services = testServices({ requestTimeoutMs: 5 })
    const embedded = await (await open(single(url), services)).embedDocuments([{ text: 'a' }], signal)
    expect(embedded).toEqual(vectorError(/longer than 5 ms/))
    expect(services.pauses.length).toBe(10)
  })

  test('an answer without end is final', async () => {
    const { url, asked } = await fakeProvider((_seen, response) => response.end(Buffer.alloc(17 * 1024 * 1024, 0x20)))
    expect(await (await open(single(url))).embedDocuments([{ text: 'a' }], signal)).toEqual(vectorError(/larger than/))
    expect(asked.length).toBe(1)
  })
})

describe('an answer', () => {
  const wrong =
    (out: unknown): Behaviour =>
    (_seen, response) =>
      say(response, { out })

  test('with vectors of other dimensions is final (spec 7 §8, case 7)', async () => {
    const { url, asked } = await fakeProvider(wrong([1, 2, 3]))
    const embedder = await open(single(url, { dimensions: 2 }))
    const embedded = await embedder.embedDocuments([{ text: 'a' }], signal)
    expect(embedded).toEqual(vectorError(/of 2 dimensions were expected.*one of 3 came/))
    expect(asked.length).toBe(1)
  })

  test('with another number of vectors is final', async () => {
    const { url, asked } = await fakeProvider(wrong([[1, 2, 3]]))
    const embedded = await (await open(repeated(url))).embedDocuments([{ text: 'a' }, { text: 'b' }], signal)
    expect(embedded).toEqual(vectorError(/2 vectors were expected.*1 came/))
    expect(asked.length).toBe(1)
  })

  test('that does not fit the template is final', async () => {
    const { url, asked } = await fakeProvider((_seen, response) => say(response, { outt: [1, 2, 3] }))
    expect(await (await open(single(url))).embedDocuments([{ text: 'a' }], signal)).toEqual(
      vectorError(/`response`: the member `out` \(`outt` is near to it\)/),
    )
    expect(asked.length).toBe(1)
  })

  test('that refuses the key says where the key is', async () => {
    const { url } = await fakeProvider((_seen, response) => refuse(response, 401, 'who?'))
    expect(await (await open(single(url))).embedDocuments([{ text: 'a' }], signal)).toEqual(
      vectorError(/credentials.*401: who\? \(.*`apiKey`/),
    )
  })
})

describe('dimensions', () => {
  test('are trusted without a call when they are given', async () => {
    const { url, asked } = await fakeProvider(answer)
    expect((await open(single(url))).dimensions).toBe(3)
    expect(asked).toEqual([])
  })

  test('are those of the vector of one test otherwise', async () => {
    const { url, asked } = await fakeProvider(answer)
    expect((await open(repeated(url, { dimensions: undefined }))).dimensions).toBe(3)
    expect(asked.map(({ body }) => body)).toEqual([{ input: ['test'] }])
  })

  test('that cannot be found out keep the embedder from opening (spec 7 §8, case 5)', async () => {
    const { url, asked } = await fakeProvider((_seen, response) => refuse(response, 401, 'no'))
    const opened = await new Embedders(testServices()).open('e', single(url, { dimensions: undefined }))
    expect(opened).toEqual(vectorError(/Embedder `e`: The number of dimensions could not be found out.*401/))
    expect(asked.map(({ body }) => body)).toEqual([{ input: 'test' }])
  })
})

describe('one failure', () => {
  const failing: Behaviour = (seen, response, nth) => {
    const isBad = (seen.body as { input: string[] }).input.includes('bad')
    return isBad ? refuse(response, 403, 'forbidden') : answer(seen, response, nth)
  }
  const inputs = Array.from({ length: 12 }, (_, i) => ({ text: i === 11 ? 'bad' : `${i}` }))

  test('fails all, and ends what is under way', async () => {
    let isClosed = () => {}
    const closed = new Promise<void>((resolve) => {
      isClosed = resolve
    })
    const { url } = await fakeProvider((seen, response, nth) => {
      if ((seen.body as { input: string[] }).input.includes('bad')) return failing(seen, response, nth)
      response.on('close', isClosed)
    })
    expect(await (await open(repeated(url))).embedDocuments(inputs, signal)).toEqual(vectorError(/403: forbidden/))
    await closed
  })

  test('leaves the documents of its request without vector where the operator wants that', async () => {
    const { url } = await fakeProvider(failing)
    const services = testServices({ ignoresEmbedderFailures: true })
    const embedded = await (await open(repeated(url), services)).embedDocuments(inputs, signal)
    expect(embedded.ok && embedded.value.map(({ length }) => length)).toEqual([...Array(10).fill(3), 0, 0])
  })

  test('of the caller who gave up is no failure of the embedder', async () => {
    const controller = new AbortController()
    const { url } = await fakeProvider(() => controller.abort())
    const services = testServices({ ignoresEmbedderFailures: true })
    const embedded = await (await open(single(url), services)).embedDocuments([{ text: 'a' }], controller.signal)
    expect(embedded).toMatchObject({ ok: false, failure: { code: 'internal' } })
  })
})

describe('a query', () => {
  test('waits until its deadline and no longer', async () => {
    const { url } = await fakeProvider(() => {})
    const embedder = await open(single(url))
    const start = performance.now()
    expect(await embedder.embedQuery({ text: 'a' }, start + 50)).toEqual(vectorError(/took longer|no time is left/))
    expect(performance.now() - start).toBeLessThan(4_000)
  })

  test('retries within its time', async () => {
    const { url, asked } = await fakeProvider((seen, response, nth) =>
      nth < 3 ? refuse(response, 500) : answer(seen, response, nth),
    )
    expect((await (await open(single(url))).embedQuery({ text: 'a' }, SOON())).ok).toBe(true)
    expect(asked.length).toBe(3)
  })

  test('shows the last error when its time is over', async () => {
    const { url, asked } = await fakeProvider((_seen, response) => refuse(response, 500, 'still warming up'))
    let now = 0
    const services = testServices({ now: () => (now += 1_000) })
    expect(await (await open(single(url), services)).embedQuery({ text: 'a' }, 8_000)).toEqual(
      vectorError(/still warming up/),
    )
    expect(asked.length).toBeLessThan(5)
    expect(Math.max(...services.pauses)).toBeLessThanOrEqual(8_000)
  })

  test('without any time left is not sent', async () => {
    const { url, asked } = await fakeProvider(answer)
    const embedded = await (await open(single(url))).embedQuery({ text: 'a' }, performance.now() - 1)
    expect(embedded).toEqual(vectorError(/no time is left/))
    expect(asked).toEqual([])
  })
})
