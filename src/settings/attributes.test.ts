import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileFieldRoles, isGeoEnabled, isGeoJsonEnabled, isSearched, keepsValues } from './attributes.js'
import { matchesName, matchesPattern, NameList, PatternList } from './matchers.js'
import { defaultSettings } from './model.js'
import { settingsAfter } from './settings.fixture.js'

test.each([
  ['a', 'a', true],
  ['a', 'a.b', true],
  ['a', 'a.b.c', true],
  ['a', 'ab', false],
  ['a.b', 'a', false],
  ['*', 'a', false],
  ['*', '*', true],
])('the name %s covers %s: %s', (name, field, isCovered) => {
  expect(matchesName(name, field)).toBe(isCovered)
})

test.each([
  ['*', 'a.b', true],
  ['*b*', 'abc', true],
  ['*b', 'a.b', true],
  ['*b', 'bc', false],
  ['a*', 'a.b', true],
  ['a*', 'ba', false],
  ['a', 'a', true],
  ['a', 'a.b', false],
  ['a*b', 'axb', false],
  ['a*b', 'a*b', true],
  ['**', 'anything', true],
])('the pattern %s matches %s: %s', (pattern, field, isMatch) => {
  expect(matchesPattern(pattern, field)).toBe(isMatch)
})

const field = fc
  .array(fc.constantFrom('a', 'b', 'ab', ''), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('.'))
const pattern = fc.tuple(fc.constantFrom('', '*'), field, fc.constantFrom('', '*')).map((parts) => parts.join(''))

test('a list of names finds what going through it finds', () => {
  fc.assert(
    fc.property(fc.array(field, { maxLength: 6 }), field, (names, name) => {
      const list = new NameList(names)
      expect(list.find(name)).toBe(names.findIndex((candidate) => matchesName(candidate, name)))
      const isAbove = names.some((candidate) => matchesName(candidate, name) || candidate.startsWith(`${name}.`))
      expect(list.hasBelow(name)).toBe(isAbove)
    }),
  )
})

test('lists of patterns find the rule that going through them finds', () => {
  fc.assert(
    fc.property(fc.array(fc.array(pattern, { maxLength: 3 }), { maxLength: 4 }), field, (rules, name) => {
      const list = new PatternList(rules.map((patterns, rule) => ({ patterns, rule })))
      expect(list.find(name)).toBe(rules.findIndex((patterns) => patterns.some((p) => matchesPattern(p, name))))
    }),
  )
})

test('whatever has a role below a field, the field says so', () => {
  fc.assert(
    fc.property(
      fc.array(pattern, { maxLength: 3 }),
      fc.array(field, { maxLength: 2 }),
      field,
      field,
      (patterns, names, parent, rest) => {
        const settings = settingsAfter({
          searchableAttributes: names,
          filterableAttributes: [{ attributePatterns: patterns }],
          sortableAttributes: names.slice(0, 1),
        })
        const roles = compileFieldRoles(settings)
        const role = roles.of(`${parent}.${rest}`)
        if (role.searchableRank !== -1) expect(roles.of(parent).hasWordsBelow).toBe(true)
        if (role.hasFacetData) expect(roles.of(parent).hasFacetDataBelow).toBe(true)
      },
    ),
  )
})

test('with the defaults every field is searched with rank 0, and nothing else', () => {
  const roles = compileFieldRoles(defaultSettings)
  expect(roles.of('a.b')).toEqual({
    searchableRank: 0,
    filter: undefined,
    filterRule: -1,
    isFilterable: false,
    isSortable: false,
    isDistinct: false,
    ranking: undefined,
    isDisplayed: true,
    locales: undefined,
    isExact: false,
    hasFacetData: false,
    hasWordsBelow: true,
    hasFacetDataBelow: false,
  })
})

test('the rank of a field is the position of the first entry that covers it', () => {
  const roles = compileFieldRoles(settingsAfter({ searchableAttributes: ['missing', 'title', 'meta', 'meta.tags'] }))
  expect(
    ['title', 'meta', 'meta.tags', 'meta.author.name', 'overview', 'titles'].map(
      (name) => roles.of(name).searchableRank,
    ),
  ).toEqual([1, 2, 2, 2, -1, -1])
  expect(compileFieldRoles(settingsAfter({ searchableAttributes: [] })).of('a').searchableRank).toBe(-1)
})

test('the first entry that matches decides about filters, even if it allows nothing', () => {
  const roles = compileFieldRoles(
    settingsAfter({
      filterableAttributes: [
        { attributePatterns: ['secret*'], features: { filter: { equality: false } } },
        { attributePatterns: ['*'], features: { filter: { comparison: true } } },
        'genres',
      ],
    }),
  )
  expect(roles.of('secret_code')).toMatchObject({ filterRule: 0, isFilterable: false, hasFacetData: false })
  expect(roles.of('price')).toMatchObject({ filterRule: 1, isFilterable: true, filter: { comparison: true } })
  expect(roles.of('genres')).toMatchObject({ filterRule: 1, filter: { facetSearch: false } })
})

