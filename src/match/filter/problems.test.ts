import { describe, expect, test } from 'vitest'
import type { Failure } from '../../errors/index.js'
import type { Embedder } from '../../settings/index.js'
import { evaluateFilter } from './evaluate.js'
import { FacetTwin } from './facet.twin.js'
import { checkFilterFeatures, type FilterGates, refuseForeign } from './features.js'
import { targetOf, tree } from './filters.fixture.js'
import type { FilterCode } from './parse-filter.js'
import type { FilterTarget } from './target.js'

function problem(
  filter: string,
  target: FilterTarget,
  code: FilterCode = 'invalid_search_filter',
): Failure | undefined {
  const docIds = evaluateFilter(tree(filter), target, code)
  return docIds.ok ? undefined : docIds.failure
}

const message = (filter: string, target: FilterTarget): string | undefined => problem(filter, target)?.message

const facets = new FacetTwin([{ id: 1, price: 5, cattos: 'pésti', d: { age: 2, name: 'x' }, _geo: { lat: 1, lng: 1 } }])

describe('attributes that are not filterable', () => {
  const target = targetOf(facets, ['title', { patterns: ['b*', 'a'] }, { patterns: ['off'], equality: false }])

  test('the attribute, its place and the available patterns are named', () => {
    expect(message('title = x AND  price > 2', target)).toBe(
      'Index `shop`: the attribute "price" (columns 16:21 of the filter) is not filterable; filterable are `a`, `b*`, `title`.',
    )
    expect(message('price > 2', targetOf(facets, []))).toContain('the index has no filterable attributes')
  })

  test('the last of several is named, even behind an empty operand', () => {
    expect(message('title = never AND (x = 1 OR NOT y = 2)', target)).toContain('"y"')
  })

  test('the code is that of the route', () => {
    for (const code of ['invalid_search_filter', 'invalid_document_filter', 'invalid_similar_filter'] as const) {
      expect(problem('price = 1', target, code)?.code).toBe(code)
    }
  })

  test('a plain rule covers what is below it, a pattern does not', () => {
    const pets = targetOf(facets, ['pets', { patterns: ['doggos'] }])
    expect(problem('pets.name = x', pets)).toBeUndefined()
    expect(problem('doggos = x', pets)).toBeUndefined()
    expect(message('petsy = x', pets)).toContain('"petsy"')
    expect(message('doggos.name = x', pets)).toContain('"doggos.name"')
  })

  test('the first matching rule decides, even by turning filters off', () => {
    const target = targetOf(facets, [{ patterns: ['d.a*'], equality: false }, { patterns: ['d.*'] }])
    expect(message('d.age = 1', target)).toContain('"d.age"')
    expect(problem('d.name = x', target)).toBeUndefined()
    expect(message('d EXISTS', target)).toContain('"d"')
  })
})

describe('operators that are not allowed', () => {
  const equality = targetOf(facets, ['title', { patterns: ['price', 'never'] }])
  const comparison = targetOf(facets, [{ patterns: ['cattos'], equality: false, comparison: true }])

  test.each([
    ['price > 2', '>'],
    ['price 2 TO 4', 'TO'],
    ['NOT price <= 2', '<='],
  ])('%s is refused without comparison', (filter, operator) => {
    expect(message(filter, equality)).toBe(
      `Index \`shop\`: the operator \`${operator}\` is not allowed for the attribute "price"; allowed are \`=\`, \`!=\`, \`IN\`, \`EXISTS\`, \`IS NULL\`, \`IS EMPTY\`, \`CONTAINS\`, \`STARTS WITH\`. Rule 1 of \`filterableAttributes\` decides: turn on \`features.filter.comparison\` there.`,
    )
  })

  test.each([
    ['cattos = pésti', '='],
    ['cattos != pésti', '!='],
    ['cattos IN [pésti, simba]', 'IN'],
    ['cattos NOT IN [pésti]', 'IN'],
  ])('%s is refused without equality', (filter, operator) => {
    expect(message(filter, comparison)).toContain(`the operator \`${operator}\` is not allowed`)
    expect(message(filter, comparison)).toContain('`features.filter.equality`')
  })

  test.each(['EXISTS', 'IS NULL', 'IS EMPTY', 'CONTAINS x', 'STARTS WITH x'])('%s needs either', (test) => {
    expect(problem(`cattos ${test}`, comparison)).toBeUndefined()
    expect(problem(`price ${test}`, equality)).toBeUndefined()
  })

  test('it stays a failure of the search on every route', () => {
    expect(problem('price > 2', equality, 'invalid_document_filter')?.code).toBe('invalid_search_filter')
    expect(problem('price > 2', equality, 'invalid_similar_filter')?.code).toBe('invalid_search_filter')
  })

  test('it goes unnoticed where no document has the field', () => {
    expect(problem('never > 2', equality)).toBeUndefined()
  })

  test('it goes unnoticed behind an empty operand of AND, not behind one of OR', () => {
    expect(problem('price = 77 AND price > 2', equality)).toBeUndefined()
    expect(problem('NOT (price = 77 AND price > 2)', equality)).toBeUndefined()
    expect(message('price = 5 AND price > 2', equality)).toContain('`>`')
    expect(message('price > 2 AND price = 77', equality)).toContain('`>`')
    expect(message('price = 77 OR price > 2', equality)).toContain('`>`')
    expect(message('price < 2 OR price > 2', equality)).toContain('`<`')
  })
})

