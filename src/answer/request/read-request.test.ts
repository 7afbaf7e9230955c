import { describe, expect, test } from 'vitest'
import type { SearchQuery } from '../../engine/index.js'
import { type RequestKind, readRequest, searchOf } from './read-request.js'

/** What a request asks for, or the code of its refusal. */
function read(kind: RequestKind, text: string): unknown {
  const request = readRequest(kind, Buffer.from(text))
  if (!request.ok) return request.failure.code
  const { value } = request
  if (value.kind !== 'searchBody' && value.kind !== 'searchParameters') return 'search' in value ? value.search : null
  const search = searchOf(value)
  return search.ok ? search.value : search.failure.code
}

const body = (data: unknown): unknown => read('searchBody', typeof data === 'string' ? data : JSON.stringify(data))
const parameters = (text: string): unknown => read('searchParameters', text)

const DEFAULTS: SearchQuery = {
  q: null,
  offset: 0,
  limit: 20,
  page: null,
  hitsPerPage: null,
  attributesToRetrieve: null,
  attributesToCrop: null,
  cropLength: 10,
  cropMarker: '…',
  attributesToHighlight: null,
  highlightPreTag: '<em>',
  highlightPostTag: '</em>',
  showMatchesPosition: false,
  filter: null,
  sort: null,
  distinct: null,
  facets: null,
  matchingStrategy: 'last',
  attributesToSearchOn: null,
  rankingScoreThreshold: null,
  locales: null,
  hybrid: null,
  vector: null,
  media: null,
  retrieveVectors: false,
  personalize: null,
  useNetwork: null,
  showRankingScore: false,
  showRankingScoreDetails: false,
  showPerformanceDetails: false,
}

/** Name, two accepted values and what they become, values that are refused, whether null is accepted, the code. */
const PARAMETERS: readonly [name: string, accepted: unknown[], refused: unknown[], nullOk: boolean, code: string][] = [
  ['q', ['', 'a b'], [1, ['a']], true, 'invalid_search_q'],
  ['offset', [0, 7], [-1, '2', true], false, 'invalid_search_offset'],
  ['limit', [0, 7], [-1, '2', 1.5], false, 'invalid_search_limit'],
  ['page', [0, 7], [-1, '2'], true, 'invalid_search_page'],
  ['hitsPerPage', [0, 7], [-1, '2'], true, 'invalid_search_hits_per_page'],
  ['attributesToRetrieve', [[], ['a']], ['a', [1]], true, 'invalid_search_attributes_to_retrieve'],
  ['attributesToCrop', [[], ['a:3']], ['a', [1]], true, 'invalid_search_attributes_to_crop'],
  ['cropLength', [0, 7], [-1, '2'], false, 'invalid_search_crop_length'],
  ['cropMarker', ['', '--'], [1], false, 'invalid_search_crop_marker'],
  ['attributesToHighlight', [[], ['*']], ['a', [1]], true, 'invalid_search_attributes_to_highlight'],
  ['highlightPreTag', ['', '<b>'], [1], false, 'invalid_search_highlight_pre_tag'],
  ['highlightPostTag', ['', '</b>'], [1], false, 'invalid_search_highlight_post_tag'],
  ['showMatchesPosition', [true, false], ['true', 1], false, 'invalid_search_show_matches_position'],
  ['filter', ['a = 1', ['a = 1', ['b = 1']], true, 5], [], true, 'invalid_search_filter'],
  ['sort', [[], ['a:asc']], ['a:asc', [1]], true, 'invalid_search_sort'],
  ['distinct', ['', 'a'], [1, ['a']], true, 'invalid_search_distinct'],
  ['facets', [[], ['a', '*']], ['a', [1]], true, 'invalid_search_facets'],
  ['matchingStrategy', ['last', 'all', 'frequency'], ['first', 1], false, 'invalid_search_matching_strategy'],
  ['attributesToSearchOn', [[], ['a']], ['a', [1]], true, 'invalid_search_attributes_to_search_on'],
  ['rankingScoreThreshold', [0, 1, 0.5], [42, -0.1, '1'], true, 'invalid_search_ranking_score_threshold'],
  ['locales', [[], ['jpn']], ['jpn', ['klingon'], [1]], true, 'invalid_search_locales'],
  ['vector', [[], [1, 0.5]], ['1', [true]], true, 'invalid_search_vector'],
  ['media', [5, 'a'], [], true, 'invalid_search_media'],
  ['retrieveVectors', [true, false], ['true', 1], false, 'invalid_search_retrieve_vectors'],
  ['useNetwork', [true, false], ['true', 1], true, 'invalid_search_use_network'],
  ['showRankingScore', [true, false], ['true', 1], false, 'invalid_search_show_ranking_score'],
  ['showRankingScoreDetails', [true, false], ['true', 1], false, 'invalid_search_show_ranking_score_details'],
  ['showPerformanceDetails', [true, false], ['true', 1], false, 'invalid_search_show_performance_details'],
]

