import { afterEach, expect, test } from 'vitest'
import type { ConfigOf } from './config.js'
import { Embedders } from './embedders.js'
import { type Pooling, pool, poolingOf } from './pooling.js'
import { type Behaviour, cleanUp, fakeProvider, refuse, say, testServices } from './provider.fake.js'
import type { Transformers } from './transformers.js'

afterEach(cleanUp)

const { signal } = new AbortController()
const config: ConfigOf<'huggingFace'> = { source: 'huggingFace', model: 'org/model', pooling: 'useModel' }

/** A model whose tokens are words: the vector of each is its length and its place. */
function transformers(remoteHost: string, loaded: unknown[] = []): Transformers {
  return {
    env: { remoteHost },
    pipeline: async (_task, model, options) => {
      loaded.push([model, options])
      return async (text) => {
        if (text === 'broken') throw new Error('the model has no idea')
        const words = text.split(' ')
        return { data: words.flatMap((word, i) => [word.length, i]), dims: [1, words.length, 2] }
      }
    },
  }
}

async function open(
  more: Partial<ConfigOf<'huggingFace'>> = {},
  hub: Behaviour = (_seen, response) => refuse(response, 404),
) {
  const { url, asked } = await fakeProvider(hub)
  const loaded: unknown[] = []
  const services = testServices({ loadTransformers: async () => transformers(`${url}/`, loaded) })
  const opened = await new Embedders(services).open('hf', { ...config, ...more })
  if (!opened.ok) throw new Error(opened.failure.message)
  return { embedder: opened.value, asked, loaded }
}

test('without the optional package the failure says what is missing', async () => {
  expect(await new Embedders(testServices()).open('hf', config)).toMatchObject({
    ok: false,
    failure: { code: 'vector_embedding_error', message: expect.stringContaining('`@huggingface/transformers`') },
  })
})

test('the model embeds one text after the other, with the mean of its tokens by default', async () => {
  const { embedder, asked, loaded } = await open({ revision: 'abc' })
  expect(embedder.dimensions).toBe(2)
  expect(await embedder.embedDocuments([{ text: 'a' }, { text: 'one three' }], signal)).toEqual({
    ok: true,
    value: [Float32Array.of(1, 0), Float32Array.of(4, 0.5)],
  })
  expect(await embedder.embedQuery({ text: 'ab' }, 0)).toEqual({ ok: true, value: Float32Array.of(2, 0) })
  expect(asked.map(({ path }) => path)).toEqual(['/org/model/resolve/abc/1_Pooling/config.json'])
  expect(loaded).toEqual([['org/model', { revision: 'abc', dtype: 'fp32' }]])
})

test('the file of the model chooses the pooling', async () => {
  const { embedder } = await open({}, (_seen, response) => say(response, { pooling_mode_lasttoken: true }))
  expect(await embedder.embedQuery({ text: 'one three' }, 0)).toEqual({ ok: true, value: Float32Array.of(5, 1) })
})

test('a forced pooling needs no file', async () => {
  const { embedder, asked } = await open({ pooling: 'forceCls' })
  expect(await embedder.embedQuery({ text: 'one three' }, 0)).toEqual({ ok: true, value: Float32Array.of(3, 0) })
  expect(asked).toEqual([])
})

test('a hub that refuses keeps the embedder from opening', async () => {
  await expect(open({}, (_seen, response) => refuse(response, 403))).rejects.toThrow(/could not be loaded.*status 403/)
})

test('what the model cannot do is a failure of the embedder', async () => {
  const { embedder } = await open()
  expect(await embedder.embedDocuments([{ text: 'broken' }], signal)).toMatchObject({
    ok: false,
    failure: { code: 'vector_embedding_error', message: 'Embedder `hf`: the model has no idea.' },
  })
})

test('the first flag that is set counts', () => {
  expect(poolingOf({ pooling_mode_max_tokens: true, pooling_mode_mean_tokens: true })).toBe('mean')
  expect(poolingOf({ pooling_mode_cls_token: false, pooling_mode_mean_sqrt_len_tokens: true })).toBe('mean-sqrt')
  expect(poolingOf({ pooling_mode_cls_token: 'yes' })).toBe('mean')
  expect(poolingOf(null)).toBe('mean')
})

test.each<[Pooling, number[]]>([
  ['cls', [1, 8]],
  ['last', [3, 4]],
  ['mean', [4, 5]],
  ['mean-sqrt', [8, 10]],
  ['max', [7, 8]],
])('%s of four tokens', (pooling, expected) => {
  expect([...pool({ data: [1, 8, 7, 6, 5, 2, 3, 4], dims: [1, 4, 2] }, pooling)]).toEqual(expected)
})
