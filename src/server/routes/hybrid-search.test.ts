import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer

beforeAll(async () => {
  server = await startIndexServer()
  await server.done('PATCH', '/indexes/films/settings', {
    body: { embedders: { e: { source: 'userProvided', dimensions: 2 } }, filterableAttributes: ['kind'] },
  })
  await server.add('films', [
    { id: 1, title: 'Shazam!', desc: 'a Captain Marvel ersatz', kind: 'x', _vectors: { e: [1, 3] } },
    { id: 2, title: 'Captain Planet', desc: 'not part of the Marvel universe', kind: 'y', _vectors: { e: [1, 2] } },
    { id: 3, title: 'Captain Marvel', desc: 'a Shazam ersatz', kind: 'x', _vectors: { e: [2, 3] } },
  ])
})

const search = async (body: object, index = 'films') =>
  (await server.send('POST', `/indexes/${index}/search`, { body })).json
const codeOf = (body: object, index = 'films') => server.codeOf('POST', `/indexes/${index}/search`, { body })
const idsOf = ({ hits }: { hits: { id: number }[] }) => hits.map(({ id }) => id)
const scoresOf = ({ hits }: { hits: { _rankingScore: number }[] }) => hits.map((hit) => hit._rankingScore)
const hybrid = (semanticRatio: number) => ({ embedder: 'e', semanticRatio })

/** An index of documents with one vector each. */
async function indexOf(name: string, vectors: (number[] | null)[], settings: object = {}): Promise<void> {
  const embedders = { e: { source: 'userProvided', dimensions: 2, ...settings } }
  await server.done('PATCH', `/indexes/${name}/settings`, { body: { embedders } })
  await server.add(
    name,
    vectors.map((vector, i) => ({ id: i + 1, _vectors: { e: vector } })),
  )
}

describe('by meaning alone', () => {
  test('documents come by distance, with similarity as their score', async () => {
    const found = await search({ vector: [1, 1], hybrid: hybrid(1), showRankingScore: true, retrieveVectors: true })
    expect(idsOf(found)).toEqual([3, 2, 1])
    expect(scoresOf(found)).toEqual([0.9902903437614441, 0.974341630935669, 0.9472135901451111])
    expect(found).toMatchObject({ queryVector: [1, 1], estimatedTotalHits: 3, semanticHitCount: 3 })
    expect(Object.keys(found).indexOf('queryVector')).toBe(2)
    expect(found.hits[0]._vectors).toEqual({ e: { embeddings: [[2, 3]], regenerate: false } })
  })

  test('the query vector is shown with the fewest digits', async () => {
    const found = await search({ vector: [0.1, 3e-9], hybrid: hybrid(1), retrieveVectors: true })
    expect(found.queryVector).toEqual([0.1, 3e-9])
  })

  test('words highlight nothing and restrict nothing', async () => {
    const found = await search({
      q: 'shazam -ersatz',
      vector: [1, 1],
      hybrid: hybrid(1),
      attributesToHighlight: ['*'],
      limit: 1,
    })
    expect(found).toMatchObject({ estimatedTotalHits: 3, semanticHitCount: 1, hits: [{ id: 3 }] })
    expect(JSON.stringify(found.hits[0]._formatted)).not.toContain('<em>')
  })

  test('filters and thresholds narrow what is found', async () => {
    const filtered = await search({ vector: [1, 1], hybrid: hybrid(1), filter: 'kind = x', facets: ['kind'] })
    expect(idsOf(filtered)).toEqual([3, 1])
    expect(filtered).toMatchObject({ estimatedTotalHits: 2, facetDistribution: { kind: { x: 2 } } })
    const good = await search({ vector: [1, 1], hybrid: hybrid(1), rankingScoreThreshold: 0.95 })
    expect(idsOf(good)).toEqual([3, 2])
    expect(good.estimatedTotalHits).toBe(2)
    const page = await search({ vector: [1, 1], hybrid: hybrid(1), hitsPerPage: 2, page: 2 })
    expect(page).toMatchObject({ hits: [{ id: 1 }], totalHits: 3, totalPages: 2, semanticHitCount: 1 })
  })

  test('zero vectors are nearest of all, documents without vectors come last', async () => {
    await indexOf('odd', [null, [1, 1], [0, 0]])
    const found = await search(
      { vector: [1, 0], hybrid: hybrid(1), showRankingScore: true, showRankingScoreDetails: true },
      'odd',
    )
    expect(idsOf(found)).toEqual([3, 2, 1])
    expect(found.hits[0]._rankingScore).toBe(1)
    expect(found.hits[2]).toMatchObject({
      _rankingScore: 0,
      _rankingScoreDetails: { vectorSort: { order: 0, similarity: null } },
    })
    expect(found.semanticHitCount).toBe(3)
  })

  test('the distribution of an embedder shifts its scores', async () => {
    await indexOf(
      'shifted',
      [
        [2, 3],
        [1, 2],
        [1, 3],
      ],
      { distribution: { mean: 0.998, sigma: 0.01 } },
    )
    const found = await search({ vector: [1, 1], hybrid: hybrid(1), showRankingScore: true }, 'shifted')
    expect(idsOf(found)).toEqual([1, 2, 3])
    expect(scoresOf(found)).toEqual([0.19161224365234375, 1.1920928955078125e-7, 1.1920928955078125e-7])
  })

  test('quantized vectors differ by their bits', async () => {
    await indexOf(
      'bits',
      [
        [1, 1],
        [-1, 1],
      ],
      { binaryQuantized: true },
    )
    const found = await search({ vector: [3, 4], hybrid: hybrid(1), showRankingScore: true }, 'bits')
    expect(scoresOf(found)).toEqual([1, 0.984375])
  })

  test('other ranking rules order equals, or come first where they stand first', async () => {
    const settings = { sortableAttributes: ['value'], rankingRules: ['words', 'value:asc'] }
    const embedders = { e: { source: 'userProvided', dimensions: 2 } }
    await server.done('PATCH', '/indexes/ruled/settings', { body: { ...settings, embedders } })
    await server.add('ruled', [
      { id: 1, value: 3, _vectors: { e: [1, 1] } },
      { id: 2, value: 2, _vectors: { e: [-1, 1] } },
      { id: 3, value: 1, _vectors: { e: [1, 1] } },
    ])
    const byMeaning = { vector: [1, 1], hybrid: hybrid(1) }
    expect(idsOf(await search(byMeaning, 'ruled'))).toEqual([3, 1, 2])
    await server.done('PATCH', '/indexes/ruled/settings', { body: { rankingRules: ['value:desc', 'words'] } })
    expect(idsOf(await search(byMeaning, 'ruled'))).toEqual([1, 2, 3])
    await server.done('PATCH', '/indexes/ruled/settings', { body: { rankingRules: ['value:asc'] } })
    const unordered = await search(byMeaning, 'ruled')
    expect(idsOf(unordered)).toEqual([3, 2, 1])
    expect(unordered.semanticHitCount).toBe(0)
  })
})

