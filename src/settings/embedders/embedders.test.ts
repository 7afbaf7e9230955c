import { expect, test } from 'vitest'
import { print } from '../../json/index.js'
import { defaultSettings, type Settings } from '../model.js'
import { ALL_ON, applyTo, codeOf, patchOf, receive, settingsAfter } from '../settings.fixture.js'
import { dumpView, patchDetails, settingsView, settingView } from '../view.js'
import { DEFAULT_DOCUMENT_TEMPLATE } from './model.js'

const TEMPLATE = DEFAULT_DOCUMENT_TEMPLATE
const REST = { source: 'rest', url: 'https://e.example/v1', request: '{{text}}', response: '{{embedding}}' }
const FRAGMENTS = {
  ...REST,
  dimensions: 3,
  request: '{{fragment}}',
  indexingFragments: { a: { value: '{{ doc.a }}' }, b: { value: { x: ['{{ doc.b }}'] } } },
  searchFragments: { q: { value: '{{ q }}' } },
}
const OPEN_AI = { source: 'openAi' }
const COMPOSITE = { source: 'composite', searchEmbedder: OPEN_AI, indexingEmbedder: OPEN_AI }

const received = (embedder: object | null) => receive({ embedders: { e: embedder } })
const after = (...embedders: (object | null)[]): Settings =>
  settingsAfter(...embedders.map((e) => ({ embedders: { e } })))
const outcome = (stored: object, embedder: object | null) => applyTo(after(stored), { embedders: { e: embedder } })
const shown = (settings: Settings) => JSON.parse(print(settingView(settings, 'embedders')))

const codes = (cases: readonly (readonly [object, string])[]) =>
  test.each(cases)('%o is answered with %s', (embedder, code) => {
    expect(codeOf(received(embedder))).toBe(code)
  })

// Shape (spec 4 §4.1).
codes([
  [{ source: 'nope' }, 'invalid_settings_embedders'],
  [{ x: 1 }, 'invalid_settings_embedders'],
  [{ model: 42 }, 'invalid_settings_embedders'],
  [{ dimensions: -42 }, 'invalid_settings_embedders'],
  [{ distribution: { mean: 0.5, sigma: 0 } }, 'invalid_settings_embedders'],
  [{ distribution: { mean: 0.5 } }, 'invalid_settings_embedders'],
  [{ distribution: { mean: 0.5, sigma: 0.5, x: 1 } }, 'invalid_settings_embedders'],
  [{ distribution: { mean: 1, sigma: 1 } }, 'ok'],
  [{ headers: { a: 1 } }, 'invalid_settings_embedders'],
  [{ indexingFragments: { a: {} } }, 'invalid_settings_embedders'],
  [{ indexingFragments: { a: { value: 1, more: 2 } } }, 'ok'],
  [{ searchEmbedder: { x: 1 } }, 'invalid_settings_embedders'],
])

// Fields and sources (§4.2).
codes([
  [{}, 'ok'],
  [{ source: 'openAi' }, 'ok'],
  [{ source: 'openAi', revision: '42' }, 'invalid_settings_embedders'],
  [{ source: 'openAi', revision: null }, 'invalid_settings_embedders'],
  [{ source: 'userProvided' }, 'invalid_settings_embedders'],
  [{ source: 'userProvided', dimensions: null }, 'invalid_settings_embedders'],
  [{ source: 'userProvided', dimensions: 0 }, 'invalid_settings_embedders'],
  [{ source: 'userProvided', dimensions: 1 }, 'ok'],
  [{ source: 'userProvided', dimensions: 1, documentTemplate: 'x' }, 'invalid_settings_embedders'],
  [{ source: 'ollama' }, 'invalid_settings_embedders'],
  [{ source: 'ollama', model: 'm', url: 'http://localhost/v1/embeddings' }, 'ok'],
  [{ source: 'huggingFace', dimensions: 3 }, 'invalid_settings_embedders'],
  [{ source: 'huggingFace', apiKey: 'k' }, 'invalid_settings_embedders'],
  [{ source: 'rest', url: 'http://e.example' }, 'invalid_settings_embedders'],
  [{ ...REST, response: null }, 'invalid_settings_embedders'],
  [REST, 'ok'],
  [{ source: null, revision: 'x' }, 'ok'],
])

