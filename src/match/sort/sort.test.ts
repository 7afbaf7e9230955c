import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Result } from '../../errors/index.js'
import { compileFieldRoles, defaultSettings, type Settings } from '../../settings/index.js'
import { checkDocumentSort, checkSearchSort, type SortTarget } from './check-sortable.js'
import { distanceOrigin, type SortKey } from './model.js'
import { parseSort, sortFromQuery } from './parse-sort.js'

function parsed(...entries: string[]): SortKey[] {
  const keys = parseSort(entries, 'invalid_search_sort')
  if (!keys.ok) throw new Error(keys.failure.message)
  return keys.value
}

function refusal(...entries: string[]): string {
  const keys = parseSort(entries, 'invalid_document_sort')
  expect(keys).toMatchObject({ ok: false, failure: { code: 'invalid_document_sort' } })
  return keys.ok ? '' : keys.failure.message
}

function target(settings: Partial<Settings>): SortTarget {
  const complete = { ...defaultSettings, ...settings }
  return { indexUid: 'shop', settings: complete, roles: compileFieldRoles(complete) }
}

const problem = (result: Result<undefined>): string | undefined => (result.ok ? undefined : result.failure.message)

describe('reading entries', () => {
  test('an entry is cut at its last colon', () => {
    expect(parsed('price:asc', 'a:b:desc')).toEqual([
      { kind: 'attribute', attribute: 'price', direction: 'asc' },
      { kind: 'attribute', attribute: 'a:b', direction: 'desc' },
    ])
  })

  test.each([
    ['_geoPoint(1,2):asc', { lat: 1, lng: 2, direction: 'asc', isPlain: true }],
    ['_geoPoint( -45.5 , 9.1967508 ):desc', { lat: -45.5, lng: 9.1967508, direction: 'desc', isPlain: true }],
    ['_geoPoint(+1,.5):asc', { lat: 1, lng: 0.5, direction: 'asc', isPlain: false }],
    ['_geoPoint(1e1,2.):asc', { lat: 10, lng: 2, direction: 'asc', isPlain: false }],
    ['_geoPoint(-90,180):asc', { lat: -90, lng: 180, direction: 'asc', isPlain: true }],
  ])('%s is a point', (entry, point) => {
    expect(parsed(entry)).toEqual([{ kind: 'geoPoint', ...point }])
  })

  test.each(['', 'title', 'title:', 'title:ASC', 'title:up', 'title asc'])('%j has no direction', (entry) => {
    expect(refusal(entry)).toContain(`${JSON.stringify(entry)} was found`)
  })

  test.each([
    '_geoPoint:asc',
    '_geoPoint():asc',
    '_geoPoint(1):asc',
    '_geoPoint(1,2,3):asc',
    '_geoPoint(a,b):asc',
    '_geoPoint(1,):desc',
    '_geoPoint(1,2:desc',
    '_geoPoint(1,2)x:desc',
    '_geoPoint(0x1,2):desc',
  ])('%s is a malformed point', (entry) => {
    const message = refusal(entry)
    expect(message).toContain('_geoPoint(lat, lng)')
    expect(message).toContain(JSON.stringify(entry.slice(0, entry.lastIndexOf(':'))))
  })

  test.each([
    ['_geoPoint(200,0):asc', '200'],
    ['_geoPoint(-90.5,0):asc', '-90.5'],
    ['_geoPoint(0,180.1):asc', '180.1'],
    ['_geoPoint(0,-1e3):asc', '-1e3'],
    ['_geoPoint(1e999,0):asc', '1e999'],
  ])('%s is out of range', (entry, value) => {
    expect(refusal(entry)).toContain(`${value} is outside`)
  })

  test.each([
    '_geo:asc',
    '_geojson:desc',
    '_geoDistance:asc',
    '_geoRadius:asc',
    '_geoRadius(1,2,3):asc',
    '_geoBoundingBox:asc',
    '_geoBoundingBox([1,2],[3,4]):asc',
    '_geoPolygon:asc',
    '_geo(1,2):asc',
    '_geoDistance(1,2):asc',
  ])('%s is reserved', (entry) => {
    expect(refusal(entry)).toMatch(/reserved name.*_geoPoint/)
  })

  test('the message names the entry by its place', () => {
    expect(refusal('a:asc', 'b')).toContain('`.sort[1]`')
  })

  test('distances are measured from the first point written plainly', () => {
    expect(
      distanceOrigin(parsed('a:asc', '_geoPoint(1e1,0):asc', '_geoPoint(2,3):desc', '_geoPoint(4,5):asc')),
    ).toEqual({
      lat: 2,
      lng: 3,
    })
    expect(distanceOrigin(parsed('a:asc'))).toBeUndefined()
  })
})

