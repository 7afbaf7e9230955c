import { beforeEach, describe, expect, test } from 'vitest'
import { indexStats } from '../index-stats.js'
import { rest, userProvided, VectorIndex } from './vector-index.fixture.js'

let index: VectorIndex

beforeEach(() => {
  index = new VectorIndex()
})

const embeddings = (...vectors: number[][]) => ({ embeddings: vectors, regenerate: false })
const generated = (...vectors: number[][]) => ({ embeddings: vectors, regenerate: true })

describe('vectors that users provide', () => {
  beforeEach(() => {
    expect(index.embed({ m: userProvided(3) })).toBeUndefined()
  })

  test('leave the document and are shown again', async () => {
    await index.add([
      { id: 0, _vectors: { m: [1, 2, 3] } },
      {
        id: 1,
        _vectors: {
          m: [
            [1, 1, 1],
            [2, 2, 2],
          ],
        },
      },
      { id: 2, _vectors: { m: { regenerate: false, embeddings: [4, 5, 6] } } },
      { id: 3, _vectors: { m: null } },
      { id: 4, _vectors: { m: [] } },
      { id: 5, _vectors: { m: { regenerate: false } } },
    ])
    expect(index.vectors('0')).toEqual({ m: embeddings([1, 2, 3]) })
    expect(index.vectors('1')).toEqual({ m: embeddings([1, 1, 1], [2, 2, 2]) })
    expect(index.vectors('2')).toEqual({ m: embeddings([4, 5, 6]) })
    for (const id of ['3', '4', '5']) expect(index.vectors(id)).toEqual({ m: embeddings() })
    expect(index.folder.document(0 as never)).toHaveLength(1)
    expect(indexStats(index.folder)).toMatchObject({ numberOfEmbeddings: 4, numberOfEmbeddedDocuments: 3 })
  })

  test('are shown as the 32-bit floats that they are stored as', async () => {
    await index.add([{ id: 0, _vectors: { m: [0.1, 0, 0] } }])
    expect(index.vectors('0')).toEqual({ m: embeddings([0.10000000149011612, 0, 0]) })
  })

  test('stay when the document is replaced without them', async () => {
    await index.add([{ id: 0, name: 'a', _vectors: { m: [1, 1, 1] } }])
    expect(await index.add([{ id: 0, name: 'b' }])).toBeUndefined()
    expect(index.vectors('0')).toEqual({ m: embeddings([1, 1, 1]) })
    expect(await index.add([{ id: 0, _vectors: { m: { regenerate: false } } }])).toBeUndefined()
    expect(index.vectors('0')).toEqual({ m: embeddings([1, 1, 1]) })
  })

  test('go with new ones, with null, with the document, and with all documents', async () => {
    await index.add([0, 1, 2].map((id) => ({ id, _vectors: { m: [1, 1, id] } })))
    await index.add([
      { id: 0, _vectors: { m: null } },
      { id: 1, _vectors: { m: [9, 9, 9] } },
    ])
    index.delete('2')
    expect(index.vectors('0')).toEqual({ m: embeddings() })
    expect(index.vectors('1')).toEqual({ m: embeddings([9, 9, 9]) })
    expect(indexStats(index.folder)).toMatchObject({ numberOfEmbeddings: 1, numberOfEmbeddedDocuments: 1 })
    index.run({ kind: 'clear', patches: [] })
    expect(indexStats(index.folder)).toMatchObject({ numberOfEmbeddings: 0, numberOfEmbeddedDocuments: 0 })
    await index.add([{ id: 7, _vectors: { m: [1, 2, 3] } }])
    expect(index.vectors('7')).toEqual({ m: embeddings([1, 2, 3]) })
  })

  test('beyond the 256th are dropped', async () => {
    const many = Array.from({ length: 300 }, (_, i) => [i, 0, 0])
    expect(await index.add([{ id: 0, _vectors: { m: many } }])).toBeUndefined()
    expect(index.vectors('0')).toEqual({ m: embeddings(...many.slice(0, 256)) })
    expect(indexStats(index.folder).numberOfEmbeddings).toBe(256)
  })

  test('that are missing fail the task, unless a later document of the batch brings them', async () => {
    const failure = await index.add([
      { id: 'a', vectors: 1 },
      { id: 'b', _vectors: {} },
    ])
    expect(failure?.code).toBe('vector_embedding_error')
    expect(failure?.message).toContain('"a" and 1 other document ')
    expect(failure?.message).toContain('`vectors`')
    expect(indexStats(index.folder).numberOfDocuments).toBe(0)
    expect(await index.add([{ id: 'd' }])).toMatchObject({ message: expect.stringContaining('`_vectors.m: null`') })
    expect(await index.add([{ id: 'e' }, { id: 'e', _vectors: { m: [1, 1, 1] } }])).toBeUndefined()
    expect(await index.add([{ id: 'f' }, { id: 'f', _vectors: { m: { regenerate: false } } }])).toBeUndefined()
  })

  test('that are missing may stand under a name much like that of the embedder', async () => {
    index.embed({ m: null, manual: userProvided(3) })
    const failure = await index.add([{ id: 'c', _vectors: { manaul: [1, 1, 1] } }])
    expect(failure?.message).toContain('`_vectors.manaul`')
    expect(failure?.message).not.toContain('null')
  })

  test('that should be generated cannot be', async () => {
    await index.add([{ id: 0, _vectors: { m: [1, 1, 1] } }])
    const failure = await index.add([{ id: 0, _vectors: { m: { regenerate: true } } }])
    expect(failure?.code).toBe('vector_embedding_error')
  })

  test.each([
    [{ embeddings: [0, 0, 0] }, 'invalid_vectors_type', '._vectors.m.regenerate'],
    [{}, 'invalid_vectors_type', '._vectors.m.regenerate'],
    [{ regenerate: 'yes' }, 'invalid_vectors_type', '._vectors.m.regenerate'],
    [{ regenerate: true, more: 1 }, 'invalid_vectors_type', '._vectors.m.more'],
    [{ regenerate: true, embeddings: true }, 'invalid_vectors_type', '._vectors.m.embeddings'],
    [{ regenerate: true, embeddings: [[true]] }, 'invalid_vectors_type', '._vectors.m.embeddings[0][0]'],
    [[0.1, [0.2]], 'invalid_vectors_type', '._vectors.m[1]'],
    [[[0.1, 0.2], 0.3], 'invalid_vectors_type', '._vectors.m[1]'],
    [[1e300, 0, 0], 'invalid_vectors_type', '._vectors.m[0]'],
    [12, 'invalid_vectors_type', '._vectors.m'],
    ['text', 'invalid_vectors_type', '._vectors.m'],
    [[1, 2], 'invalid_vector_dimensions', '._vectors.m'],
    [[[1, 2, 3], []], 'invalid_vector_dimensions', '._vectors.m[1]'],
  ])('%j is refused as %s', async (entry, code, path) => {
    const failure = await index.add([{ id: 'x1', _vectors: { m: entry } }])
    expect(failure?.code).toBe(code)
    expect(failure?.message).toContain('"x1"')
    expect(failure?.message).toContain(`\`${path}\``)
  })

  test.each([[null], [[]], [3]])('%j is no object of embedders', async (vectors) => {
    expect(await index.add([{ id: 1, _vectors: vectors }])).toMatchObject({ code: 'invalid_vectors_type' })
  })
})