// Models, urls and templates (§4.3, §4.4).
codes([
  [{ source: 'openAi', model: 'doggo' }, 'invalid_settings_embedders'],
  [{ source: 'openAi', model: 'text-embedding-3-small', dimensions: 2000 }, 'invalid_settings_embedders'],
  [{ source: 'openAi', model: 'text-embedding-3-small', dimensions: 512 }, 'ok'],
  [{ source: 'openAi', model: 'text-embedding-ada-002', dimensions: 512 }, 'invalid_settings_embedders'],
  [{ source: 'openAi', model: 'text-embedding-ada-002', dimensions: 1536 }, 'ok'],
  [{ source: 'openAi', dimensions: 5000 }, 'ok'],
  [{ ...REST, url: 'kefir' }, 'invalid_settings_embedders'],
  [{ documentTemplate: '{{ doc.title' }, 'invalid_settings_embedders'],
  [{ documentTemplate: '{{ title }}' }, 'ok'],
  [{ documentTemplate: 'x', documentTemplateMaxBytes: 0 }, 'invalid_settings_embedders'],
  [{ documentTemplateMaxBytes: 0 }, 'ok'],
])

// Templates of rest embedders (§4.6) and fragments (§4.7).
const rest = (request: unknown, response: unknown = '{{embedding}}') => ({ ...REST, request, response })
codes([
  [rest(42), 'vector_embedding_error'],
  [rest('54'), 'vector_embedding_error'],
  [rest('see {{text}}'), 'vector_embedding_error'],
  [rest({ a: '{{text}}', b: '{{text}}' }), 'vector_embedding_error'],
  [rest({ input: ['{{text}}', '{{..}}'] }), 'vector_embedding_error'],
  [rest({ input: ['{{text}}', '{{..}}'] }, { data: [{ e: '{{embedding}}' }, '{{..}}', 'more'] }), 'ok'],
  [rest('{{text}}', ['{{embedding}}', '{{..}}']), 'vector_embedding_error'],
  [rest({ input: ['{{..}}', '{{text}}'] }), 'vector_embedding_error'],
  [rest({ input: ['{{text}}', '42', '{{..}}'] }), 'vector_embedding_error'],
  [rest({ input: ['42', '{{..}}'] }), 'vector_embedding_error'],
  [rest({ input: '{{text}}', repeat: '{{..}}' }), 'vector_embedding_error'],
  [rest([['{{text}}', '{{..}}'], '{{..}}'], ['{{embedding}}', '{{..}}']), 'vector_embedding_error'],
  [rest({ a: ['{{text}}', '{{..}}'], b: '{{text}}' }, ['{{embedding}}', '{{..}}']), 'vector_embedding_error'],
  [rest({ b: '{{text}}', a: ['{{text}}', '{{..}}'] }, ['{{embedding}}', '{{..}}']), 'vector_embedding_error'],
  [
    rest({ a: ['{{text}}', '{{..}}'], b: ['{{text}}', '{{..}}'] }, ['{{embedding}}', '{{..}}']),
    'vector_embedding_error',
  ],
  [rest(['{{text}}', '{{..}}', '{{..}}'], ['{{embedding}}', '{{..}}']), 'vector_embedding_error'],
  [rest('{{fragment}}'), 'ok'],
  [{ request: '{{fragment}}', indexingFragments: null }, 'vector_embedding_error'],
  [FRAGMENTS, 'ok'],
  [{ ...FRAGMENTS, request: '{{text}}' }, 'vector_embedding_error'],
  [{ ...FRAGMENTS, documentTemplate: 'x' }, 'vector_embedding_error'],
  [{ indexingFragments: { a: { value: ['{{ doc.'] } } }, 'vector_embedding_error'],
])

// Composite embedders (§4.5).
codes([
  [COMPOSITE, 'ok'],
  [{ ...COMPOSITE, indexingEmbedder: {} }, 'invalid_settings_embedders'],
  [{ source: 'composite', searchEmbedder: OPEN_AI }, 'invalid_settings_embedders'],
  [{ ...COMPOSITE, searchEmbedder: { source: 'userProvided', dimensions: 3 } }, 'invalid_settings_embedders'],
  [{ ...COMPOSITE, searchEmbedder: COMPOSITE }, 'invalid_settings_embedders'],
  [{ ...COMPOSITE, searchEmbedder: { ...OPEN_AI, documentTemplate: 'x' } }, 'invalid_settings_embedders'],
  [{ ...COMPOSITE, indexingEmbedder: { ...OPEN_AI, documentTemplate: 'x' } }, 'ok'],
  [{ ...COMPOSITE, searchEmbedder: { ...OPEN_AI, binaryQuantized: true } }, 'invalid_settings_embedders'],
  [
    { ...COMPOSITE, indexingEmbedder: { ...OPEN_AI, distribution: { mean: 0, sigma: 1 } } },
    'invalid_settings_embedders',
  ],
  [{ ...COMPOSITE, dimensions: 3 }, 'invalid_settings_embedders'],
  [{ ...COMPOSITE, searchEmbedder: { ...REST, url: 'kefir' } }, 'ok'],
  [{ source: 'userProvided', dimensions: 3, searchEmbedder: OPEN_AI }, 'invalid_settings_embedders'],
])

