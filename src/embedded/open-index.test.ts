import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atEnd } from '../store/at-end.fixture.js'
import { FolderInUse } from '../store/index.js'
import { temporaryFolder } from '../store/temporary.fixture.js'
import { EngineError, type Index, type OpenOptions, openIndex } from './index.js'

interface Movie {
  id: number
  title: string
  year?: number
  genres?: string[]
  _vectors?: Record<string, number[]>
}

const MOVIES: Movie[] = [
  { id: 1, title: 'Red Fox', year: 1991, genres: ['drama'] },
  { id: 2, title: 'The Fox and the Hound', year: 1981, genres: ['family', 'drama'] },
  { id: 3, title: 'Blue Velvet', year: 1986, genres: ['thriller'] },
]

async function open(options: OpenOptions = {}, path = temporaryFolder()): Promise<Index<Movie>> {
  const index = await openIndex<Movie>(path, { primaryKey: 'id', ...options })
  atEnd(() => index.close())
  return index
}

async function opened(options: OpenOptions = {}): Promise<Index<Movie>> {
  const index = await open(options)
  await index.updateSettings({ filterableAttributes: ['year', 'genres'], sortableAttributes: ['year'] })
  await index.addDocuments(MOVIES)
  return index
}

const ids = ({ hits }: { hits: readonly Movie[] }) => hits.map(({ id }) => id)

test('documents are found as soon as they were added, with typos, filters, facets and sorting', async () => {
  const index = await opened()
  const found = await index.search({ q: 'red foks', filter: 'year > 1990', facets: ['genres'], sort: ['year:desc'] })
  expect(found.hits).toEqual([MOVIES[0]])
  expect(found.facetDistribution).toEqual({ genres: { drama: 1 } })
  expect(found.estimatedTotalHits).toBe(1)
  expect(ids(await index.search({ sort: ['year:asc'] }))).toEqual([2, 3, 1])
})

test('documents are replaced, changed in part, and deleted by id or filter', async () => {
  const index = await opened()
  await index.addDocuments([{ id: 1, title: 'Grey Wolf' }])
  expect(await index.getDocument(1)).toEqual({ id: 1, title: 'Grey Wolf' })
  await index.updateDocuments([{ id: 1, year: 2001 }])
  expect(await index.getDocument('1')).toEqual({ id: 1, title: 'Grey Wolf', year: 2001 })
  expect(await index.deleteDocuments(['1', 'unknown'])).toEqual({ deletedDocuments: 1 })
  expect(await index.deleteDocuments({ filter: 'year < 1985' })).toEqual({ deletedDocuments: 1 })
  expect(ids(await index.search())).toEqual([3])
  await index.deleteAllDocuments()
  expect((await index.getStats()).numberOfDocuments).toBe(0)
})

test('errors have the codes of the interface', async () => {
  const index = await opened()
  const failing: [string, () => Promise<unknown>][] = [
    ['invalid_search_limit', () => index.search({ limit: -1 })],
    ['invalid_search_filter', () => index.search({ filter: 'title = x' })],
    ['bad_request', () => index.search({ unknown: 1 } as object)],
    ['document_not_found', () => index.getDocument('9')],
    ['invalid_document_filter', () => index.deleteDocuments({ filter: 'title = x' })],
    ['invalid_document_filter', async () => index.documents({ filter: 'title = x' }).next()],
    ['invalid_settings_ranking_rules', () => index.updateSettings({ rankingRules: ['nonsense'] })],
    ['missing_document_id', () => index.addDocuments([{ title: 'no id' } as Movie])],
    ['invalid_document_id', () => index.addDocuments([{ id: 'a b' as never, title: 'x' }])],
    ['invalid_facet_search_facet_name', () => index.searchForFacetValues({ facetName: 'title' })],
    ['feature_not_enabled', () => index.search({ filter: 'genres CONTAINS d' })],
  ]
  for (const [code, work] of failing) {
    const error = await work().then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error, code).toBeInstanceOf(EngineError)
    expect(error.code).toBe(code)
  }
})

test('an addition is all or nothing', async () => {
  const index = await opened()
  const half = [{ id: 7, title: 'fine' }, { title: 'no id' }] as Movie[]
  await expect(index.addDocuments(half)).rejects.toThrow(EngineError)
  await expect(index.getDocument(7)).rejects.toThrow(/7/)
  const broken = (async function* () {
    yield { id: 8, title: 'fine' }
    throw new Error('the source broke off')
  })()
  await expect(index.addDocuments(broken)).rejects.toThrow('the source broke off')
  expect((await index.getStats()).numberOfDocuments).toBe(3)
  expect(await index.addDocuments([])).toEqual({ indexedDocuments: 0 })
})

test('documents of any iterable are taken, and more than memory holds go through a file that does not stay', async () => {
  const path = temporaryFolder()
  const index = await open({}, path)
  const text = 'owl '.repeat(1000)
  async function* many(): AsyncGenerator<Movie> {
    for (let id = 0; id < 6000; id++) yield { id, title: `${text}${id}` }
  }
  expect(await index.addDocuments(many())).toEqual({ indexedDocuments: 6000 })
  expect(await index.addDocuments(new Set(MOVIES))).toEqual({ indexedDocuments: 3 })
  expect((await index.search({ q: '4711' })).hits[0]?.id).toBe(4711)
  await index.close()
  expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb'])
})