test('several embedders keep their vectors apart', async () => {
  index.embed({ a: userProvided(2), b: userProvided(3) })
  const vectors = (id: number) => ({
    a: [id, 1],
    b: [
      [id, 2, 3],
      [id, 4, 5],
    ],
  })
  await index.add([3, 1, 2].map((id) => ({ id, _vectors: vectors(id) })))
  await index.add([{ id: 4, _vectors: { a: null, b: [7, 7, 7] } }])
  index.delete('1')
  expect(index.vectors('2')).toEqual({ a: embeddings([2, 1]), b: embeddings([2, 2, 3], [2, 4, 5]) })
  expect(index.vectors('4')).toEqual({ a: embeddings(), b: embeddings([7, 7, 7]) })
  expect(indexStats(index.folder)).toMatchObject({ numberOfEmbeddings: 7, numberOfEmbeddedDocuments: 3 })
  index.embed({ a: null })
  expect(index.vectors('3')).toEqual({ a: embeddings([3, 1]), b: embeddings([3, 2, 3], [3, 4, 5]) })
})

describe('names that are no embedders', () => {
  test('are checked, kept as they were sent, and merged by name', async () => {
    expect(await index.add([{ id: 1, _vectors: { a: { embeddings: [1] } } }])).toMatchObject({
      code: 'invalid_vectors_type',
    })
    expect(await index.add([{ id: 1, _vectors: { a: ['x', 1.5], b: null } }])).toBeUndefined()
    expect(index.vectors('1')).toEqual({ a: ['x', 1.5], b: [] })
    await index.add([{ id: 1, _vectors: { b: [2] } }], 'update')
    expect(index.vectors('1')).toEqual({ a: ['x', 1.5], b: [2] })
    await index.add([{ id: 1, _vectors: { c: [3] } }])
    expect(index.vectors('1')).toEqual({ c: [3] })
  })

  test('become vectors of an embedder with that name, and come back when it goes', async () => {
    await index.add([
      { id: 1, _vectors: { m: [1, 2], other: [0] } },
      { id: 2, _vectors: { m: null } },
      { id: 3, _vectors: { m: [[3, 4]] } },
    ])
    expect(index.embed({ m: userProvided(2) })).toBeUndefined()
    expect(index.vectors('1')).toEqual({ other: [0], m: embeddings([1, 2]) })
    expect(indexStats(index.folder).numberOfEmbeddings).toBe(2)
    expect(index.embed({ m: null })).toBeUndefined()
    expect(index.vectors('1')).toEqual({ other: [0], m: embeddings([1, 2]) })
    expect(index.vectors('2')).toEqual({ m: embeddings() })
    expect(indexStats(index.folder).numberOfEmbeddings).toBe(0)
    expect(index.embed({ m: userProvided(2) })).toBeUndefined()
    expect(index.vectors('3')).toEqual({ m: embeddings([3, 4]) })
    expect(index.folder.document(2 as never)).toHaveLength(1)
  })

  test('that are missing in a document keep an embedder for users from being added', async () => {
    await index.add([{ id: 1 }])
    expect(index.embed({ m: userProvided(2) })).toMatchObject({ code: 'vector_embedding_error' })
    expect(index.folder.settingsBytes()).toBeUndefined()
  })
})