describe('the query parameter', () => {
  test.each([
    ['price:asc', ['price:asc']],
    ['a:asc, b:desc ', ['a:asc', 'b:desc']],
    ['"a:asc,b:desc"', ['a:asc', 'b:desc']],
    ['_geoPoint(1,2):asc,price:desc', ['_geoPoint(1,2):asc', 'price:desc']],
    ['price:desc, _geoPoint( 1 , 2 ):desc', ['price:desc', '_geoPoint( 1,2 ):desc']],
    ['_geoPoint(1,2,price:desc', ['_geoPoint(1,2,price:desc']],
    ['_geoPoint(1):asc,b:asc', ['_geoPoint(1):asc', 'b:asc']],
    ['', ['']],
    ['a:asc,', ['a:asc', '']],
  ])('%j gives %j', (text, entries) => {
    expect(sortFromQuery(text)).toEqual(entries)
  })

  test('entries without commas come back as they were', () => {
    const name = fc.stringMatching(/^[a-z.]{1,8}$/).map((attribute) => `${attribute}:asc`)
    const point = fc.tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -180, max: 180 }))
    const entry = fc.oneof(
      name,
      point.map(([lat, lng]) => `_geoPoint(${lat},${lng}):desc`),
    )
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
        expect(sortFromQuery(entries.join(','))).toEqual(entries)
      }),
    )
  })
})

describe('sortable attributes', () => {
  const shop = target({ sortableAttributes: ['meta', 'price'], displayedAttributes: ['price'] })

  test('an attribute is sortable when it is listed or below a listed one', () => {
    expect(checkSearchSort(parsed('price:asc', 'meta.rank:desc'), shop)).toEqual({ ok: true, value: undefined })
    expect(checkDocumentSort(parsed('price:asc', 'meta.rank:desc'), shop, false)).toEqual({
      ok: true,
      value: undefined,
    })
  })

  test('the first other attribute is named, with the sortable ones that are displayed', () => {
    const outcome = checkSearchSort(parsed('price:asc', 'metal:asc', 'title:asc'), shop)
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'invalid_search_sort' } })
    expect(problem(outcome)).toBe(
      'Index `shop`: the attribute "metal" is not sortable; sortable are `price`, `<hidden>`.',
    )
    expect(problem(checkSearchSort(parsed('title:asc'), target({})))).toContain('no sortable attributes')
  })

  test('a point needs the entry `_geo`', () => {
    const outcome = checkDocumentSort(parsed('_geoPoint(1,2):asc'), shop, true)
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'invalid_document_sort' } })
    expect(problem(outcome)).toContain('"_geo" is not sortable')
    expect(checkSearchSort(parsed('_geoPoint(1,2):asc'), target({ sortableAttributes: ['_geo'] })).ok).toBe(true)
  })

  test('listings cannot be sorted by distance when no document has a position', () => {
    const geo = target({ sortableAttributes: ['_geo'] })
    expect(checkDocumentSort(parsed('_geoPoint(1,2):asc'), geo, true).ok).toBe(true)
    expect(checkDocumentSort(parsed('_geoPoint(1,2):asc'), geo, false)).toMatchObject({
      ok: false,
      failure: { code: 'invalid_document_sort' },
    })
  })

  test('searches need the ranking rule, before anything else; listings do not', () => {
    const unruled = target({ sortableAttributes: ['price'], rankingRules: ['words'] })
    expect(problem(checkSearchSort(parsed('title:asc'), unruled))).toContain('`rankingRules` has no rule `sort`')
    expect(checkSearchSort([], unruled).ok).toBe(true)
    expect(checkDocumentSort(parsed('price:asc'), unruled, false).ok).toBe(true)
  })
})
