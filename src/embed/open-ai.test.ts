import { afterEach, expect, test } from 'vitest'
import { Tokenizer } from './byte-pairs.js'
import type { ConfigOf } from './config.js'
import { Embedders } from './embedders.js'
import { type Behaviour, cleanUp, fakeProvider, refuse, say, testServices, vectorOf } from './provider.fake.js'
import type { EmbedServices } from './services.js'

afterEach(cleanUp)

const { signal } = new AbortController()

/** A provider that refuses texts of more than eight thousand words, as the models do with tokens. */
const openAi: Behaviour = ({ body }, response) => {
  const { input } = body as { input: (string | number)[] }
  const isTooLong = input.some((text) => typeof text === 'string' && text.split(' ').length > 8_191)
  if (isTooLong) return refuse(response, 400, 'maximum context length')
  const texts = input.every((text) => typeof text === 'number') ? ['tokens'] : input.map(String)
  // `index` would put them in another order; it does not count.
  say(response, { data: texts.map((text, i) => ({ index: -i, embedding: vectorOf(text, 4) })), model: 'x' })
}

/** A token is a letter with the space before it, or another byte. */
const tokenizer = new Tokenizer(
  new Map([...Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)), ' w'].map((token, i) => [token, i])),
)

const config = (url: string, more: Partial<ConfigOf<'openAi'>> = {}): ConfigOf<'openAi'> => ({
  source: 'openAi',
  model: 'text-embedding-3-large',
  dimensions: 4,
  url,
  ...more,
})

async function embed(embedder: ConfigOf<'openAi'>, texts: string[], more: Partial<EmbedServices> = {}) {
  const services = testServices({ loadTokenizer: async () => tokenizer, ...more })
  const opened = await new Embedders(services).open('default', embedder)
  if (!opened.ok) throw new Error(opened.failure.message)
  return opened.value.embedDocuments(
    texts.map((text) => ({ text })),
    signal,
  )
}

test('texts are sent in a list and vectors are read in the order of the answer', async () => {
  const { url, asked } = await fakeProvider(openAi)
  const embedded = await embed(config(url), ['one', 'seven'])
  expect(embedded).toEqual({ ok: true, value: ['one', 'seven'].map((text) => Float32Array.from(vectorOf(text, 4))) })
  expect(asked.map(({ body }) => body)).toEqual([
    { model: 'text-embedding-3-large', input: ['one', 'seven'], dimensions: 4 },
  ])
})

test('dimensions are sent only when they are set, and never to the oldest model (spec 7 §8, case 9)', async () => {
  const { url, asked } = await fakeProvider(openAi)
  await embed(config(url, { dimensions: 512 }), ['a'])
  await embed(config(url, { dimensions: undefined }), ['a'])
  await embed(config(url, { model: 'text-embedding-ada-002', dimensions: 1536 }), ['a'])
  expect(asked.map(({ body }) => (body as { dimensions?: number }).dimensions)).toEqual([512, undefined, undefined])
})

test.each([
  ['text-embedding-ada-002', 1536],
  ['text-embedding-3-small', 1536],
  ['text-embedding-3-large', 3072],
])('%s has %i dimensions, without a call', async (model, dimensions) => {
  const opened = await new Embedders(testServices()).open('e', { source: 'openAi', model })
  expect(opened.ok && opened.value.dimensions).toBe(dimensions)
})

test('the key of the embedder goes before that of the environment; an empty one is none', async () => {
  const { url, asked } = await fakeProvider(openAi)
  await embed(config(url, { apiKey: 'own' }), ['a'], { openAiApiKey: 'of-all' })
  await embed(config(url), ['a'], { openAiApiKey: 'of-all' })
  await embed(config(url, { apiKey: '' }), ['a'], { openAiApiKey: 'of-all' })
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer own', 'Bearer of-all', undefined])
})

test('a refused batch is sent again text by text, a long one as tokens (spec 7 §8, case 10)', async () => {
  const { url, asked } = await fakeProvider(openAi)
  const long = ' w'.repeat(10_000)
  const embedded = await embed(config(url), ['one', long, 'three'])
  expect(embedded).toEqual({
    ok: true,
    value: ['one', 'tokens', 'three'].map((text) => Float32Array.from(vectorOf(text, 4))),
  })
  expect(asked.map(({ body }) => (body as { input: unknown }).input)).toEqual([
    ['one', long, 'three'],
    ['one'],
    Array(8_191).fill(256),
    ['three'],
  ])
})

test('without a tokenizer the provider has the last word about a long text', async () => {
  const { url, asked } = await fakeProvider(openAi)
  const embedded = await embed(config(url), ['one', ' w'.repeat(10_000)], { loadTokenizer: async () => undefined })
  expect(embedded).toMatchObject({ ok: false, failure: { code: 'vector_embedding_error' } })
  expect(asked.length).toBe(3)
})

test('a second refusal is final', async () => {
  const { url, asked } = await fakeProvider((_seen, response) => refuse(response, 400, 'no'))
  expect((await embed(config(url), ['one', 'two'])).ok).toBe(false)
  expect(asked.length).toBe(2)
})