describe('vectors that a model makes', () => {
  beforeEach(() => {
    expect(index.embed({ e: rest({ documentTemplate: '{{doc.name}}' }) })).toBeUndefined()
  })

  test('are made for new documents, and again only when the rendered text changes', async () => {
    await index.add([{ id: 1, name: 'ab', age: 1 }])
    expect(index.embedders.take()).toEqual(['ab'])
    expect(index.vectors('1')).toEqual({ e: generated([2, 2]) })
    await index.add([{ id: 1, name: 'ab', age: 2 }])
    expect(index.embedders.take()).toEqual([])
    await index.add([{ id: 1, name: 'abc' }], 'update')
    expect(index.embedders.take()).toEqual(['abc'])
    expect(index.vectors('1')).toEqual({ e: generated([3, 3]) })
  })

  test('are made for the last version of a document in a batch', async () => {
    await index.add([
      { id: 1, name: 'a' },
      { id: 1, name: 'ab' },
      { id: 2, name: 'x', _vectors: { e: [7, 7] } },
    ])
    expect(index.embedders.take()).toEqual(['ab'])
    expect(index.vectors('2')).toEqual({ e: embeddings([7, 7]) })
  })

  test('replace those of users when these allow it', async () => {
    await index.add([
      {
        id: 1,
        name: 'a',
        _vectors: {
          e: {
            regenerate: true,
            embeddings: [
              [5, 5],
              [6, 6],
            ],
          },
        },
      },
    ])
    expect(index.vectors('1')).toEqual({ e: generated([5, 5], [6, 6]) })
    await index.add([{ id: 1, name: 'a' }])
    expect(index.vectors('1')).toEqual({ e: generated([5, 5], [6, 6]) })
    await index.add([{ id: 1, name: 'abcd' }])
    expect(index.vectors('1')).toEqual({ e: generated([4, 4]) })
  })

  test('are made when `regenerate` turns true, and never while it is false', async () => {
    await index.add([{ id: 1, name: 'a', _vectors: { e: [5, 5] } }])
    await index.add([{ id: 1, name: 'abc' }])
    expect(index.vectors('1')).toEqual({ e: embeddings([5, 5]) })
    expect(index.embedders.take()).toEqual([])
    await index.add([{ id: 1, name: 'abc', _vectors: { e: { regenerate: true } } }])
    expect(index.vectors('1')).toEqual({ e: generated([3, 3]) })
  })

  test('fail the task when the text cannot be rendered or the model has no answer', async () => {
    expect(await index.add([{ id: 'q', other: 1 }])).toMatchObject({
      code: 'invalid_document_fields',
      message: expect.stringContaining('"q"'),
    })
    index.embedders.failure = 'the model is asleep'
    expect(await index.add([{ id: 1, name: 'a' }])).toMatchObject({ code: 'vector_embedding_error' })
    expect(indexStats(index.folder).numberOfDocuments).toBe(0)
  })

  test('are left out where failures are to be ignored', async () => {
    index.embedders.ignoresTemplateFailures = true
    expect(await index.add([{ id: 1 }])).toBeUndefined()
    index.embedders.failure = 'the model is asleep'
    index.embedders.ignoresEmbedderFailures = true
    expect(await index.add([{ id: 2, name: 'a' }])).toBeUndefined()
    expect(index.vectors('2')).toEqual({ e: generated() })
  })

  test('are asked for in parts of a large batch', async () => {
    await index.add(Array.from({ length: 1000 }, (_, id) => ({ id, name: `name ${id}` })))
    expect(new Set(index.embedders.take()).size).toBe(1000)
    expect(indexStats(index.folder).numberOfEmbeddings).toBe(1000)
  })
})