test('a field that does not go with the source is explained', () => {
  const answer = received({
    source: 'composite',
    searchEmbedder: { ...OPEN_AI, revision: 'x' },
    indexingEmbedder: OPEN_AI,
  })
  expect(answer.ok ? '' : answer.failure.message).toMatch(
    /e\.searchEmbedder.*`revision`.*`openAi`.*`huggingFace`.*`source`, `model`, `dimensions`, `apiKey`, `url`\./,
  )
})

test('the first mandatory field that is missing is named', () => {
  const answer = received({ source: 'rest', documentTemplate: '{{doc.title}}' })
  expect(answer.ok ? '' : answer.failure.message).toMatch(/`url` is missing/)
})

test.each<[object, object]>([
  [
    {},
    { source: 'openAi', model: 'text-embedding-3-small', documentTemplate: TEMPLATE, documentTemplateMaxBytes: 400 },
  ],
  [
    { documentTemplateMaxBytes: 7 },
    { source: 'openAi', model: 'text-embedding-3-small', documentTemplate: TEMPLATE, documentTemplateMaxBytes: 400 },
  ],
  [
    { source: 'huggingFace' },
    {
      source: 'huggingFace',
      model: 'BAAI/bge-base-en-v1.5',
      revision: '617ca489d9e86b49b8167676d8220688b99db36e',
      pooling: 'useModel',
      documentTemplate: TEMPLATE,
      documentTemplateMaxBytes: 400,
    },
  ],
  [
    { source: 'huggingFace', model: 'BAAI/bge-base-en-v1.5', documentTemplate: 'x', documentTemplateMaxBytes: 7 },
    {
      source: 'huggingFace',
      model: 'BAAI/bge-base-en-v1.5',
      pooling: 'useModel',
      documentTemplate: 'x',
      documentTemplateMaxBytes: 7,
    },
  ],
  [
    { ...REST, apiKey: '0123456789abcdef', dimensions: 3 },
    {
      source: 'rest',
      apiKey: '01XXXX...',
      dimensions: 3,
      documentTemplate: TEMPLATE,
      documentTemplateMaxBytes: 400,
      url: 'https://e.example/v1',
      request: '{{text}}',
      response: '{{embedding}}',
      headers: {},
    },
  ],
  [
    FRAGMENTS,
    {
      source: 'rest',
      dimensions: 3,
      url: 'https://e.example/v1',
      indexingFragments: { a: { value: '{{ doc.a }}' }, b: { value: { x: ['{{ doc.b }}'] } } },
      searchFragments: { q: { value: '{{ q }}' } },
      request: '{{fragment}}',
      response: '{{embedding}}',
      headers: {},
    },
  ],
  [
    { source: 'userProvided', dimensions: 2, binaryQuantized: false },
    { source: 'userProvided', dimensions: 2, binaryQuantized: false },
  ],
  [
    { ...COMPOSITE, searchEmbedder: { ...OPEN_AI, apiKey: 'a long secret' } },
    {
      source: 'composite',
      searchEmbedder: { source: 'openAi', model: 'text-embedding-3-small', apiKey: 'a XXXX...' },
      indexingEmbedder: {
        source: 'openAi',
        model: 'text-embedding-3-small',
        documentTemplate: TEMPLATE,
        documentTemplateMaxBytes: 400,
      },
    },
  ],
])('%o is shown with its defaults', (sent, view) => {
  // As text, so that the order of the members counts.
  expect(JSON.stringify(shown(after(sent)).e)).toBe(JSON.stringify(view))
})

test('secrets are in clear in dumps only', () => {
  const settings = after({ apiKey: 'My super secret value you will never guess' })
  expect(print(settingsView(settings, ALL_ON))).toContain('"apiKey":"My suXXXXXX..."')
  expect(print(dumpView(settings))).toContain('never guess')
})