describe('geo filters', () => {
  const geo = targetOf(facets, ['_geo'])
  const shapes = targetOf(facets, ['_geojson'])
  const none = targetOf(facets, ['title', { patterns: ['_geo', '_geojson', '*'] }])
  const triangle = '[0,0],[0,2],[2,2]'

  test.each([
    ['_geoRadius(100,0,1)', geo, 'the latitude 100 is outside of -90 to 90'],
    ['_geoRadius(0,200,1)', geo, 'the longitude 200 is outside of -180 to 180; did you mean -160?'],
    ['_geoRadius(0,-541,1)', geo, 'did you mean 179?'],
    ['_geoRadius(1,2,3,2)', geo, 'the resolution 2 is outside of 3 to 1000'],
    ['_geoRadius(1,2,3,1001)', shapes, 'the resolution 1001 is outside of 3 to 1000'],
    ['_geoBoundingBox([91,0],[0,0])', geo, 'the latitude 91 is outside'],
    ['_geoBoundingBox([0,0],[0,181])', geo, 'the longitude 181 is outside'],
    ['_geoBoundingBox([1,0],[2,0])', geo, 'the top latitude 1 is below the bottom latitude 2'],
    ['_geoPolygon([0,0],[0,2],[91,2])', shapes, 'the latitude 91 is outside'],
    ['_geoRadius(1,2,3)', none, '`_geoRadius` needs `_geo/_geojson` in `filterableAttributes`'],
    ['_geoBoundingBox([2,2],[1,1])', none, '`_geoBoundingBox` needs `_geo/_geojson` in `filterableAttributes`'],
    [`_geoPolygon(${triangle})`, geo, '`_geoPolygon` needs `_geojson` in `filterableAttributes`'],
    // Coordinates before filterability, but for the polygon after it.
    ['_geoRadius(100,0,1)', none, 'the latitude 100 is outside'],
    ['_geoPolygon([0,0],[0,2],[91,2])', none, '`_geoPolygon` needs `_geojson`'],
  ])('%s', (filter, target, expected) => {
    expect(problem(filter, target, 'invalid_document_filter')).toEqual({
      code: 'invalid_document_filter',
      message: expect.stringContaining(expected),
    })
  })

  test.each([
    ['_geoRadius(-90,180,1,3)', geo],
    ['_geoRadius(1,2,3,1000.9)', geo],
    ['_geoBoundingBox([1,0],[1,0])', shapes],
    [`_geoPolygon(${triangle})`, shapes],
  ])('%s is allowed', (filter, target) => {
    expect(problem(filter, target)).toBeUndefined()
  })
})