describe('templates see attributes', () => {
  beforeEach(async () => {
    // The first document decides in which order attributes are stored.
    await index.add([{ id: 0, a: 1, b: 2, c: 3 }])
    const documentTemplate = '{% for field in fields %}{{ field.name }}{{ field.value }} {% endfor %}'
    expect(index.embed({ e: rest({ documentTemplate }) })).toBeUndefined()
    expect(index.embedders.take()).toEqual(['id0 a1 b2 c3 '])
  })

  test('of a new document in the order of the sender', async () => {
    await index.add([
      { c: 6, _vectors: {}, id: 1, _geo: null, d: 7, a: 4 },
      { id: 2, a: 1 },
    ])
    expect(index.embedders.take()).toEqual(['c6 id1 d7 a4 ', 'id2 a1 '])
  })

  test('of a replaced document too', async () => {
    await index.add([{ c: 9, id: 0 }])
    expect(index.embedders.take()).toEqual(['c9 id0 '])
  })

  test('of an updated document: first those that were sent, then the others as they are stored', async () => {
    await index.add([{ d: 4, c: 9, id: 0 }], 'update')
    expect(index.embedders.take()).toEqual(['d4 c9 id0 a1 b2 '])
  })

  test('as they are stored when settings change', async () => {
    await index.add([{ c: 9, b: 8, id: 0 }], 'update')
    index.embedders.take()
    index.embed({ e: { documentTemplate: '{% for field in fields %}{{ field.name }}{% endfor %}' } })
    expect(index.embedders.take()).toEqual(['idabc'])
  })

  test('and another order alone embeds nothing again', async () => {
    await index.add([{ c: 3, b: 2, a: 1, id: 0 }])
    await index.add([{ b: 2, id: 0 }], 'update')
    expect(index.embedders.take()).toEqual([])
    await index.add([{ b: 0, id: 0 }], 'update')
    expect(index.embedders.take()).toEqual(['b0 id0 a1 c3 '])
  })
})