const PRIVATE = {
  ...REST,
  url: 'https://anna:pa55@e.example/v1?key=AIza123',
  headers: { Authorization: 'Bearer my-embedder-token', 'X-Api-Key': 'k3y', 'Custom-Header': 'CustomValue' },
}
const PRIVATE_SHOWN = {
  url: 'https://anna:XXX...@e.example/v1?key=XXX...',
  headers: { Authorization: 'Bearer myXXXX...', 'X-Api-Key': 'XXX...', 'Custom-Header': 'CustomValue' },
}
const PRIVATE_PARTS = { source: 'composite', searchEmbedder: PRIVATE, indexingEmbedder: PRIVATE }

test('headers and passwords in URLs are masked in settings and tasks, and in clear in dumps', () => {
  expect(shown(after(PRIVATE)).e).toMatchObject(PRIVATE_SHOWN)
  expect(shown(after(PRIVATE_PARTS)).e).toMatchObject({
    searchEmbedder: PRIVATE_SHOWN,
    indexingEmbedder: PRIVATE_SHOWN,
  })
  expect(JSON.parse(print(patchDetails(patchOf({ embedders: { e: PRIVATE } }))))).toMatchObject({
    embedders: { e: PRIVATE_SHOWN },
  })
  expect(JSON.parse(print(dumpView(after(PRIVATE))))).toMatchObject({ embedders: { e: PRIVATE } })
})

test('what was shown masked and is sent back stays what it was', () => {
  const clear = (...embedders: object[]) => JSON.parse(print(dumpView(after(...embedders)))).embedders.e
  expect(clear(PRIVATE, { ...PRIVATE_SHOWN, documentTemplate: 'x' })).toEqual({
    ...clear(PRIVATE),
    documentTemplate: 'x',
  })
  expect(clear(PRIVATE_PARTS, shown(after(PRIVATE_PARTS)).e)).toEqual(clear(PRIVATE_PARTS))
  const changed = clear(PRIVATE, { headers: { ...PRIVATE_SHOWN.headers, 'X-Api-Key': 'n3w' } })
  expect(changed.headers).toEqual({ ...PRIVATE.headers, 'X-Api-Key': 'n3w' })
})

test('a URL that is refused in a task does not tell its password', () => {
  const refused = outcome(COMPOSITE, { searchEmbedder: { ...REST, url: 'https://anna:pa55@e .example' } })
  expect(refused.ok ? '' : refused.failure.message).toMatch(/XXX\.\.\.@e .example/)
})

test('a change without source keeps everything else', () => {
  const changed = after({ ...REST, apiKey: 'secret', headers: { a: 'b' } }, { documentTemplate: '{{doc.title}}' })
  expect(shown(changed).e).toMatchObject({ url: REST.url, documentTemplate: '{{doc.title}}', headers: { a: 'b' } })
})

test('resetting the template resets its size', () => {
  const changed = after({ documentTemplate: 'x', documentTemplateMaxBytes: 7 }, { documentTemplate: null })
  expect(shown(changed).e).toMatchObject({ documentTemplate: TEMPLATE, documentTemplateMaxBytes: 400 })
})

test('a new source clears what belonged to the old one, and keeps template, key, distribution and quantization', () => {
  const changed = after(
    {
      ...REST,
      apiKey: 'k',
      dimensions: 3,
      headers: { a: 'b' },
      documentTemplate: 'x',
      distribution: { mean: 0.5, sigma: 0.5 },
      binaryQuantized: true,
    },
    { source: 'ollama', model: 'm' },
  )
  expect(shown(changed).e).toEqual({
    source: 'ollama',
    model: 'm',
    apiKey: 'XXX...',
    binaryQuantized: true,
    documentTemplate: 'x',
    documentTemplateMaxBytes: 400,
    distribution: { mean: 0.5, sigma: 0.5 },
  })
  expect(shown(after({ documentTemplate: 'x' }, { source: 'userProvided', dimensions: 2 })).e).toEqual({
    source: 'userProvided',
    dimensions: 2,
  })
})

