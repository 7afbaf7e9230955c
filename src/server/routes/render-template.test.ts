import { beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_DOCUMENT_TEMPLATE } from '../../settings/index.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer
const allFeatures = { renderRoute: true, chatCompletions: true, multimodal: true, compositeEmbedders: true }

const rest = {
  source: 'rest',
  url: 'http://127.0.0.1:9',
  dimensions: 3,
  request: '{{text}}',
  response: { data: '{{embedding}}' },
}
const fragments = {
  indexingFragments: { pet: { value: { text: '{{ doc.name }}!', list: ['{{ doc.name }}', 1] } } },
  searchFragments: { 'by [q]': { value: 'find {{ q }} {{ media.breed }}' } },
}
const fragmented = { ...rest, request: '{{fragment}}', ...fragments }

beforeAll(async () => {
  server = await startIndexServer()
  await turn(allFeatures)
  await server.add('dogs', [{ id: 'a', name: 'kefir', hidden: 'no', _geo: { lat: 1, lng: 2 }, tags: null }])
  const updated = await server.done('PATCH', '/indexes/dogs/settings', {
    body: { searchableAttributes: ['name', 'tags'], chat: { documentTemplate: 'chat {{ doc.name }}' } },
  })
  expect(updated.status).toBe('succeeded')
  const embedders = {
    plain: { ...rest, documentTemplate: 'A dog called {{ doc.name }}' },
    usual: rest,
    'of "parts"': fragmented,
    own: { source: 'userProvided', dimensions: 3 },
    both: {
      source: 'composite',
      searchEmbedder: { ...rest, dimensions: 3 },
      indexingEmbedder: { ...rest, documentTemplate: 'both {{ doc.name }}' },
    },
  }
  const embedded = await server.done('PATCH', '/indexes/vectors/settings', { body: { embedders } })
  expect(embedded.error).toBeNull()
})

const turn = (features: object) => server.send('PATCH', '/experimental-features', { body: features })
const render = (body: object, key?: string) => server.send('POST', '/render-template', { body, ...(key && { key }) })
const codeOf = async (body: object) => (await render(body)).json.code
const inlineDocument = (inline: unknown) => ({ kind: 'inlineDocument', inline })
const inlineTemplate = (inline: unknown) => ({ kind: 'inlineDocumentTemplate', inline })

test('the route needs its feature, which is asked for after the shape of the body', async () => {
  await turn({ renderRoute: false })
  expect(await codeOf({ template: { kind: 'documentTemplate', indexUid: 'dogs' } })).toBe('feature_not_enabled')
  expect(await codeOf({})).toBe('bad_request')
  await turn(allFeatures)
})