describe('changed settings', () => {
  test('embed documents again when the model changes, except for those that are kept', async () => {
    index.embed({ e: rest({ documentTemplate: '{{doc.name}}' }) })
    await index.add([
      { id: 1, name: 'a' },
      { id: 2, name: 'b', _vectors: { e: [5, 5] } },
    ])
    index.embedders.take()
    expect(index.embed({ e: { url: 'http://other.test/' } })).toBeUndefined()
    expect(index.embedders.take()).toEqual(['a'])
    expect(index.embed({ e: { apiKey: 'k' } })).toBeUndefined()
    expect(index.embedders.take()).toEqual([])
    expect(index.vectors('2')).toEqual({ e: embeddings([5, 5]) })
  })

  test('of the template embed what is rendered differently', async () => {
    index.embed({ e: rest({ documentTemplate: '{{doc.name}}' }) })
    await index.add([
      { id: 1, name: 'same', title: 'same' },
      { id: 2, name: 'a', title: 'title' },
    ])
    index.embedders.take()
    expect(index.embed({ e: { documentTemplate: '{{doc.title}}' } })).toBeUndefined()
    expect(index.embedders.take()).toEqual(['title'])
    expect(index.vectors('2')).toEqual({ e: generated([5, 5]) })
  })

  test('of the searchable attributes change what the default template says', async () => {
    index.embed({ e: rest() })
    await index.add([{ id: 1, name: 'kefir', tags: ['a', 'b'] }])
    expect(index.embedders.take()).toEqual(['id: 1\nname: kefir\ntags: ab\n'])
    expect(index.settings({ searchableAttributes: ['name'] })).toBeUndefined()
    expect(index.embedders.take()).toEqual(['name: kefir\n'])
  })

  test('quantize what is stored, and nothing turns that back', async () => {
    index.embed({ m: userProvided(3) })
    await index.add([{ id: 0, _vectors: { m: [-1.2, -2.3, 3.2] } }])
    expect(index.embed({ m: { binaryQuantized: true } })).toBeUndefined()
    expect(index.vectors('0')).toEqual({ m: embeddings([0, 0, 1]) })
    expect(index.embed({ m: { binaryQuantized: false } })).toMatchObject({ code: 'invalid_settings_embedders' })
    await index.add([{ id: 1, _vectors: { m: [0.5, 0, -1] } }])
    expect(index.vectors('1')).toEqual({ m: embeddings([1, 0, 0]) })
  })

  test('of the size make vectors of the old size useless', async () => {
    index.embed({ m: userProvided(3) })
    await index.add([{ id: 0, _vectors: { m: [1, 2, 3] } }])
    expect(index.embed({ m: { dimensions: 2 } })).toBeUndefined()
    expect(index.vectors('0')).toEqual({ m: embeddings() })
    expect(await index.add([{ id: 0, _vectors: { m: [1, 2] } }])).toBeUndefined()
    expect(indexStats(index.folder).numberOfEmbeddings).toBe(1)
  })

  test('that remove an embedder lose what it made', async () => {
    index.embed({ e: rest({ documentTemplate: '{{doc.name}}' }) })
    await index.add([
      { id: 1, name: 'a' },
      { id: 2, name: 'b', _vectors: { e: [5, 5] } },
    ])
    expect(index.settings({ embedders: null })).toBeUndefined()
    expect(index.vectors('1')).toEqual({})
    expect(index.vectors('2')).toEqual({ e: embeddings([5, 5]) })
  })
})

describe('fragments', () => {
  const fragmented = (indexingFragments: object) =>
    rest({
      request: '{{fragment}}',
      dimensions: 2,
      indexingFragments,
      searchFragments: { q: { value: '{{q}}' } },
    })

  beforeEach(() => {
    const fragments = { name: { value: '{{doc.name}}' }, title: { value: '{{doc.title}}' } }
    expect(index.embed({ e: fragmented(fragments) })).toBeUndefined()
  })

  test('make a vector each, where they can be rendered', async () => {
    await index.add([
      { id: 1, name: 'a', title: 'bcd' },
      { id: 2, title: 'xy' },
      { id: 3, other: 1 },
    ])
    expect(index.vectors('1')).toEqual({ e: generated([3, 3], [5, 5]) })
    expect(index.vectors('2')).toEqual({ e: generated([4, 4]) })
    expect(index.vectors('3')).toEqual({ e: generated() })
    index.embedders.take()
    await index.add([{ id: 1, title: 'bcde' }])
    expect(index.embedders.take()).toEqual(['bcde'])
    expect(index.vectors('1')).toEqual({ e: generated([6, 6]) })
  })

  test('come, change and go one by one', async () => {
    await index.add([{ id: 1, name: 'a', title: 'bcd', sub: 'ef' }])
    index.embedders.take()
    expect(index.embed({ e: { indexingFragments: { name: { value: '{{doc.sub}}' } } } })).toBeUndefined()
    expect(index.embedders.take()).toEqual(['ef'])
    expect(index.embed({ e: { indexingFragments: { name: null } } })).toBeUndefined()
    expect(index.vectors('1')).toEqual({ e: generated([5, 5]) })
    expect(index.embed({ e: { indexingFragments: { more: { value: '{{doc.name}}!' } } } })).toBeUndefined()
    expect(index.embedders.take()).toEqual(['a!'])
    expect(index.vectors('1')).toEqual({ e: generated([4, 4], [5, 5]) })
  })
})