describe('the body of a search', () => {
  test('may be empty', () => {
    expect(body({})).toEqual(DEFAULTS)
  })

  test.each(PARAMETERS)('%s', (name, accepted, refused, nullOk, code) => {
    for (const value of accepted) expect(body({ [name]: value })).toEqual({ ...DEFAULTS, [name]: value })
    for (const value of refused) expect(body({ [name]: value })).toBe(code)
    expect(body({ [name]: null })).toEqual(nullOk ? DEFAULTS : code)
  })

  test('numbers with a fraction are no counts, even when it is zero', () => {
    expect(body('{"limit":2.0}')).toBe('invalid_search_limit')
    expect(body('{"limit":1e1}')).toBe('invalid_search_limit')
  })

  test('two-letter locales become three-letter ones', () => {
    expect(body({ locales: ['ja', 'cmn'] })).toEqual({ ...DEFAULTS, locales: ['jpn', 'cmn'] })
  })

  test.each([
    [{ embedder: 'e' }, { embedder: 'e', semanticRatio: 0.5 }],
    [
      { embedder: 'e', semanticRatio: 1 },
      { embedder: 'e', semanticRatio: 1 },
    ],
    [null, null],
  ])('hybrid %j', (hybrid, read) => {
    expect(body({ hybrid })).toEqual({ ...DEFAULTS, hybrid: read })
  })

  test.each([
    [{}, 'invalid_search_hybrid_query'],
    [{ embedder: 'e', x: 1 }, 'invalid_search_hybrid_query'],
    ['e', 'invalid_search_hybrid_query'],
    [{ embedder: 1 }, 'invalid_search_embedder'],
    [{ embedder: 'e', semanticRatio: 1.1 }, 'invalid_search_semantic_ratio'],
    [{ embedder: 'e', semanticRatio: '1' }, 'invalid_search_semantic_ratio'],
  ])('hybrid %j is %s', (hybrid, code) => {
    expect(body({ hybrid })).toBe(code)
  })

  test.each([
    [{}, 'invalid_search_personalize'],
    ['me', 'invalid_search_personalize'],
    [{ userContext: 'a', x: 1 }, 'invalid_search_personalize'],
    [{ userContext: 1 }, 'invalid_search_personalize_user_context'],
  ])('personalize %j is %s', (personalize, code) => {
    expect(body({ personalize })).toBe(code)
  })

  test('personalize with its context', () => {
    const personalize = { userContext: 'likes tea' }
    expect(body({ personalize })).toEqual({ ...DEFAULTS, personalize })
  })

  test.each([
    ['{"qq":1}', 'bad_request'],
    ['{"limit":"a","qq":1}', 'invalid_search_limit'],
    ['{"qq":1,"limit":"a"}', 'bad_request'],
    ['[]', 'bad_request'],
    ['{', 'malformed_payload'],
    ['{"q":"\uD800"}'.replace('\uD800', '\\ud800'), 'malformed_payload'],
  ])('%s is %s', (text, code) => {
    expect(body(text)).toBe(code)
  })

  test('an unknown name is answered with the known ones', () => {
    const request = readRequest('searchBody', Buffer.from('{"attributeToCrop":[]}'))
    expect(request).toMatchObject({
      failure: { message: expect.stringContaining('(did you mean `attributesToCrop`?); known are `offset`, `limit`,') },
    })
  })
})