describe('names of embedders and shards', () => {
  const rest: Embedder = {
    source: 'rest',
    url: 'http://localhost',
    request: null,
    response: null,
    headers: new Map(),
    indexingFragments: new Map([['caption', 'x']]),
  }
  const embedders = new Map<string, Embedder>([
    ['manual', { source: 'userProvided', dimensions: 2 }],
    ['pictures', rest],
    ['both', { source: 'composite', searchEmbedder: rest, indexingEmbedder: rest }],
  ])
  const target = targetOf(facets, [], {
    embedders,
    shards: { names: () => ['east', 'west'], docIds: () => facets.docIds() },
  })

  test.each([
    [
      '_vectors.manuel EXISTS',
      'no embedder called "manuel" (did you mean "manual"?); known are "manual", "pictures", "both"',
    ],
    [
      '_vectors.pictures.fragments.title EXISTS',
      'no fragment of the embedder "pictures" called "title"; known are "caption"',
    ],
    ['_vectors.manual.fragments.x EXISTS', 'called "x"; there is none'],
    ['_vectors.userProvided NOT EXISTS', 'no embedder called "userProvided"'],
    ['_shard = north', 'no shard called "north"; known are "east", "west"'],
    ['_shard IN [east, eats]', 'no shard called "eats" (did you mean "east"?)'],
    ['_shard > east', 'the operator `>` is not allowed for `_shard`'],
    ['_shard EXISTS', 'the operator `EXISTS` is not allowed for `_shard`'],
  ])('%s', (filter, expected) => {
    expect(message(filter, target)).toContain(expected)
  })

  test('known names are accepted', () => {
    const filter =
      '_vectors.pictures.fragments.caption EXISTS OR _vectors.both.fragments.caption EXISTS OR _shard = west'
    expect(problem(filter, target)).toBeUndefined()
  })

  test('without a network there is no shard', () => {
    expect(problem('_shard = east', targetOf(facets, []), 'invalid_document_filter')).toMatchObject({
      code: 'invalid_search_filter',
      message: expect.stringContaining('"east"; there is none'),
    })
  })
})

describe('features', () => {
  const off: FilterGates = { containsFilter: false, foreignKeys: false, network: false, multimodal: false }
  const everything = '_vectors EXISTS OR _shard = a OR _foreign(b, c CONTAINS d)'

  test.each([
    ['a CONTAINS x', 'containsFilter', 'CONTAINS'],
    ['a != x AND NOT a CONTAINS x', 'containsFilter', 'CONTAINS'],
    ['_foreign(a, b = 1)', 'foreignKeys', '_foreign'],
    ['_shard = a', 'network', '_shard'],
    ['_vectors EXISTS', 'multimodal', '_vectors'],
  ] as const)('%s needs a feature', (filter, feature, construct) => {
    const refused = checkFilterFeatures(tree(filter), { ...off })
    expect(refused).toMatchObject({ ok: false, failure: { code: 'feature_not_enabled' } })
    expect(refused.ok ? '' : refused.failure.message).toContain(construct)
    expect(refused.ok ? '' : refused.failure.message).toContain(feature)
    expect(checkFilterFeatures(tree(filter), { ...off, [feature]: true }).ok).toBe(true)
  })

  test('they are asked for in a fixed order, inside foreign filters too', () => {
    const missing = (features: Partial<FilterGates>) => {
      const refused = checkFilterFeatures(tree(everything), { ...off, ...features })
      return refused.ok ? undefined : refused.failure.message.match(/feature `(\w+)`/)?.[1]
    }
    expect(missing({})).toBe('containsFilter')
    expect(missing({ containsFilter: true })).toBe('foreignKeys')
    expect(missing({ containsFilter: true, foreignKeys: true })).toBe('network')
    expect(missing({ containsFilter: true, foreignKeys: true, network: true })).toBe('multimodal')
    expect(missing({ containsFilter: true, foreignKeys: true, network: true, multimodal: true })).toBeUndefined()
  })

  test('STARTS WITH and everything else needs none', () => {
    expect(checkFilterFeatures(tree('a STARTS WITH x AND b > 1 OR _geoRadius(1,2,3)'), off).ok).toBe(true)
  })

  test('routes that cannot join refuse foreign filters with their own code', () => {
    expect(refuseForeign(tree('a = 1 AND NOT _foreign(b, c = 1)'), 'invalid_document_filter')).toMatchObject({
      ok: false,
      failure: { code: 'invalid_document_filter' },
    })
    expect(refuseForeign(tree('a = 1'), 'invalid_document_filter').ok).toBe(true)
  })
})