test('patterns below an object do not concern the object', () => {
  const roles = compileFieldRoles(
    settingsAfter({
      filterableAttributes: [
        { attributePatterns: ['d.a*'], features: { filter: { equality: false } } },
        { attributePatterns: ['d.*'] },
      ],
    }),
  )
  expect([roles.of('d.age').isFilterable, roles.of('d.name').isFilterable, roles.of('d').isFilterable]).toEqual([
    false,
    true,
    false,
  ])
  expect(roles.of('d').hasFacetDataBelow).toBe(true)
})

test('a plain name allows everything, a facet-search-only entry nothing but facet search', () => {
  const roles = compileFieldRoles(
    settingsAfter({
      filterableAttributes: [
        'a',
        { attributePatterns: ['b'], features: { facetSearch: true, filter: { equality: false } } },
        '*',
      ],
    }),
  )
  expect(roles.of('a.x').filter).toEqual({ facetSearch: true, equality: true, comparison: true })
  expect(roles.of('b')).toMatchObject({ isFilterable: false, hasFacetData: true, filter: { facetSearch: true } })
  expect(roles.of('c').filter).toBeUndefined()
})

test('distinct and custom ranking rules go by exact names, sorting and exactness cover nested fields', () => {
  const roles = compileFieldRoles(
    settingsAfter({
      distinctAttribute: 'sku',
      rankingRules: ['price:desc', 'price:asc', 'words'],
      sortableAttributes: ['meta'],
      typoTolerance: { disableOnAttributes: ['code'] },
      displayedAttributes: ['meta'],
    }),
  )
  expect(roles.of('sku').isDistinct && !roles.of('sku.x').isDistinct).toBe(true)
  expect([roles.of('price').ranking, roles.of('price.x').ranking]).toEqual(['desc', undefined])
  expect([roles.of('meta.date').isSortable, roles.of('met').isSortable]).toEqual([true, false])
  expect([roles.of('code.x').isExact, roles.of('codes').isExact]).toEqual([true, false])
  expect([roles.of('meta.x').isDisplayed, roles.of('sku').isDisplayed]).toEqual([true, false])
})

test('the first localized rule that matches gives the locales', () => {
  const roles = compileFieldRoles(
    settingsAfter({
      localizedAttributes: [
        { attributePatterns: ['*_ja'], locales: ['ja'] },
        { attributePatterns: ['none*'], locales: [] },
        { attributePatterns: ['*'], locales: ['en', 'fr'] },
      ],
    }),
  )
  expect(['title_ja', 'none', 'title'].map((name) => roles.of(name).locales)).toEqual([['jpn'], [], ['eng', 'fra']])
})

test('reserved fields have few roles', () => {
  const all = settingsAfter({
    filterableAttributes: ['_vectors', '_geo', '_geojson'],
    sortableAttributes: ['_vectors', '_geo', '_geojson'],
    distinctAttribute: '_geo',
  })
  const roles = compileFieldRoles(all)
  expect(roles.of('_vectors.e')).toMatchObject({
    searchableRank: -1,
    isFilterable: false,
    isSortable: false,
    hasWordsBelow: false,
    hasFacetDataBelow: false,
    isDisplayed: true,
  })
  expect(roles.of('_geo.lat')).toMatchObject({ searchableRank: -1, isFilterable: true, isSortable: true })
  expect(roles.of('_geo')).toMatchObject({ isDistinct: false })
  expect(roles.of('_geojson')).toMatchObject({ searchableRank: -1, isFilterable: true, isSortable: false })
  expect(roles.of('_vectorsmith').searchableRank).toBe(0)
})

test.each([
  [{}, true, false],
  [{ searchableAttributes: [] }, false, false],
  [{ searchableAttributes: ['a.b'] }, true, false],
  [{ searchableAttributes: [], filterableAttributes: ['a'] }, false, true],
  [{ searchableAttributes: [], filterableAttributes: [{ attributePatterns: ['a*'] }] }, false, true],
  [{ searchableAttributes: [], sortableAttributes: ['a'] }, false, true],
  [{ searchableAttributes: [], distinctAttribute: 'a' }, false, true],
  [{ searchableAttributes: [], rankingRules: ['words', 'a:asc'] }, false, true],
])('%j: is searched: %s, keeps values: %s', (body, searched, kept) => {
  const settings = settingsAfter(body)
  const roles = ['a', 'a.b', 'b'].map((name) => compileFieldRoles(settings).of(name))
  expect([isSearched(settings), keepsValues(settings)]).toEqual([searched, kept])
  expect(roles.some(({ searchableRank }) => searchableRank !== -1)).toBe(searched)
  expect(roles.some(({ hasFacetData }) => hasFacetData)).toBe(kept)
})

test('positions are read only when they are named as they are', () => {
  expect(isGeoEnabled(settingsAfter({ sortableAttributes: ['_geo'] }))).toBe(true)
  expect(isGeoEnabled(settingsAfter({ filterableAttributes: ['_geo'] }))).toBe(true)
  expect(isGeoEnabled(settingsAfter({ filterableAttributes: [{ attributePatterns: ['_geo'] }, '_geo.lat'] }))).toBe(
    false,
  )
  expect(isGeoJsonEnabled(settingsAfter({ filterableAttributes: ['_geojson'] }))).toBe(true)
  expect(isGeoJsonEnabled(settingsAfter({ sortableAttributes: ['_geojson'] }))).toBe(false)
})
