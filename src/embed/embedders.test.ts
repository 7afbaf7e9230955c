import { afterEach, describe, expect, test } from 'vitest'
import { fromPlain, type JsonValue } from '../json/index.js'
import { systemTimer } from '../outbound/index.js'
import { cosineDistance } from './composite.js'
import type { ConfigOf, EmbedderConfig } from './config.js'
import { Embedders } from './embedders.js'
import { type Behaviour, cleanUp, fakeProvider, refuse, say, testServices, vectorOf } from './provider.fake.js'

afterEach(cleanUp)

const { signal } = new AbortController()
const SOON = () => performance.now() + 5_000

const rest = (url: string, more: Partial<ConfigOf<'rest'>> = {}): ConfigOf<'rest'> => ({
  source: 'rest',
  url,
  request: fromPlain(['{{text}}', '{{..}}']),
  response: fromPlain(['{{embedding}}', '{{..}}']),
  headers: new Map(),
  ...more,
})

const answer: Behaviour = ({ body }, response) =>
  say(
    response,
    (body as string[]).map((text) => vectorOf(text)),
  )

async function open(config: EmbedderConfig, embedders = new Embedders(testServices())) {
  const opened = await embedders.open('default', config)
  if (!opened.ok) throw new Error(opened.failure.message)
  return opened.value
}

const vectorError = (message: RegExp) => ({
  ok: false,
  failure: { code: 'vector_embedding_error', message: expect.stringMatching(message) },
})

describe('opening', () => {
  test('identical configurations share one embedder, under their own names', async () => {
    const { url, asked } = await fakeProvider(answer)
    const embedders = new Embedders(testServices())
    const [a, b] = await Promise.all([embedders.open('a', rest(url)), embedders.open('b', rest(url))])
    expect([a.ok && a.value.name, b.ok && b.value.name]).toEqual(['a', 'b'])
    expect(asked.length).toBe(1)
    await embedders.open('c', rest(url, { apiKey: 'k' }))
    expect(asked.length).toBe(2)
  })

  test('a failure is not remembered', async () => {
    const { url } = await fakeProvider((seen, response, nth) =>
      nth === 1 ? refuse(response, 403) : answer(seen, response, nth),
    )
    const embedders = new Embedders(testServices())
    expect((await embedders.open('a', rest(url))).ok).toBe(false)
    expect((await embedders.open('a', rest(url))).ok).toBe(true)
  })
})

describe('opening with a deadline', () => {
  test('stops waiting then, and others get what is opened meanwhile', async () => {
    let go = () => {}
    let isAsked = () => {}
    const asking = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const { url, asked } = await fakeProvider((seen, response, nth) => {
      go = () => answer(seen, response, nth)
      isAsked()
    })
    const embedders = new Embedders(testServices({ startTimer: systemTimer }))
    const patient = embedders.open('a', rest(url), SOON())
    await asking
    expect(await embedders.open('a', rest(url), performance.now())).toEqual(vectorError(/not ready in time/))
    go()
    expect(await patient).toMatchObject({ ok: true })
    expect(asked.length).toBe(1)
  })
})

describe('a user-provided embedder', () => {
  const config: EmbedderConfig = { source: 'userProvided', dimensions: 3 }

  test('knows its dimensions and computes nothing', async () => {
    const embedder = await open(config)
    expect(embedder.dimensions).toBe(3)
    expect(await embedder.embedDocuments([{ text: 'a' }], signal)).toEqual(vectorError(/computes no vectors/))
  })

  test('shows the first 250 characters of a query', async () => {
    const text = `${'😀'.repeat(250)}tail`
    const embedded = await (await open(config)).embedQuery({ text }, SOON())
    expect(embedded).toEqual(vectorError(/Embedder `default`.*"(😀){250}…"/u))
  })
})

