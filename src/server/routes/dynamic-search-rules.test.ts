import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RuleStore } from '../../state/index.js'
import { LocalStateLog } from '../../store/index.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer

const PIN = { selector: { id: '3' }, action: { type: 'pin', position: 0 } }

beforeAll(async () => {
  server = await startIndexServer()
  await server.done('PATCH', '/indexes/books/settings', {
    body: { filterableAttributes: ['color', 'kind'], sortableAttributes: ['id'] },
  })
  await server.add('books', [
    { id: 1, title: 'Dune', color: 'red', kind: 'a' },
    { id: 2, title: 'Dune Messiah', color: 'blue', kind: 'a' },
    { id: 3, title: 'Emma', color: 'green', kind: 'a' },
  ])
})

beforeEach(async () => {
  await server.context.features.change({ dynamicSearchRules: true })
  for (const { uid } of server.context.rules.list()) await server.context.rules.delete(uid)
})

const path = (uid: string) => `/dynamic-search-rules/${uid}`
const patch = (uid: string, body: unknown) => server.send('PATCH', path(uid), { body: body as object })
const list = async (body: object = {}) => (await server.send('POST', '/dynamic-search-rules', { body })).json
const search = async (body: object) => (await server.send('POST', '/indexes/books/search', { body })).json
const ids = async (body: object): Promise<number[]> => (await search(body)).hits.map(({ id }: { id: number }) => id)

describe('the routes', () => {
  test('need their feature, after the body was read', async () => {
    await server.context.features.change({ dynamicSearchRules: false })
    const codes = [
      await server.codeOf('POST', '/dynamic-search-rules', { body: {} }),
      await server.codeOf('GET', path('a')),
      await server.codeOf('PATCH', path('a'), { body: { actions: [PIN] } }),
      await server.codeOf('DELETE', path('a')),
      await server.codeOf('PATCH', path('a'), { body: { active: 1 } }),
    ]
    expect(codes).toEqual([...Array(4).fill('feature_not_enabled'), 'invalid_dynamic_search_rule_active'])
  })

  test('store a rule, show it with its members in order, and forget it', async () => {
    const conditions = [
      { scope: 'query', contains: 'summer', isEmpty: null, more: 1 },
      { scope: 'time', start: '2026-06-01T00:00:00+00:00', end: '2026-06-30T23:59:59.500+02:00' },
    ]
    const actions = [{ selector: { id: '42', indexUid: 'products' }, action: { position: 7, type: 'pin' } }]
    const made = await patch('june', { actions, conditions, priority: 10, description: 'June' })
    expect([made.status, made.text]).toEqual([
      201,
      '{"uid":"june","description":"June","priority":10,"active":true,"conditions":[{"scope":"query","contains":"summer"},' +
        '{"scope":"time","start":"2026-06-01T00:00:00Z","end":"2026-06-30T23:59:59.5+02:00"}],"actions":' +
        '[{"selector":{"indexUid":"products","id":"42"},"action":{"type":"pin","position":7}}]}',
    ])
    expect((await server.send('GET', path('june'))).json).toEqual(made.json)
    const stored = new RuleStore(new LocalStateLog(server.context.systemEnvironment)).list()
    expect(stored).toEqual(server.context.rules.list())
    const deleted = await server.send('DELETE', path('june'))
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect(await server.codeOf('DELETE', path('june'))).toBe('dynamic_search_rule_not_found')
    expect((await server.send('DELETE', '/dynamic-search-rules')).status).toBe(405)
  })

  test('a patch changes what is given; null resets', async () => {
    await patch('a', { actions: [PIN], conditions: [{ scope: 'query', isEmpty: true }], priority: 1, active: false })
    expect((await patch('a', {})).json).toMatchObject({ priority: 1, active: false })
    const reset = await patch('a', { priority: null, active: null, conditions: null, description: null })
    expect([reset.status, reset.text]).toEqual([
      200,
      '{"uid":"a","active":true,"conditions":[],"actions":[{"selector":{"id":"3"},"action":{"type":"pin","position":0}}]}',
    ])
  })

  test.each([
    [{}, 'invalid_dynamic_search_rule_actions'],
    [{ actions: [] }, 'invalid_dynamic_search_rule_actions'],
    [{ actions: null }, 'invalid_dynamic_search_rule_actions'],
    [{ actions: [{ ...PIN, selector: { id: 3 } }] }, 'invalid_dynamic_search_rule_actions'],
    [{ actions: [{ selector: {}, action: { type: 'pin', position: -1 } }] }, 'invalid_dynamic_search_rule_actions'],
    [{ actions: [{ selector: {}, action: { type: 'hide', position: 1 } }] }, 'invalid_dynamic_search_rule_actions'],
    [{ actions: [{ selector: {} }] }, 'invalid_dynamic_search_rule_actions'],
    [{ conditions: [{ scope: 'query', isEmpty: true, contains: 'a' }] }, 'bad_request'],
    [{ conditions: [{ scope: 'query' }] }, 'bad_request'],
    [{ conditions: [{ scope: 'time', start: '2026-01-02T00:00:00Z', end: '2026-01-01T00:00:00Z' }] }, 'bad_request'],
    [{ conditions: [{ scope: 'time', start: 'soon' }] }, 'invalid_dynamic_search_rule_conditions'],
    [{ conditions: [{ scope: 'place' }] }, 'invalid_dynamic_search_rule_conditions'],
    [{ conditions: [{}] }, 'invalid_dynamic_search_rule_conditions'],
    [{ conditions: {} }, 'invalid_dynamic_search_rule_conditions'],
    [{ priority: '1' }, 'invalid_dynamic_search_rule_priority'],
    [{ priority: -1 }, 'invalid_dynamic_search_rule_priority'],
    [{ description: 1 }, 'invalid_dynamic_search_rule_description'],
    [{ active: 1 }, 'invalid_dynamic_search_rule_active'],
    [{ uid: 'x' }, 'bad_request'],
  ])('%j is refused with %s, and nothing is stored', async (body, code) => {
    expect(await server.codeOf('PATCH', path('new'), { body })).toBe(code)
    expect(await server.codeOf('GET', path('new'))).toBe('dynamic_search_rule_not_found')
  })

  test('the list is in the order of uids, and can be filtered and cut', async () => {
    for (const uid of ['promo-b', 'other', 'promo-a']) await patch(uid, { actions: [PIN], active: uid !== 'promo-b' })
    const uids = async (body: object) => (await list(body)).results.map(({ uid }: { uid: string }) => uid)
    expect(await uids({})).toEqual(['other', 'promo-a', 'promo-b'])
    expect(await uids({ filter: { attributePatterns: ['promo*'] } })).toEqual(['promo-a', 'promo-b'])
    expect(await uids({ filter: { attributePatterns: [] } })).toEqual([])
    expect(await uids({ filter: { attributePatterns: ['promo*'], active: false } })).toEqual(['promo-b'])
    expect(await list({ offset: 1, limit: 1, filter: null })).toMatchObject({ offset: 1, limit: 1, total: 3 })
    expect(await uids({ offset: 1, limit: 1 })).toEqual(['promo-a'])
  })

  test.each([
    [{ filter: { attributePatterns: 'promo*' } }, 'invalid_dynamic_search_rule_filter_attribute_patterns'],
    [{ filter: { active: 1 } }, 'invalid_dynamic_search_rule_filter_active'],
    [{ filter: { x: 1 } }, 'invalid_dynamic_search_rule_filter'],
    [{ filter: 1 }, 'invalid_dynamic_search_rule_filter'],
    [{ limit: 'a' }, 'invalid_dynamic_search_rule_limit'],
    [{ offset: -1 }, 'invalid_dynamic_search_rule_offset'],
    [{ x: 1 }, 'bad_request'],
  ])('a list with %j is refused with %s', async (body, code) => {
    expect(await server.codeOf('POST', '/dynamic-search-rules', { body })).toBe(code)
  })

  test('a malformed uid is not found', async () => {
    expect(await server.codeOf('PATCH', path('a.b'), { body: { actions: [PIN] } })).toBe(
      'dynamic_search_rule_not_found',
    )
  })
})

