import { expect, test } from 'vitest'
import type { Config } from './config.js'
import { configOf, launch } from './launch.fixture.js'

test.each([
  ['EXPERIMENTAL_REMOTE_SEARCH_TIMEOUT_SECONDS', '7', (c: Config) => c.outgoing.remoteSearchTimeoutMs, 7000],
  ['EXPERIMENTAL_PROXY_CONNECT_TIMEOUT_SECONDS', '7', (c: Config) => c.outgoing.proxyConnectTimeoutMs, 7000],
  ['EXPERIMENTAL_PROXY_BACKOFF_TIMEOUT_SECONDS', '7', (c: Config) => c.outgoing.proxyBackoffTimeoutMs, 7000],
  ['EXPERIMENTAL_PROXY_REQUEST_TIMEOUT_SECONDS', '7', (c: Config) => c.outgoing.proxyRequestTimeoutMs, 7000],
  ['EXPERIMENTAL_REST_EMBEDDER_TIMEOUT_SECONDS', '7', (c: Config) => c.embedding.requestTimeoutMs, 7000],
  ['EXPERIMENTAL_REST_EMBEDDER_MAX_RETRY_DURATION_SECONDS', '0', (c: Config) => c.embedding.maxRetryMs, 0],
  ['EXPERIMENTAL_HNSW_LINEAR_BELOW', '12', (c: Config) => c.search.exhaustiveVectorsBelow, 12],
  ['EXPERIMENTAL_HNSW_LINEAR_BELOW_RATIO', '0.25', (c: Config) => c.search.exhaustiveVectorsBelowRatio, 0.25],
  ['OPENAI_API_KEY', 'k', (c: Config) => c.embedding.openAiApiKey, 'k'],
  ['OLLAMA_URL', 'http://o', (c: Config) => c.embedding.ollamaUrl, 'http://o'],
] as const)('%s is read with both prefixes', async (name, text, pick, expected) => {
  expect(pick(await configOf({ env: { [`FINDLING_${name}`]: text } }))).toBe(expected)
  expect(pick(await configOf({ env: { [`MEILI_${name}`]: text } }))).toBe(expected)
})

test('failures of embedders that are ignored are a comma list', async () => {
  const name = 'MEILI_EXPERIMENTAL_CONFIG_EMBEDDER_FAILURE_MODES'
  const modes = 'ignore_embedder_failures, ignore_document_template_failures'
  const both = { ignoresTemplateFailures: true, ignoresEmbedderFailures: true }
  expect((await configOf({ env: { [name]: modes } })).embedding).toMatchObject(both)
  expect(await launch({ env: { [name]: 'ignore_everything' } })).toMatchObject({ kind: 'refuse', exitCode: 2 })
})

test('the key of OpenAI is read with a prefix first, then without, and an empty one is none', async () => {
  const key = async (env: Record<string, string>) => (await configOf({ env })).embedding.openAiApiKey
  expect(await key({ OPENAI_API_KEY: 'bare' })).toBe('bare')
  expect(await key({ OPENAI_API_KEY: 'bare', MEILI_OPENAI_API_KEY: 'prefixed' })).toBe('prefixed')
  expect(await key({ MEILI_OPENAI_API_KEY: '' })).toBeNull()
})

test.each([
  'EXPERIMENTAL_PROXY_CONNECT_TIMEOUT_SECONDS',
  'EXPERIMENTAL_HNSW_LINEAR_BELOW',
  'EXPERIMENTAL_HNSW_LINEAR_BELOW_RATIO',
])('%s must be a number', async (name) => {
  expect(await launch({ env: { [`MEILI_${name}`]: 'soon' } })).toMatchObject({ kind: 'refuse', exitCode: 2 })
})

test.each(['EXPERIMENTAL_INDEX_MAX_READERS', 'SERVER_PROVIDER'])('%s is accepted and ignored', async (name) => {
  expect(await configOf({ env: { [`MEILI_${name}`]: 'whatever' } })).toEqual(await configOf({}))
})