test.each<[object, string]>([
  [{}, 'bad_request'],
  [{ template: inlineTemplate('x'), more: 1 }, 'bad_request'],
  [{ template: null }, 'invalid_render_template'],
  [{ template: {} }, 'invalid_render_template'],
  [{ template: { kind: 'bad' } }, 'invalid_render_template'],
  [{ template: { ...inlineTemplate('x'), more: 1 } }, 'invalid_render_template'],
  [{ template: { kind: 'documentTemplate', indexUid: 1 } }, 'invalid_render_template'],
  [{ template: { ...inlineTemplate('x'), documentTemplateMaxBytes: 0 } }, 'invalid_render_template'],
  [{ template: { kind: 'documentTemplate' } }, 'invalid_render_template'],
  [{ template: { kind: 'documentTemplate', embedder: 'plain' } }, 'invalid_render_template'],
  [
    { template: { kind: 'documentTemplate', indexUid: 'missing', embedder: 'plain', fragment: 'x' } },
    'invalid_render_template',
  ],
  [
    { template: { kind: 'documentTemplate', indexUid: 'missing', embedder: 'plain', inline: 'x' } },
    'invalid_render_template',
  ],
  [{ template: { kind: 'documentTemplate', indexUid: 'missing', embedder: 'plain' } }, 'index_not_found'],
  [{ template: { kind: 'documentTemplate', indexUid: 'vectors', embedder: 'other' } }, 'invalid_render_template'],
  [{ template: { kind: 'documentTemplate', indexUid: 'vectors', embedder: 'own' } }, 'invalid_render_template'],
  [{ template: { kind: 'documentTemplate', indexUid: 'vectors', embedder: 'of "parts"' } }, 'invalid_render_template'],
  [{ template: { kind: 'chatDocumentTemplate' } }, 'invalid_render_template'],
  [{ template: { kind: 'chatDocumentTemplate', indexUid: 'dogs', embedder: 'x' } }, 'invalid_render_template'],
  [{ template: { kind: 'indexingFragment', indexUid: 'vectors', embedder: 'plain' } }, 'invalid_render_template'],
  [
    { template: { kind: 'indexingFragment', indexUid: 'vectors', embedder: 'plain', fragment: 'pet' } },
    'invalid_render_template',
  ],
  [
    { template: { kind: 'searchFragment', indexUid: 'vectors', embedder: 'of "parts"', fragment: 'pet' } },
    'invalid_render_template',
  ],
  [{ template: { kind: 'inlineFragment' } }, 'invalid_render_template'],
  [{ template: { kind: 'inlineFragment', inline: 1, documentTemplateMaxBytes: 4 } }, 'invalid_render_template'],
  [{ template: { ...inlineTemplate('x'), indexUid: 'dogs' } }, 'invalid_render_template'],
  [{ template: { ...inlineTemplate('x'), embedder: 'x' } }, 'invalid_render_template'],
  [{ template: { ...inlineTemplate('x'), fragment: 'x' } }, 'invalid_render_template'],
  [{ template: inlineTemplate(null) }, 'invalid_render_template'],
  [{ template: inlineTemplate({}) }, 'invalid_render_template'],
  [{ template: inlineTemplate('{{ doc.name') }, 'template_parsing_error'],
  [{ template: { kind: 'inlineFragment', inline: { a: ['{{ x'] } } }, 'template_parsing_error'],
  [{ template: inlineTemplate('x'), input: {} }, 'invalid_render_input'],
  [{ template: inlineTemplate('x'), input: 3 }, 'invalid_render_input'],
  [{ template: inlineTemplate('x'), input: { kind: 'bad' } }, 'invalid_render_input'],
  [{ template: inlineTemplate('x'), input: inlineDocument(null) }, 'invalid_render_input'],
  [{ template: inlineTemplate('x'), input: inlineDocument('text') }, 'invalid_render_input'],
  [{ template: inlineTemplate('x'), input: { ...inlineDocument({}), id: 'a' } }, 'invalid_render_input'],
  [{ template: inlineTemplate('x'), input: { kind: 'indexDocument', id: 'a' } }, 'invalid_render_input'],
  [{ template: inlineTemplate('x'), input: { kind: 'indexDocument', indexUid: 'dogs' } }, 'invalid_render_input'],
  [
    { template: inlineTemplate('x'), input: { kind: 'indexDocument', indexUid: 'dogs', id: 'a', inline: {} } },
    'invalid_render_input',
  ],
  [
    { template: inlineTemplate('x'), input: { kind: 'indexDocument', indexUid: 'missing', id: 'a' } },
    'index_not_found',
  ],
  [
    { template: inlineTemplate('x'), input: { kind: 'indexDocument', indexUid: 'dogs', id: 'b' } },
    'render_document_not_found',
  ],
  [{ template: inlineTemplate('x'), input: { kind: 'inlineSearch', inline: 'text' } }, 'invalid_render_input'],
  [{ template: inlineTemplate('x'), input: { kind: 'inlineSearch', inline: { q: 1 } } }, 'invalid_render_input'],
  [{ template: inlineTemplate('x'), input: { kind: 'inlineSearch', inline: { q: 'x' } } }, 'template_rendering_error'],
  [{ template: inlineTemplate('{{ doc.breed }}'), input: inlineDocument({ name: 'a' }) }, 'template_rendering_error'],
  // The template comes first.
  [{ template: inlineTemplate('{{'), input: inlineDocument(null) }, 'template_parsing_error'],
])('%j is refused with %s', async (body, code) => {
  expect(await codeOf(body)).toBe(code)
})

test('the document that is not found has its own status', async () => {
  const input = { kind: 'indexDocument', indexUid: 'dogs', id: 'b' }
  expect((await render({ template: inlineTemplate('x'), input })).status).toBe(404)
})

test.each([
  ['chatDocumentTemplate', { indexUid: 'dogs' }, 'chatCompletions'],
  ['indexingFragment', { indexUid: 'vectors', embedder: 'of "parts"', fragment: 'pet' }, 'multimodal'],
  ['searchFragment', { indexUid: 'vectors', embedder: 'of "parts"', fragment: 'by [q]' }, 'multimodal'],
  ['inlineFragment', { inline: 'x' }, 'multimodal'],
])('the kind %s needs its own feature', async (kind, parameters, feature) => {
  const template = { kind, ...parameters }
  expect((await render({ template })).status).toBe(200)
  await turn({ [feature]: false })
  expect(await codeOf({ template })).toBe('feature_not_enabled')
  expect(await codeOf({ template: { kind } })).toBe('feature_not_enabled')
  await turn(allFeatures)
})