describe('searches', () => {
  test('show pinned documents whether they match or not, but not against the filter', async () => {
    await patch('emma', { actions: [PIN] })
    expect(await ids({ q: 'dune' })).toEqual([3, 1, 2])
    expect(await ids({ q: 'dune', filter: 'color != green' })).toEqual([1, 2])
    expect(await ids({ q: 'dune', offset: 1, limit: 1 })).toEqual([1])
    expect(await ids({ sort: ['id:desc'] })).toEqual([3, 2, 1])
    expect(await ids({ q: 'dune', rankingScoreThreshold: 0.99 })).toContain(3)
    await server.context.features.change({ dynamicSearchRules: false })
    expect(await ids({ q: 'dune' })).toEqual([1, 2])
  })

  test('count pins in totals and facets, and give them the best score', async () => {
    await patch('emma', { actions: [{ ...PIN, action: { type: 'pin', position: 1 } }] })
    const found = await search({ q: 'dune', facets: ['color'], showRankingScore: true, showRankingScoreDetails: true })
    expect(found.estimatedTotalHits).toBe(3)
    expect(found.facetDistribution).toEqual({ color: { blue: 1, green: 1, red: 1 } })
    expect(found.hits[1]).toMatchObject({ _rankingScore: 1, _rankingScoreDetails: { pin: { order: 0, position: 1 } } })
    expect(found.hits[0]._rankingScoreDetails.words).toBeDefined()
    const paged = await search({ q: 'dune', hitsPerPage: 2 })
    expect([paged.totalHits, paged.totalPages, paged.hits.length]).toEqual([3, 2, 2])
  })

  test('pins take no distinct value away, but count like others where totals are exact', async () => {
    await patch('emma', { actions: [PIN] })
    expect(await ids({ q: 'dune', distinct: 'kind' })).toEqual([3, 1])
    expect((await search({ q: 'dune', distinct: 'kind', page: 1 })).totalHits).toBe(1)
  })

  test('the next search sees a change', async () => {
    await patch('emma', { actions: [PIN], conditions: [{ scope: 'query', contains: 'DUNE' }] })
    expect(await ids({ q: 'Dune' })).toEqual([3, 1, 2])
    await patch('emma', { active: false })
    expect(await ids({ q: 'Dune' })).toEqual([1, 2])
  })
})
