import { afterEach, expect, test } from 'vitest'
import { Embedders } from './embedders.js'
import { type Behaviour, cleanUp, fakeProvider, refuse, say, testServices, vectorOf } from './provider.fake.js'
import type { EmbedServices } from './services.js'

afterEach(cleanUp)

const { signal } = new AbortController()

const ollama: Behaviour = ({ path, body }, response) => {
  const { prompt, input } = body as { prompt: string; input: string[] }
  if (path === '/api/embeddings') return say(response, { embedding: vectorOf(prompt) })
  say(response, { embeddings: input.map((text) => vectorOf(text)) })
}

const open = (url: string | undefined, more: Partial<EmbedServices> = {}) =>
  new Embedders(testServices(more)).open('default', { source: 'ollama', model: 'nomic', url })

async function embed(url: string | undefined, texts: string[], more: Partial<EmbedServices> = {}) {
  const opened = await open(url, more)
  if (!opened.ok) throw new Error(opened.failure.message)
  return opened.value.embedDocuments(
    texts.map((text) => ({ text })),
    signal,
  )
}

const vectors = (...texts: string[]) => texts.map((text) => Float32Array.from(vectorOf(text)))

test('the old endpoint takes one text a request', async () => {
  const { url, asked } = await fakeProvider(ollama)
  expect(await embed(`${url}/api/embeddings`, ['a', 'bc'])).toEqual({ ok: true, value: vectors('a', 'bc') })
  expect(asked.map(({ body }) => body)).toEqual(['test', 'a', 'bc'].map((prompt) => ({ model: 'nomic', prompt })))
})

test('the new endpoint takes ten', async () => {
  const { url, asked } = await fakeProvider(ollama)
  const texts = Array.from({ length: 11 }, (_, i) => 'x'.repeat(i))
  expect(await embed(`${url}/api/embed`, texts)).toEqual({ ok: true, value: vectors(...texts) })
  expect(asked.map(({ body }) => body)).toEqual(
    [['test'], texts.slice(0, 10), texts.slice(10)].map((input) => ({ model: 'nomic', input })),
  )
})

test('the URL of the environment stands in for a missing one', async () => {
  const { url, asked } = await fakeProvider(ollama)
  await embed(undefined, ['a'], { ollamaUrl: `${url}/api/embed` })
  expect(asked.map(({ path }) => path)).toEqual(['/api/embed', '/api/embed'])
})

test.each(['/api/embedd', '/v1/embeddings', '/api/embed/'])(
  'a URL ending in %s is refused (spec 7 §8, case 11)',
  async (path) => {
    const { url, asked } = await fakeProvider(ollama)
    expect(await open(url + path)).toMatchObject({
      ok: false,
      failure: {
        code: 'vector_embedding_error',
        message: expect.stringMatching(/`\/api\/embed` or `\/api\/embeddings`.*127\.0\.0\.1/),
      },
    })
    expect(asked).toEqual([])
  },
)

test('a model that is not there is said not to be pulled', async () => {
  const { url } = await fakeProvider((_seen, response) => refuse(response, 404, '{"error":"model not found"}'))
  expect(await open(`${url}/api/embed`)).toMatchObject({
    ok: false,
    failure: { message: expect.stringMatching(/404.*`nomic` was not found; it is not pulled automatically/) },
  })
})
