import { expect, test } from 'vitest'
import { definitionOf } from './definitions.js'
import { settingNames } from './model.js'
import { ALL_OFF, type Body, codeOf, receive, receiveOne } from './settings.fixture.js'
import { readPatch } from './shape.js'

test.each<[Body, string]>([
  ['{"foo":1}', 'bad_request'],
  ['null', 'bad_request'],
  ['[]', 'bad_request'],
  ['"x"', 'bad_request'],
  ['{"vectorStore":"stable"}', 'bad_request'],
  ['{"displayedAttributes":"x"}', 'invalid_settings_displayed_attributes'],
  ['{"stopWords":3,"foo":1}', 'invalid_settings_stop_words'],
  ['{"foo":1,"stopWords":3}', 'bad_request'],
  ['{"searchableAttributes":[1]}', 'invalid_settings_searchable_attributes'],
  ['{"filterableAttributes":[{"features":{}}]}', 'invalid_settings_filterable_attributes'],
  ['{"filterableAttributes":[{"attributePatterns":["a"],"x":1}]}', 'invalid_settings_filterable_attributes'],
  ['{"filterableAttributes":[3]}', 'invalid_settings_filterable_attributes'],
  ['{"filterableAttributes":[{"attributePatterns":["a"],"features":null}]}', 'invalid_settings_filterable_attributes'],
  [
    '{"filterableAttributes":[{"attributePatterns":["a"],"features":{"filter":null}}]}',
    'invalid_settings_filterable_attributes',
  ],
  [
    '{"filterableAttributes":[{"attributePatterns":["a"],"features":{"filter":{"equality":1}}}]}',
    'invalid_settings_filterable_attributes',
  ],
  [
    '{"filterableAttributes":[{"attributePatterns":["a"],"features":{"filter":{"eq":true}}}]}',
    'invalid_settings_filterable_attributes',
  ],
  ['{"filterableAttributes":[{"attributePatterns":[]}]}', 'ok'],
  ['{"foreignKeys":[{"foreignIndexUid":"a"}]}', 'invalid_settings_foreign_keys'],
  ['{"foreignKeys":[{"foreignIndexUid":"not a uid!","fieldName":"a.b"}]}', 'ok'],
  ['{"foreignKeys":[{"foreignIndexUid":"a","fieldName":"b","x":1}]}', 'invalid_settings_foreign_keys'],
  ['{"synonyms":{"a":"b"}}', 'invalid_settings_synonyms'],
  ['{"synonyms":{"a":null}}', 'invalid_settings_synonyms'],
  ['{"distinctAttribute":["a"]}', 'invalid_settings_distinct_attribute'],
  ['{"proximityPrecision":"byword"}', 'invalid_settings_proximity_precision'],
  ['{"prefixSearch":true}', 'invalid_settings_prefix_search'],
  ['{"facetSearch":"true"}', 'invalid_settings_facet_search'],
  ['{"searchCutoffMs":"x"}', 'invalid_settings_search_cutoff_ms'],
  ['{"searchCutoffMs":10.0}', 'invalid_settings_search_cutoff_ms'],
  ['{"searchCutoffMs":-1}', 'invalid_settings_search_cutoff_ms'],
  ['{"searchCutoffMs":0}', 'ok'],
  ['{"typoTolerance":{"x":1}}', 'invalid_settings_typo_tolerance'],
  ['{"typoTolerance":{"minWordSizeForTypos":{"oneTypo":256}}}', 'invalid_settings_typo_tolerance'],
  ['{"typoTolerance":{"minWordSizeForTypos":{"oneTypo":-1}}}', 'invalid_settings_typo_tolerance'],
  ['{"typoTolerance":{"minWordSizeForTypos":{"oneTypo":1.5}}}', 'invalid_settings_typo_tolerance'],
  ['{"typoTolerance":{"minWordSizeForTypos":{"threeTypos":1}}}', 'invalid_settings_typo_tolerance'],
  ['{"typoTolerance":{"minWordSizeForTypos":{"oneTypo":10,"twoTypos":5}}}', 'invalid_settings_typo_tolerance'],
  ['{"typoTolerance":{"minWordSizeForTypos":{"oneTypo":5,"twoTypos":5}}}', 'ok'],
  ['{"typoTolerance":{"minWordSizeForTypos":{"oneTypo":10}}}', 'ok'],
  ['{"faceting":{"sortFacetValuesBy":{"genre":null}}}', 'invalid_settings_faceting'],
  ['{"faceting":{"sortFacetValuesBy":{"genre":"size"}}}', 'invalid_settings_faceting'],
  ['{"pagination":{"maxTotalHits":0}}', 'invalid_settings_pagination'],
  [
    '{"localizedAttributes":[{"attributePatterns":["a"],"locales":["japan"]}]}',
    'invalid_settings_localized_attributes',
  ],
  ['{"localizedAttributes":[{"locales":["ja"]}]}', 'invalid_settings_localized_attributes'],
  ['{"localizedAttributes":[{"attributePatterns":["a"],"locales":["JA"]}]}', 'invalid_settings_localized_attributes'],
  ['{"localizedAttributes":[{"attributePatterns":["a"],"locales":["ja","cmn"]}]}', 'ok'],
  ['{"chat":{"searchParameters":{"hybrid":{"embedder":"e","semanticRatio":2}}}}', 'invalid_settings_index_chat'],
  ['{"chat":{"searchParameters":{"hybrid":{"semanticRatio":0.5}}}}', 'invalid_settings_index_chat'],
  ['{"chat":{"searchParameters":{"rankingScoreThreshold":-0.1}}}', 'invalid_settings_index_chat'],
  ['{"chat":{"searchParameters":{"offset":1}}}', 'invalid_settings_index_chat'],
  ['{"chat":{"documentTemplate":"{{ doc."}}', 'ok'],
])('%s is answered with %s', (body, code) => {
  expect(codeOf(receive(body))).toBe(code)
})