describe('rendering', () => {
  const indexDocument = { kind: 'indexDocument', indexUid: 'dogs', id: 'a' }
  const rendered = async (template: object, input?: object) => {
    const answer = await render({ template, ...(input && { input }) })
    return answer.status === 200 ? answer.json : answer.json.message
  }

  test('without an input only the template is shown', async () => {
    expect((await render({ template: inlineTemplate('{{ doc.x }}') })).text).toBe(
      '{"template":"{{ doc.x }}","rendered":null}',
    )
    expect(await rendered({ kind: 'chatDocumentTemplate', indexUid: 'dogs' }, undefined)).toEqual({
      template: 'chat {{ doc.name }}',
      rendered: null,
    })
  })

  test('a template of the request with a document of the request', async () => {
    const template = '{{ doc.name }} is a {{ doc.breed.name }} of {{ doc.weight }} kg'
    const input = inlineDocument({ name: 'iko', breed: { name: 'jack russell' }, weight: 7.5 })
    expect(await rendered(inlineTemplate(template), input)).toEqual({
      template,
      rendered: 'iko is a jack russell of 7.5 kg',
    })
  })

  test('the usual template shows the searchable fields; all of them are in a document of the request', async () => {
    const usual = { kind: 'documentTemplate', indexUid: 'vectors', embedder: 'usual' }
    expect(await rendered(usual, inlineDocument({ name: 'iko', breed: 'jr', nothing: null }))).toEqual({
      template: DEFAULT_DOCUMENT_TEMPLATE,
      rendered: 'name: iko\nbreed: jr\n',
    })
    expect(await rendered(usual, indexDocument)).toMatchObject({ rendered: 'name: kefir\n' })
  })

  test('templates of embedders and of the chat are found by name', async () => {
    const named = (embedder: string) => ({ kind: 'documentTemplate', indexUid: 'vectors', embedder })
    expect(await rendered(named('plain'), indexDocument)).toMatchObject({ rendered: 'A dog called kefir' })
    expect(await rendered(named('both'), indexDocument)).toMatchObject({ rendered: 'both kefir' })
    expect(await rendered({ kind: 'chatDocumentTemplate', indexUid: 'dogs' }, indexDocument)).toMatchObject({
      rendered: 'chat kefir',
    })
  })

  test('the text is not cut at the size that is named', async () => {
    const long = 'x'.repeat(1000)
    const template = { ...inlineTemplate('{{ doc.t }}'), documentTemplateMaxBytes: 5 }
    expect(await rendered(template, inlineDocument({ t: long }))).toMatchObject({ rendered: long })
  })

  test('every string of a fragment is rendered', async () => {
    const parts = (kind: string, fragment: string) => ({ kind, indexUid: 'vectors', embedder: 'of "parts"', fragment })
    expect(await rendered(parts('indexingFragment', 'pet'), indexDocument)).toEqual({
      template: fragments.indexingFragments.pet.value,
      rendered: { text: 'kefir!', list: ['kefir', 1] },
    })
    const search = { kind: 'inlineSearch', inline: { q: 'a dog', media: { breed: 'jr' }, limit: 3 } }
    expect(await rendered(parts('searchFragment', 'by [q]'), search)).toEqual({
      template: 'find {{ q }} {{ media.breed }}',
      rendered: 'find a dog jr',
    })
    const inline = { kind: 'inlineFragment', inline: { a: '{{ q }}', b: [1.5, null, '{{ media }}'] } }
    expect(await rendered(inline, search)).toMatchObject({ rendered: { a: 'a dog', b: [1.5, null, 'breedjr'] } })
  })

  test('fragments see the document, but neither its list of fields nor a search that is not given', async () => {
    const inline = (text: string) => ({ kind: 'inlineFragment', inline: text })
    expect(await rendered(inline('{{ doc.name }}'), indexDocument)).toMatchObject({ rendered: 'kefir' })
    for (const [text, input] of [
      ['{{ fields.size }}', indexDocument],
      ['{{ q }}', indexDocument],
      ['{{ q }}', { kind: 'inlineSearch', inline: { q: null } }],
      ['{{ doc.name }}', { kind: 'inlineSearch', inline: { q: 'x' } }],
    ] as const) {
      expect(await codeOf({ template: inline(text), input })).toBe('template_rendering_error')
    }
  })

  test('reserved attributes are no part of the document', async () => {
    expect(await codeOf({ template: inlineTemplate('{{ doc._geo.lat }}'), input: indexDocument })).toBe(
      'template_rendering_error',
    )
  })
})

test('a key must open every index that is named, and hold both permissions', async () => {
  const keyFor = async (actions: string[]) => {
    const body = { actions, indexes: ['vectors'], expiresAt: null }
    return (await server.send('POST', '/keys', { body })).json.key as string
  }
  const key = await keyFor(['settings.get', 'documents.get'])
  const template = { kind: 'documentTemplate', indexUid: 'vectors', embedder: 'plain' }
  const input = { kind: 'indexDocument', indexUid: 'dogs', id: 'a' }
  expect((await render({ template }, key)).status).toBe(200)
  expect((await render({ template, input }, key)).json.code).toBe('invalid_api_key')
  expect((await render({ template: { kind: 'chatDocumentTemplate', indexUid: 'dogs' } }, key)).status).toBe(403)
  expect((await render({ template: { ...template, indexUid: 'missing' } }, key)).json.code).toBe('invalid_api_key')
  expect((await render({ template }, await keyFor(['settings.get']))).status).toBe(403)
  expect((await render({ template }, await keyFor(['documents.get']))).status).toBe(403)
})