describe('by words and meaning', () => {
  test('the better hit comes first; each document comes once, with the score of its list', async () => {
    const mostlyWords = await search({ q: 'Captain Marvel', vector: [1, 1], hybrid: hybrid(0.2) })
    expect(idsOf(mostlyWords)).toEqual([3, 1, 2])
    expect(mostlyWords.semanticHitCount).toBe(0)
    const both = { q: 'Captain Marvel', vector: [1, 1], hybrid: hybrid(0.8), attributesToHighlight: ['desc'] }
    const mostlyMeaning = await search({ ...both, showRankingScore: true })
    expect(idsOf(mostlyMeaning)).toEqual([3, 2, 1])
    expect(mostlyMeaning.semanticHitCount).toBe(3)
    expect(mostlyMeaning.hits[2]._formatted.desc).toContain('<em>Captain</em>')
    const paged = await search({ ...both, offset: 1, limit: 1 })
    expect(paged).toMatchObject({ hits: [{ id: 2 }], semanticHitCount: 1, estimatedTotalHits: 3 })
  })

  test('good hits of words are enough', async () => {
    const found = await search({
      q: 'Captain',
      vector: [1, 1],
      hybrid: hybrid(0.5),
      limit: 1,
      retrieveVectors: true,
      showRankingScore: true,
    })
    expect(found.hits[0]._rankingScore).toBeGreaterThan(0.9)
    expect(found.semanticHitCount).toBe(0)
    expect(found).not.toHaveProperty('queryVector')
  })

  test('documents that negative words take out may come back by their meaning', async () => {
    const found = await search({ q: 'captain -planet', vector: [1, 2], hybrid: hybrid(0.8) })
    expect(idsOf(found)[0]).toBe(2)
    expect(found.estimatedTotalHits).toBe(3)
  })

  test('each value of the distinct attribute comes once', async () => {
    const found = await search({
      q: 'Captain Marvel',
      vector: [1, 1],
      hybrid: hybrid(0.5),
      distinct: 'kind',
      hitsPerPage: 5,
    })
    expect(idsOf(found)).toEqual([3, 2])
    expect(found.totalHits).toBe(2)
  })

  test('no hit is found by its meaning where no ranking rule leaves a place for it', async () => {
    await indexOf('placeless', [
      [1, 0],
      [0, 1],
    ])
    await server.done('PATCH', '/indexes/placeless/settings', { body: { rankingRules: ['sort', 'id:desc'] } })
    for (const semanticRatio of [0.5, 0.9, 1]) {
      const found = await search({ q: '2', vector: [1, 0], hybrid: hybrid(semanticRatio) }, 'placeless')
      expect([idsOf(found), found.semanticHitCount]).toEqual([[2, 1], 0])
    }
  })

  test('a query that nobody can embed is searched by its words', async () => {
    const found = await search({ q: 'Planet', hybrid: hybrid(0.99) })
    expect(found).toMatchObject({ hits: [{ id: 2 }], semanticHitCount: 0 })
  })
})