describe('the cache of queries', () => {
  async function cached(entries: number) {
    const { url, asked } = await fakeProvider(answer)
    const embedder = await open(rest(url, { dimensions: 3 }), new Embedders(testServices({ cacheEntries: entries })))
    const ask = async (text: string) => (await embedder.embedQuery({ text }, SOON())).ok
    return { embedder, ask, sent: () => asked.map(({ body }) => (body as string[])[0]) }
  }

  test('remembers the texts that were asked for last', async () => {
    const { ask, sent } = await cached(2)
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(text)
    expect(sent()).toEqual(['a', 'b', 'c', 'b'])
  })

  test('gives each asker a vector of its own', async () => {
    const { embedder } = await cached(2)
    const first = await embedder.embedQuery({ text: 'a' }, SOON())
    if (first.ok) first.value.fill(0)
    expect(await embedder.embedQuery({ text: 'a' }, SOON())).toEqual({
      ok: true,
      value: Float32Array.from(vectorOf('a')),
    })
  })

  test('is off by default, leaves out long texts, and documents', async () => {
    const off = await cached(0)
    await off.ask('a')
    await off.ask('a')
    expect(off.sent()).toEqual(['a', 'a'])
    const on = await cached(5)
    const [fits, tooLong] = ['é'.repeat(1_000), 'é'.repeat(1_001)]
    for (const text of [fits, fits, tooLong, tooLong]) await on.ask(text)
    await on.embedder.embedDocuments([{ text: 'd' }], signal)
    await on.embedder.embedDocuments([{ text: 'd' }], signal)
    expect(on.sent()).toEqual([fits, tooLong, tooLong, 'd', 'd'])
  })
})

describe('fragments', () => {
  const fragments = (entries: Record<string, unknown>) =>
    new Map(Object.entries(entries).map(([name, value]) => [name, fromPlain(value) as JsonValue]))

  const fragmented = (url: string, more: Partial<ConfigOf<'rest'>> = {}) =>
    rest(url, {
      dimensions: 1,
      request: fromPlain({ content: ['{{fragment}}', '{{..}}'] }),
      response: fromPlain(['{{embedding}}', '{{..}}']),
      indexingFragments: fragments({ any: '{{doc.name}}' }),
      searchFragments: fragments({
        words: { text: 'about {{q}}', exact: 1.5 },
        image: { url: '{{media.image}}' },
        wide: { of: '{{media.image}} {{media.size}} {{q}}' },
      }),
      ...more,
    })

  const echo: Behaviour = ({ body }, response) =>
    say(
      response,
      (body as { content: unknown[] }).content.map((value) => [JSON.stringify(value).length]),
    )

  test('of documents are sent as they are', async () => {
    const { url, asked } = await fakeProvider(echo)
    const inputs = [{ fragment: fromPlain({ a: 1 }) }, { fragment: 'text' }, { fragment: null }]
    expect(await (await open(fragmented(url))).embedDocuments(inputs, signal)).toMatchObject({ ok: true })
    expect(asked.map(({ body }) => body)).toEqual([{ content: [{ a: 1 }, 'text', null] }])
  })

  test('of searches: the one that can be rendered is sent', async () => {
    const { url, asked } = await fakeProvider(echo)
    const embedder = await open(fragmented(url))
    expect((await embedder.embedQuery({ text: 'cats' }, SOON())).ok).toBe(true)
    expect((await embedder.embedQuery({ media: fromPlain({ image: 'i.png' }) }, SOON())).ok).toBe(true)
    expect(asked.map(({ body }) => body)).toEqual([
      { content: [{ text: 'about cats', exact: 1.5 }] },
      { content: [{ url: 'i.png' }] },
    ])
  })

  test('of searches: two that fit, or none, are refused (spec 7 §8, case 39)', async () => {
    const { url, asked } = await fakeProvider(echo)
    const embedder = await open(fragmented(url))
    const both = await embedder.embedQuery({ text: 'cats', media: fromPlain({ image: 'i.png', size: 3 }) }, SOON())
    expect(both).toEqual(vectorError(/`image` and `wide`/))
    expect(await embedder.embedQuery({ media: fromPlain({ sound: 1 }) }, SOON())).toEqual(
      vectorError(/no search fragment fits.*"media":\{"sound":1\}/),
    )
    expect(asked).toEqual([])
  })

  test('do not tell how many dimensions there are', async () => {
    const { url } = await fakeProvider(echo)
    const opened = await new Embedders(testServices()).open('e', fragmented(url, { dimensions: undefined }))
    expect(opened).toEqual(vectorError(/give `dimensions`/))
  })

  test('are not cached, even for plain texts', async () => {
    const { url, asked } = await fakeProvider(echo)
    const embedder = await open(fragmented(url), new Embedders(testServices({ cacheEntries: 5 })))
    await embedder.embedQuery({ text: 'a' }, SOON())
    await embedder.embedQuery({ text: 'a' }, SOON())
    expect(asked.length).toBe(2)
  })

  test.each<[string, EmbedderConfig]>([
    ['another source', { source: 'userProvided', dimensions: 1 }],
    ['rest without search fragments', rest('http://127.0.0.1:1', { dimensions: 1 })],
  ])('media with %s is refused', async (_what, config) => {
    const embedded = await (await open(config)).embedQuery({ text: 'a', media: 1 }, SOON())
    expect(embedded).toEqual(vectorError(/`media` needs/))
  })
})

