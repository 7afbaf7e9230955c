import { describe, expect, test } from 'vitest'
import { parseSort } from '../match/index.js'
import { defaultSettings, type RankingRule } from '../settings/index.js'
import { RankingAgreement } from './ranking-agreement.js'
import { type QueryClass, queryClass, type RankedQuery, ruleSteps } from './rule-kinds.js'

function query(queryClass: QueryClass, sort: string[] = [], more: Partial<RankedQuery> = {}): RankedQuery {
  const keys = parseSort(sort, 'invalid_search_sort')
  if (!keys.ok) throw new Error(keys.failure.message)
  const { rankingRules } = defaultSettings
  return { rankingRules, sort: keys.value, matchingStrategy: 'last', queryClass, ...more }
}

const kinds = (ranked: RankedQuery) => ruleSteps(ranked).map(({ kind }) => kind)
const byPrice: RankingRule = { attribute: 'price', direction: 'asc' }

describe('the kinds of steps', () => {
  test.each<[string, RankedQuery, string[]]>([
    ['words', query('keyword'), ['relevancy']],
    ['words and a sort', query('keyword', ['price:asc']), ['relevancy', 'asc', 'relevancy']],
    ['nothing and a sort', query('placeholder', ['price:asc']), ['asc']],
    ['nothing', query('placeholder'), []],
    ['a field named twice', query('placeholder', ['price:asc', 'price:desc', 'size:desc']), ['asc', 'desc']],
    ['two points', query('placeholder', ['_geoPoint(0,0):desc', '_geoPoint(1,1):asc', 'a:asc']), ['geo desc', 'asc']],
    ['a rule of the settings first', query('keyword', [], { rankingRules: [byPrice, 'words'] }), ['asc', 'relevancy']],
    [
      'a field of the settings that is sorted by too',
      query('keyword', ['price:desc'], { rankingRules: [byPrice, 'sort', 'words'] }),
      ['asc', 'relevancy'],
    ],
    ['`sort` twice', query('placeholder', ['a:asc'], { rankingRules: ['sort', byPrice, 'sort'] }), ['asc', 'asc']],
    [
      'words that all must match',
      query('keyword', ['a:asc'], { rankingRules: ['words', 'sort', 'typo'], matchingStrategy: 'all' }),
      ['asc', 'relevancy'],
    ],
    ['a vector', query('vector'), ['relevancy']],
    ['a vector and a sort, where the walk ends', query('vector', ['a:asc']), ['relevancy', 'asc']],
    [
      'a vector before rules of the settings',
      query('vector', [], {
        rankingRules: ['words', 'typo', byPrice, 'exactness', { attribute: 'b', direction: 'asc' }],
      }),
      ['relevancy', 'asc'],
    ],
  ])('of %s', (_name, ranked, expected) => {
    expect(kinds(ranked)).toEqual(expected)
  })
})

describe('what a query looks for', () => {
  const selection = (given: object) =>
    queryClass({ q: null, hybrid: null, vector: null, media: null, ...given } as Parameters<typeof queryClass>[0])
  const hybrid = (semanticRatio: number) => ({ hybrid: { embedder: 'e', semanticRatio } })
  test.each<[object, QueryClass]>([
    [{}, 'placeholder'],
    [{ q: '' }, 'placeholder'],
    [{ q: ' ' }, 'keyword'],
    [{ q: 'a' }, 'keyword'],
    [{ q: 'a', ...hybrid(0.5) }, 'keyword'],
    [{ q: 'a', ...hybrid(1) }, 'vector'],
    [{ q: ' ', ...hybrid(1) }, 'keyword'],
    [{ vector: [1], ...hybrid(0.1) }, 'vector'],
    [{ vector: [1], ...hybrid(0) }, 'placeholder'],
    [{ q: 'a', vector: [1], ...hybrid(0.5) }, 'keyword'],
  ])('%j is a %s', (given, expected) => {
    expect(selection(given)).toBe(expected)
  })
})

describe('agreement', () => {
  const accept = (...queries: RankedQuery[]) => {
    const agreement = new RankingAgreement()
    return queries.map((ranked, position) =>
      agreement.accept({ position, indexUid: `index-${position}`, steps: ruleSteps(ranked) }),
    )
  }

  test.each<[string, RankedQuery, RankedQuery]>([
    ['sorts of other fields in the same direction', query('placeholder', ['a:asc']), query('placeholder', ['b:asc'])],
    ['words and nothing', query('keyword'), query('placeholder')],
    ['a list and its beginning', query('keyword', ['a:asc']), query('keyword')],
  ])('%s can be merged', (_name, first, second) => {
    expect(accept(first, second)).toEqual([undefined, undefined])
  })

  test.each<[string, RankedQuery, RankedQuery, string]>([
    ['opposite directions', query('placeholder', ['a:asc']), query('placeholder', ['a:desc']), 'directions'],
    ['relevancy and a sort', query('keyword'), query('placeholder', ['a:desc']), 'relevancy cannot'],
    [
      'a sort and distances',
      query('placeholder', ['a:asc']),
      query('placeholder', ['_geoPoint(1,1):asc']),
      'distances',
    ],
  ])('%s cannot', (_name, first, second, reason) => {
    const [, refusal] = accept(first, second)
    expect(refusal?.code).toBe('invalid_multi_search_query_ranking_rules')
    for (const fact of ['`.queries[0]`', '`index-0`', '`index-1`', reason]) expect(refusal?.message).toContain(fact)
  })

  test('the longest list so far is compared with', () => {
    const [, , refusal] = accept(query('keyword', ['a:asc']), query('keyword'), query('keyword', ['a:desc']))
    expect(refusal?.message).toContain('`.queries[0]`')
    const [, , later] = accept(query('keyword'), query('keyword', ['a:asc']), query('keyword', ['a:desc']))
    expect(later?.message).toContain('`.queries[1]`')
  })
})