describe('the parameters of a search', () => {
  test('may be absent', () => {
    expect(parameters('')).toEqual(DEFAULTS)
  })

  test.each([
    ['q=a+b%21', { q: 'a b!' }],
    ['q=', { q: '' }],
    ['q=a&q=b', { q: 'b' }],
    ['limit=0&offset=%2B7', { limit: 0, offset: 7 }],
    ['page=2&hitsPerPage=3', { page: 2, hitsPerPage: 3 }],
    ['attributesToRetrieve=a,,%20b&facets=', { attributesToRetrieve: ['a', ' b'], facets: [] }],
    [
      'attributesToCrop=a:3,b&cropLength=2&cropMarker=',
      { attributesToCrop: ['a:3', 'b'], cropLength: 2, cropMarker: '' },
    ],
    [
      'attributesToHighlight=*&highlightPreTag=1&highlightPostTag=2',
      { attributesToHighlight: ['*'], highlightPreTag: '1', highlightPostTag: '2' },
    ],
    ['showMatchesPosition=true&showRankingScore=false', { showMatchesPosition: true }],
    [
      'showRankingScoreDetails=true&showPerformanceDetails=true',
      { showRankingScoreDetails: true, showPerformanceDetails: true },
    ],
    ['filter=a = 1', { filter: 'a = 1' }],
    ['filter=["a = 1",["b = 1"]]', { filter: ['a = 1', ['b = 1']] }],
    ['filter=5', { filter: 5 }],
    ['sort=_geoPoint(1,2):asc,price:desc', { sort: ['_geoPoint(1,2):asc', 'price:desc'] }],
    ['sort=', { sort: [''] }],
    ['distinct=a&matchingStrategy=all', { distinct: 'a', matchingStrategy: 'all' }],
    ['attributesToSearchOn=a,*.b&locales=ja,fra', { attributesToSearchOn: ['a', '*.b'], locales: ['jpn', 'fra'] }],
    [
      'rankingScoreThreshold=0.5&retrieveVectors=true&useNetwork=false',
      { rankingScoreThreshold: 0.5, retrieveVectors: true, useNetwork: false },
    ],
    ['hybridEmbedder=e', { hybrid: { embedder: 'e', semanticRatio: 0.5 } }],
    [
      'hybridEmbedder=e&hybridSemanticRatio=1&vector=1,-2.5e1',
      { hybrid: { embedder: 'e', semanticRatio: 1 }, vector: [1, -25] },
    ],
    ['personalizeUserContext=x', { personalize: { userContext: 'x' } }],
  ])('%s', (text, given) => {
    expect(parameters(text)).toEqual({ ...DEFAULTS, ...given })
  })

  test.each([
    ['qq=1', 'bad_request'],
    ['media=1', 'bad_request'],
    ['hybrid=1', 'bad_request'],
    ['offset=a', 'invalid_search_offset'],
    ['limit=-1', 'invalid_search_limit'],
    ['limit=', 'invalid_search_limit'],
    ['page=1.0', 'invalid_search_page'],
    ['hitsPerPage=x', 'invalid_search_hits_per_page'],
    ['cropLength=x', 'invalid_search_crop_length'],
    ['showMatchesPosition=1', 'invalid_search_show_matches_position'],
    ['showRankingScore=', 'invalid_search_show_ranking_score'],
    ['showRankingScoreDetails=yes', 'invalid_search_show_ranking_score_details'],
    ['showPerformanceDetails=TRUE', 'invalid_search_show_performance_details'],
    ['matchingStrategy=first', 'invalid_search_matching_strategy'],
    ['rankingScoreThreshold=2', 'invalid_search_ranking_score_threshold'],
    ['rankingScoreThreshold=x', 'invalid_search_ranking_score_threshold'],
    ['locales=ja,xx', 'invalid_search_locales'],
    ['vector=1,a&hybridEmbedder=e', 'invalid_search_vector'],
    ['hybridEmbedder=e&hybridSemanticRatio=1.1', 'invalid_search_semantic_ratio'],
    ['retrieveVectors=1', 'invalid_search_retrieve_vectors'],
    ['useNetwork=1', 'invalid_search_use_network'],
    ['vector=1,2', 'missing_search_hybrid'],
    ['hybridSemanticRatio=0.5', 'invalid_search_hybrid_query'],
    ['hybridSemanticRatio=0.5&vector=1', 'invalid_search_hybrid_query'],
  ])('%s is %s', (text, code) => {
    expect(parameters(text)).toBe(code)
  })
})