test('all documents, or those that pass a filter, come one after the other, also while others are changed', async () => {
  const index = await opened()
  const all: number[] = []
  for await (const { id } of index.documents()) {
    all.push(id)
    await index.deleteDocuments([String(id)])
    await index.addDocuments([{ id: id + 10, title: 'another' }])
    if (all.length > 20) break
  }
  expect(all.slice(0, 3)).toEqual([1, 2, 3])
  const titles: object[] = []
  const again = await opened()
  for await (const document of again.documents({ filter: 'genres = drama', fields: ['title'] })) titles.push(document)
  expect(titles).toEqual([{ title: 'Red Fox' }, { title: 'The Fox and the Hound' }])
})

test('pages of documents, facet values, settings and statistics', async () => {
  const index = await opened()
  expect(await index.getDocuments({ limit: 1, sort: ['year:desc'], fields: ['id'] })).toEqual({
    results: [{ id: 1 }],
    offset: 0,
    limit: 1,
    total: 3,
  })
  const { facetHits } = await index.searchForFacetValues({ facetName: 'genres', facetQuery: 'dr' })
  expect(facetHits).toEqual([{ value: 'drama', count: 2 }])
  expect(await index.getSettings()).toMatchObject({ sortableAttributes: ['year'], stopWords: [] })
  await index.updateSettings({ sortableAttributes: null })
  expect(await index.getSettings()).toMatchObject({ sortableAttributes: [] })
  expect(await index.getStats()).toMatchObject({ primaryKey: 'id', fieldDistribution: { genres: 3, id: 3 } })
})

test('vectors of documents and queries: hybrid searches and similar documents', async () => {
  const index = await open()
  await index.updateSettings({ embedders: { own: { source: 'userProvided', dimensions: 2 } } })
  await index.addDocuments([
    { id: 1, title: 'near', _vectors: { own: [1, 0] } },
    { id: 2, title: 'far', _vectors: { own: [0, 1] } },
    { id: 3, title: 'between', _vectors: { own: [1, 1] } },
  ])
  const found = await index.search({ vector: [1, 0.1], hybrid: { embedder: 'own', semanticRatio: 1 } })
  expect(ids(found)).toEqual([1, 3, 2])
  expect(ids(await index.searchSimilarDocuments({ id: 1, embedder: 'own' }))).toEqual([3, 2])
  const missing = index.search({ q: 'near', hybrid: { embedder: 'own', semanticRatio: 1 } })
  await expect(missing).rejects.toThrow(EngineError)
  const asksModel = {
    source: 'rest',
    url: 'http://127.0.0.1:1',
    request: '{{text}}',
    response: '{{embedding}}',
    dimensions: 2,
  }
  const refused = index.updateSettings({ embedders: { model: asksModel } })
  await expect(refused).rejects.toMatchObject({ code: 'vector_embedding_error' })
  expect(await index.getSettings()).toMatchObject({ embedders: { own: { dimensions: 2 } } })
})

test('one writes at a time, others read beside it and see each change', async () => {
  const path = temporaryFolder()
  const index = await open({}, path)
  await index.addDocuments(MOVIES)
  await expect(openIndex(path)).rejects.toThrow(FolderInUse)
  const reader = await open({ readOnly: true }, path)
  expect(ids(await reader.search({ q: 'velvet' }))).toEqual([3])
  await index.deleteDocuments(['3'])
  expect(ids(await reader.search({ q: 'velvet' }))).toEqual([])
  await expect(reader.addDocuments(MOVIES)).rejects.toThrow(/readOnly/)
  await index.close()
  const next = await open({}, path)
  expect((await next.getStats()).numberOfDocuments).toBe(2)
})

test('a folder that is not there is made for a writer, and refused to a reader', async () => {
  const path = join(temporaryFolder(), 'deep', 'er')
  await expect(openIndex(path, { readOnly: true })).rejects.toThrow(`There is no index to read at ${path}`)
  const index = await open({}, path)
  expect(ids(await index.search())).toEqual([])
})

test('a folder may have a dot in its name', async () => {
  const path = join(temporaryFolder(), 'films.v2')
  const index = await open({}, path)
  await index.addDocuments(MOVIES)
  expect(readdirSync(path)).toContain('data.mdb')
  await expect(openIndex(path)).rejects.toThrow(FolderInUse)
})

test('an iteration ends with a sentence when the index is closed meanwhile', async () => {
  const index = await opened()
  const walk = index.documents()
  await walk.next()
  await index.close()
  const rest = async () => {
    while (!(await walk.next()).done);
  }
  await expect(rest()).rejects.toThrow(/closed/)
})

test('the data folder of a server is not taken for an index', async () => {
  const path = temporaryFolder()
  mkdirSync(join(path, 'indexes'))
  await expect(openIndex(path)).rejects.toThrow(`${path} is the data folder of a server`)
  expect(readdirSync(path)).toEqual(['indexes'])
})

test('a closed index says so', async () => {
  const index = await opened()
  const last = index.addDocuments([{ id: 4, title: 'last' }])
  await index.close()
  await index.close()
  expect(await last).toEqual({ indexedDocuments: 1 })
  await expect(index.search()).rejects.toThrow(/closed/)
  expect(() => index.documents()).toThrow(/closed/)
  await expect(index.addDocuments([])).rejects.toThrow(/closed/)
})

test('the primary key may come with the documents, or be found in them', async () => {
  const path = temporaryFolder()
  const index = await openIndex<{ name: string; isbn_id: string }>(path)
  atEnd(() => index.close())
  await index.addDocuments([{ name: 'a', isbn_id: 'x' }])
  expect((await index.getStats()).primaryKey).toBe('isbn_id')
  const other = await openIndex<{ name: string; key: string }>(temporaryFolder())
  atEnd(() => other.close())
  await other.addDocuments([{ name: 'a', key: 'x' }], { primaryKey: 'key' })
  expect((await other.getDocument('x')).name).toBe('a')
})