describe('a composite embedder', () => {
  const composite = (search: ConfigOf<'rest'>, indexing: ConfigOf<'rest'>): EmbedderConfig => ({
    source: 'composite',
    searchEmbedder: search,
    indexingEmbedder: indexing,
  })

  test('compares three texts, then sends queries to one and documents to the other', async () => {
    const search = await fakeProvider(answer)
    const indexing = await fakeProvider(answer)
    const embedder = await open(composite(rest(search.url, { dimensions: 3 }), rest(indexing.url, { dimensions: 3 })))
    await embedder.embedQuery({ text: 'query' }, SOON())
    await embedder.embedDocuments([{ text: 'document' }], signal)
    const probes = ['test', expect.any(String), expect.any(String)]
    expect(search.asked.map(({ body }) => body)).toEqual([probes, ['query']])
    expect(indexing.asked.map(({ body }) => body)).toEqual([probes, ['document']])
  })

  test('of other dimensions is refused without a call', async () => {
    const { url, asked } = await fakeProvider(answer)
    const opened = await new Embedders(testServices()).open(
      'c',
      composite(rest(url, { dimensions: 66 }), rest(url, { dimensions: 42 })),
    )
    expect(opened).toEqual(vectorError(/66 dimensions.*42/))
    expect(asked).toEqual([])
  })

  test('of two models is refused with the distance', async () => {
    const { url } = await fakeProvider(answer)
    const other = await fakeProvider(({ body }, response) =>
      say(
        response,
        (body as string[]).map(() => [0, 0, 1]),
      ),
    )
    const opened = await new Embedders(testServices()).open('c', composite(rest(url), rest(other.url)))
    expect(opened).toEqual(vectorError(/not the same model.*0\.\d+ apart, and 0\.01/))
  })

  test.each([false, true])(
    'says which part failed (failures of documents ignored: %s)',
    async (ignoresEmbedderFailures) => {
      const { url } = await fakeProvider(answer)
      const broken = await fakeProvider((_seen, response) => refuse(response, 403))
      const embedders = new Embedders(testServices({ ignoresEmbedderFailures }))
      const config = composite(rest(url, { dimensions: 3 }), rest(broken.url, { dimensions: 3 }))
      expect(await embedders.open('c', config)).toEqual(vectorError(/`indexingEmbedder`/))
    },
  )

  test('with fragments is not compared; the text of a query is its fragment', async () => {
    const search = await fakeProvider(answer)
    const indexing = await fakeProvider(answer)
    const fragments = new Map([['f', 'never rendered {{q}}']])
    const request = fromPlain(['{{fragment}}', '{{..}}'])
    const searching = rest(search.url, { dimensions: 3, request, searchFragments: fragments })
    const embedder = await open(composite(searching, rest(indexing.url, { dimensions: 3 })))
    await embedder.embedQuery({ text: 'query' }, SOON())
    expect(search.asked.map(({ body }) => body)).toEqual([['query']])
    expect(indexing.asked).toEqual([])
    expect(await embedder.embedQuery({ text: 'q', media: 1 }, SOON())).toEqual(vectorError(/`media` needs/))
  })
})

test.each([
  [[4, 3], [3, 4], 0.9800000190734863],
  [[4, 3], [0, 5], 0.800000011920929],
  [[4, 3], [-4, -3], 0],
  [[4, 3], [0, 0], 1],
])('the similarity of %j and %j is %d (spec 7 §2.1)', (a, b, similarity) => {
  expect(Math.fround(1 - cosineDistance(Float32Array.from(a), Float32Array.from(b)))).toBe(similarity)
})