describe('the body of a facet search', () => {
  const facet = (data: unknown) => read('facetSearch', JSON.stringify(data))

  test('needs a name only, and passes over what it does not know', () => {
    const { q, filter, matchingStrategy, attributesToSearchOn, rankingScoreThreshold, locales, hybrid, vector, media } =
      DEFAULTS
    const selection = { q, filter, matchingStrategy, attributesToSearchOn, rankingScoreThreshold, locales, hybrid }
    expect(facet({ facetName: 'genre', limit: 'x', bogus: 1 })).toEqual({
      ...selection,
      vector,
      media,
      useNetwork: null,
      facetName: 'genre',
      facetQuery: null,
      exhaustiveFacetCount: false,
    })
  })

  test.each([
    [{}, 'missing_facet_search_facet_name'],
    [{ facetName: null }, 'invalid_facet_search_facet_name'],
    [{ facetName: ['a'] }, 'invalid_facet_search_facet_name'],
    [{ facetName: 'a', facetQuery: 1 }, 'invalid_facet_search_query'],
    [{ facetName: 'a', exhaustiveFacetCount: 1 }, 'invalid_facet_search_exhaustive_facet_count'],
    [{ facetName: 'a', q: 1 }, 'invalid_search_q'],
    [{ facetName: 'a', matchingStrategy: null }, 'invalid_search_matching_strategy'],
    [{ facetName: 'a', rankingScoreThreshold: 2 }, 'invalid_search_ranking_score_threshold'],
    [{ facetName: 'a', locales: ['x'] }, 'invalid_search_locales'],
    [{ facetName: 'a', hybrid: {} }, 'invalid_search_hybrid_query'],
    [{ facetName: 'a', useNetwork: 1 }, 'invalid_search_use_network'],
  ])('%j is %s', (data, code) => {
    expect(facet(data)).toBe(code)
  })

  test('null stands for absent', () => {
    expect(facet({ facetName: 'a', facetQuery: null, exhaustiveFacetCount: null, q: null })).toMatchObject({
      facetName: 'a',
      facetQuery: null,
      exhaustiveFacetCount: false,
    })
  })
})