test.each([
  ['["price"]', false],
  ['["Words"]', false],
  ['["price:asc:desc"]', true],
  ['["a:b:desc"]', true],
  ['["price:ASC"]', false],
  [`[":asc"]`, true],
  ['["_geo:asc"]', false],
  ['["_geojson:asc"]', false],
  ['["_geoPoint(1,2):asc"]', false],
  ['["_geoRadius(1):asc"]', false],
  ['["_geoX:asc"]', true],
  ['["attributeRank"]', true],
  ['["attribute","words"]', true],
  ['["attribute","wordPosition"]', false],
  ['["words","attribute","attributeRank"]', false],
  ['["words","words"]', true],
])('ranking rules %s are accepted: %s', (body, isAccepted) => {
  expect(codeOf(receiveOne('rankingRules', body))).toBe(isAccepted ? 'ok' : 'invalid_settings_ranking_rules')
})

test('every setting has its own code on its own route, and null resets it', () => {
  for (const name of settingNames) {
    const { code } = definitionOf(name)
    const wrong = name === 'facetSearch' ? '3' : 'true'
    expect(codeOf(receiveOne(name, wrong))).toBe(code)
    expect(receiveOne(name, 'null', ALL_OFF)).toEqual({ ok: true, value: { [name]: 'reset' } })
  }
})

test('an unknown setting is named, with the one that was probably meant', () => {
  const answer = receive('{"stopWord":[]}')
  expect(answer.ok ? '' : answer.failure.message).toMatch(/"stopWord".*`stopWords`.*`displayedAttributes`.*`chat`/)
})

test('a wrong value is found by its path, with what was expected and what was found', () => {
  const answer = receive('{"typoTolerance":{"minWordSizeForTypos":{"oneTypo":"five"}}}')
  expect(answer.ok ? '' : answer.failure.message).toMatch(
    /`\.typoTolerance\.minWordSizeForTypos\.oneTypo`.*positive integer.*string.*"five"/,
  )
})

test('the forbidden mix of ranking rules comes after the features, embedders after both', () => {
  const body = {
    embedders: { e: { source: 'composite' } },
    rankingRules: ['attribute', 'wordPosition'],
  }
  expect(codeOf(receive(body, ALL_OFF))).toBe('feature_not_enabled')
  expect(codeOf(receive(body))).toBe('invalid_settings_ranking_rules')
  expect(codeOf(receive({ embedders: body.embedders }))).toBe('invalid_settings_embedders')
})

test.each<[Body, RegExp]>([
  [{ embedders: { e: { source: 'composite' } } }, /e\.source.*compositeEmbedders/],
  [{ embedders: { b: { searchEmbedder: {} }, a: { indexingFragments: {} } } }, /a\.indexingFragments.*multimodal/],
  [{ embedders: { e: { searchFragments: {}, indexingEmbedder: {} } } }, /e\.indexingEmbedder.*compositeEmbedders/],
  [{ foreignKeys: [], chat: {} }, /chat.*chatCompletions/],
  [{ foreignKeys: [] }, /foreignKeys/],
])('%o needs a feature', (body, message) => {
  const answer = receive(body, ALL_OFF)
  expect(codeOf(answer)).toBe('feature_not_enabled')
  expect(answer.ok ? '' : answer.failure.message).toMatch(message)
})

test('resets and ordinary embedders need no feature', () => {
  const body = { chat: null, foreignKeys: null, embedders: { a: null, b: { searchFragments: null, source: 'openAi' } } }
  expect(codeOf(receive(body, ALL_OFF))).toBe('invalid_settings_embedders')
  expect(codeOf(receive({ ...body, embedders: { a: null, b: { searchFragments: null } } }, ALL_OFF))).toBe('ok')
})

test('what is no setting, or no longer one, is passed over in dumps', () => {
  expect(readPatch(new Map([['vectorStore', 'stable']]))).toEqual({ ok: true, value: {} })
  expect(codeOf(readPatch(new Map([['stopWords', 3]])))).toBe('invalid_settings_stop_words')
  expect(codeOf(readPatch([]))).toBe('bad_request')
})