test('what nothing means is not asked for', async () => {
  const placeholder = await search({ hybrid: { embedder: 'unknown', semanticRatio: 0.5 } })
  expect(placeholder.hits).toHaveLength(3)
  expect(placeholder).not.toHaveProperty('semanticHitCount')
  const words = await search({ q: 'planet', hybrid: { embedder: 'unknown', semanticRatio: 0 }, vector: [1, 2, 3] })
  expect(idsOf(words)).toEqual([2])
})

test.each<[object, string]>([
  [{ vector: [1, 1] }, 'missing_search_hybrid'],
  [{ vector: [1, 1], media: {}, hybrid: { embedder: 'e' } }, 'invalid_search_media_and_vector'],
  [{ hybrid: {} }, 'invalid_search_hybrid_query'],
  [{ hybrid: { embedder: 'e', semanticRatio: 1.2 } }, 'invalid_search_semantic_ratio'],
  [{ q: 'a', hybrid: { embedder: 'unknown' } }, 'invalid_search_embedder'],
  [{ vector: [1, 0, 1], hybrid: { embedder: 'e' } }, 'invalid_vector_dimensions'],
  [{ vector: [], hybrid: { embedder: 'e' } }, 'invalid_vector_dimensions'],
  [{ q: 'a', hybrid: { embedder: 'e', semanticRatio: 1 } }, 'vector_embedding_error'],
  [{ media: {}, hybrid: { embedder: 'e' } }, 'feature_not_enabled'],
])('%j is %s', async (body, code) => {
  expect(await codeOf(body)).toBe(code)
})

test('vectors are hidden where the index does not display them', async () => {
  await indexOf('hidden', [[1, 1]])
  await server.done('PATCH', '/indexes/hidden/settings', { body: { displayedAttributes: ['id'] } })
  const found = await search({ vector: [1, 1], hybrid: hybrid(1), retrieveVectors: true }, 'hidden')
  expect(found.hits).toEqual([{ id: 1 }])
})

test('facet searches count what the filter lets through', async () => {
  const body = { facetName: 'kind', q: 'planet', vector: [1, 1], hybrid: hybrid(0.5) }
  const { json } = await server.send('POST', '/indexes/films/facet-search', { body })
  expect(json.facetHits).toEqual([
    { value: 'x', count: 2 },
    { value: 'y', count: 1 },
  ])
})

test('documents can be selected by the vectors they have', async () => {
  await server.send('PATCH', '/experimental-features', { body: { multimodal: true } })
  await indexOf('some', [[1, 1], null])
  await server.add('some', [{ id: 3, _vectors: { e: { regenerate: true, embeddings: [1, 2] } } }])
  await server.add('some', [{ id: 4, _vectors: { e: { regenerate: false } } }])
  const matching = async (filter: string) => idsOf(await search({ filter }, 'some'))
  expect(await matching('_vectors EXISTS')).toEqual([1, 3])
  expect(await matching('_vectors.e NOT EXISTS')).toEqual([2, 4])
  expect(await matching('_vectors.e.userProvided EXISTS')).toEqual([1, 2, 3])
  expect(await matching('_vectors.e.regenerate EXISTS')).toEqual([3])
  expect(await matching('_vectors.e.documentTemplate EXISTS')).toEqual([])
})