test.each<[string, object, object, string]>([
  [
    'a key survives and does not go with huggingFace',
    { apiKey: 'k' },
    { source: 'huggingFace' },
    'invalid_settings_embedders',
  ],
  [
    'quantization cannot be turned off',
    { binaryQuantized: true },
    { binaryQuantized: false },
    'invalid_settings_embedders',
  ],
  ['null on a quantized embedder changes nothing', { binaryQuantized: true }, { binaryQuantized: null }, 'ok'],
  [
    'the stored model must allow the dimensions',
    { model: 'text-embedding-ada-002' },
    { dimensions: 3 },
    'invalid_settings_embedders',
  ],
  ['a size of zero on an existing embedder', {}, { documentTemplateMaxBytes: 0 }, 'invalid_settings_embedders'],
  [
    'a stored single request and a repeated response',
    REST,
    { response: ['{{embedding}}', '{{..}}'] },
    'vector_embedding_error',
  ],
  ['a fragment placeholder without fragments', REST, { request: '{{fragment}}' }, 'vector_embedding_error'],
  ['search fragments alone', FRAGMENTS, { indexingFragments: null }, 'vector_embedding_error'],
  ['a composite embedder cannot become another one', COMPOSITE, { source: 'openAi' }, 'invalid_settings_embedders'],
  [
    'a search embedder is replaced, so it needs its source',
    COMPOSITE,
    { searchEmbedder: { model: 'text-embedding-3-large' } },
    'invalid_settings_embedders',
  ],
  ['an indexing embedder is merged', COMPOSITE, { indexingEmbedder: { model: 'text-embedding-3-large' } }, 'ok'],
  ['a search embedder cannot be reset', COMPOSITE, { searchEmbedder: null }, 'invalid_settings_embedders'],
  ['null for the indexing embedder changes nothing', COMPOSITE, { indexingEmbedder: null }, 'ok'],
  [
    'what was not checked in the request is checked in the task',
    COMPOSITE,
    { searchEmbedder: { ...REST, url: 'kefir' } },
    'invalid_settings_embedders',
  ],
  ['the source reset is openAi', { source: 'ollama', model: 'm' }, { source: null }, 'ok'],
  ['a distribution alone', REST, { distribution: { mean: 0.5, sigma: 0.1 } }, 'ok'],
])('%s', (_name, stored, change, code) => {
  expect(codeOf(outcome(stored, change))).toBe(code)
})

test('fragments are changed by name', () => {
  const changed = after(FRAGMENTS, {
    indexingFragments: { b: null, c: { value: 1 } },
    searchFragments: { q: { value: 'x' } },
  })
  expect(shown(changed).e).toMatchObject({
    indexingFragments: { a: { value: '{{ doc.a }}' }, c: { value: 1 } },
    searchFragments: { q: { value: 'x' } },
  })
  const without = after(FRAGMENTS, { indexingFragments: null, searchFragments: null, request: '{{text}}' })
  expect(shown(without).e.documentTemplate).toBe(TEMPLATE)
  expect(shown(without).e).not.toHaveProperty('indexingFragments')
})

test('removing embedders, known or not', () => {
  expect(shown(settingsAfter({ embedders: { unknown: null } }))).toEqual({})
  expect(Object.keys(shown(settingsAfter({ embedders: { b: {}, a: {} } }, { embedders: { c: {}, b: null } })))).toEqual(
    ['a', 'c'],
  )
  expect(shown(settingsAfter({ embedders: { b: {}, a: {} } }, { embedders: null }))).toEqual({})
})

test('in a batch embedders are merged by name, and judged at the end', () => {
  const batch = applyTo(
    defaultSettings,
    { embedders: { a: REST, b: {} } },
    { embedders: { a: { documentTemplate: 'x' } } },
    { embedders: { b: { dimensions: 5000 } } },
    { embedders: { b: { model: 'text-embedding-3-large', dimensions: 2000 } } },
  )
  expect(batch.ok && shown(batch.value)).toMatchObject({ a: { documentTemplate: 'x' }, b: { dimensions: 2000 } })
})

test('an embedder without a name fails the task', () => {
  expect(codeOf(applyTo(defaultSettings, { embedders: { '': {} } }))).toBe('internal')
})

test('there are at most 255 embedders and 255 indexing fragments', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`e${i}`, {}]))
  expect(codeOf(applyTo(defaultSettings, { embedders: many(255) }))).toBe('ok')
  expect(codeOf(applyTo(defaultSettings, { embedders: many(256) }))).toBe('invalid_settings_embedders')
  const fragments = Object.fromEntries(Array.from({ length: 256 }, (_, i) => [`f${i}`, { value: 'x' }]))
  const embedder = { ...FRAGMENTS, indexingFragments: fragments }
  const tooMany = applyTo(defaultSettings, { embedders: { e: embedder } })
  expect(tooMany.ok ? '' : tooMany.failure.message).toMatch(/256.*255/)
})