describe('the body of a multi-search', () => {
  const multi = (data: unknown) => read('multiSearch', JSON.stringify(data))

  test('holds queries, each with an index', () => {
    const query = { indexUid: 'a', q: 'x', offset: null, limit: 3, showPerformanceDetails: null }
    expect(multi({ queries: [query] })).toEqual({
      queries: [
        {
          indexUid: 'a',
          search: { ...DEFAULTS, q: 'x', limit: 3 },
          federationOptions: null,
          given: { offset: null, limit: 3, showPerformanceDetails: null },
        },
      ],
      federation: null,
    })
    expect(multi({ queries: [], federation: null })).toEqual({ queries: [], federation: null })
  })

  test.each([
    [{}, 'bad_request'],
    [[], 'bad_request'],
    [{ queries: null }, 'bad_request'],
    [{ queries: [], x: 1 }, 'bad_request'],
    [{ queries: [], federation: [] }, 'bad_request'],
    [{ queries: [{}] }, 'missing_index_uid'],
    [{ queries: [{ q: 'a' }] }, 'missing_index_uid'],
    [{ queries: [{ indexUid: 'hé' }] }, 'invalid_index_uid'],
    [{ queries: [{ indexUid: 1 }] }, 'invalid_index_uid'],
    [{ queries: [{ indexUid: 'a', x: 1 }] }, 'bad_request'],
    [{ queries: [{ indexUid: 'a', limit: -1 }] }, 'invalid_search_limit'],
    [{ queries: [{ indexUid: 'a', cropLength: null }] }, 'invalid_search_crop_length'],
    [{ queries: [{ indexUid: 'a', federationOptions: 1 }] }, 'bad_request'],
    [{ queries: [{ indexUid: 'a', federationOptions: { x: 1 } }] }, 'bad_request'],
    [{ queries: [{ indexUid: 'a', federationOptions: { weight: -12 } }] }, 'invalid_multi_search_weight'],
    [{ queries: [{ indexUid: 'a', federationOptions: { weight: null } }] }, 'invalid_multi_search_weight'],
    [{ queries: [{ indexUid: 'a', federationOptions: { remote: 1 } }] }, 'invalid_multi_search_remote'],
    [{ queries: [{ indexUid: 'a', federationOptions: { queryPosition: -1 } }] }, 'invalid_multi_search_query_position'],
    [{ queries: [], federation: { x: 1 } }, 'bad_request'],
    [{ queries: [], federation: { limit: -1 } }, 'invalid_search_limit'],
    [{ queries: [], federation: { limit: null } }, 'invalid_search_limit'],
    [{ queries: [], federation: { facetsByIndex: [] } }, 'invalid_multi_search_facets_by_index'],
    [{ queries: [], federation: { facetsByIndex: { 'a b': [] } } }, 'invalid_multi_search_facets_by_index'],
    [{ queries: [], federation: { facetsByIndex: { a: 'x' } } }, 'invalid_multi_search_facets_by_index'],
    [{ queries: [], federation: { mergeFacets: 1 } }, 'invalid_multi_search_merge_facets'],
    [{ queries: [], federation: { mergeFacets: { x: 1 } } }, 'invalid_multi_search_merge_facets'],
    [
      { queries: [], federation: { mergeFacets: { maxValuesPerFacet: 'a' } } },
      'invalid_multi_search_max_values_per_facet',
    ],
    [{ queries: [], federation: { showPerformanceDetails: 'true' } }, 'invalid_search_show_performance_details'],
    [{ queries: [], federation: { personalize: {} } }, 'invalid_search_personalize'],
  ])('%j is %s', (data, code) => {
    expect(multi(data)).toBe(code)
  })

  test('a federation may say everything or nothing', () => {
    expect(multi({ queries: [], federation: {} })).toMatchObject({
      federation: { limit: 20, offset: 0, page: null, hitsPerPage: null, mergeFacets: null, distinct: null },
    })
    const facetsByIndex = { a: ['x'], b: null }
    expect(multi({ queries: [], federation: { facetsByIndex, mergeFacets: {} } })).toMatchObject({
      federation: { facetsByIndex: new Map(Object.entries(facetsByIndex)), mergeFacets: { maxValuesPerFacet: null } },
    })
  })

  test('the place of a problem is named', () => {
    const text = '{"queries":[{"indexUid":"a"},{"indexUid":"b","federationOptions":{"weight":"x"}}]}'
    expect(readRequest('multiSearch', Buffer.from(text))).toMatchObject({
      failure: { message: expect.stringContaining('`.queries[1].federationOptions.weight`') },
    })
  })
})
