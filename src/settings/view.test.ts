import { expect, test } from 'vitest'
import { parse, print } from '../json/index.js'
import { defaultSettings, settingNames } from './model.js'
import { resetAll } from './patch.js'
import { ALL_OFF, ALL_ON, type Body, json, patchOf, settingsAfter } from './settings.fixture.js'
import { readPatch } from './shape.js'
import { dumpView, foldDetails, patchDetails, settingsView, settingView, storedPatch } from './view.js'

const DEFAULTS = `{"displayedAttributes":["*"],"searchableAttributes":["*"],"filterableAttributes":[],"sortableAttributes":[],"foreignKeys":[],"rankingRules":["words","typo","proximity","attributeRank","sort","wordPosition","exactness"],"stopWords":[],"nonSeparatorTokens":[],"separatorTokens":[],"dictionary":[],"synonyms":{},"distinctAttribute":null,"proximityPrecision":"byWord","typoTolerance":{"enabled":true,"minWordSizeForTypos":{"oneTypo":5,"twoTypos":9},"disableOnWords":[],"disableOnAttributes":[],"disableOnNumbers":false},"faceting":{"maxValuesPerFacet":100,"sortFacetValuesBy":{"*":"alpha"}},"pagination":{"maxTotalHits":1000},"embedders":{},"searchCutoffMs":null,"localizedAttributes":null,"facetSearch":true,"prefixSearch":"indexingTime","chat":{"description":"","documentTemplate":"{% for field in fields %}{% if field.is_searchable and field.value != nil %}{{ field.name }}: {{ field.value }}\\n{% endif %}{% endfor %}","documentTemplateMaxBytes":400,"searchParameters":{}}}`

test('the defaults, in their order', () => {
  expect(print(settingsView(defaultSettings, ALL_ON))).toBe(DEFAULTS)
  expect(print(dumpView(defaultSettings))).toBe(DEFAULTS)
})

test('with all features off exactly 20 settings are shown, and single routes show the other two all the same', () => {
  const names = [...settingsView(defaultSettings, ALL_OFF).keys()]
  expect(names).toEqual(settingNames.filter((name) => name !== 'foreignKeys' && name !== 'chat'))
  expect(settingView(defaultSettings, 'foreignKeys')).toEqual([])
  expect(print(settingView(defaultSettings, 'chat'))).toContain('"documentTemplateMaxBytes":400')
})

const details = (body: Body): string => print(patchDetails(patchOf(body)))

test.each<[string, string]>([
  ['{}', '{}'],
  ['{"sortableAttributes":["b","a","a"]}', '{"sortableAttributes":["a","b"]}'],
  [
    '{"searchableAttributes":["a","*"],"displayedAttributes":["b","a","b"]}',
    '{"displayedAttributes":["b","a","b"],"searchableAttributes":["a","*"]}',
  ],
  ['{"stopWords":["été"]}', '{"stopWords":["été"]}'],
  ['{"typoTolerance":{"disableOnWords":["Shrek"]}}', '{"typoTolerance":{"disableOnWords":["Shrek"]}}'],
  ['{"typoTolerance":{"enabled":false}}', '{"typoTolerance":{"enabled":false}}'],
  [
    '{"typoTolerance":{"minWordSizeForTypos":{"oneTypo":null}}}',
    '{"typoTolerance":{"minWordSizeForTypos":{"oneTypo":null}}}',
  ],
  ['{"typoTolerance":{}}', '{"typoTolerance":{}}'],
  ['{"stopWords":null}', '{"stopWords":null}'],
  [
    '{"displayedAttributes":null,"searchableAttributes":null}',
    '{"displayedAttributes":["*"],"searchableAttributes":["*"]}',
  ],
  ['{"embedders":{"e":null}}', '{"embedders":{"e":null}}'],
  ['{"synonyms":{"b":["y","x"],"a":[]}}', '{"synonyms":{"a":[],"b":["y","x"]}}'],
  [
    '{"faceting":{"sortFacetValuesBy":{"b":"count","a":"alpha"}}}',
    '{"faceting":{"sortFacetValuesBy":{"a":"alpha","b":"count"}}}',
  ],
  [
    '{"filterableAttributes":["a",{"attributePatterns":["id"]}]}',
    '{"filterableAttributes":["a",{"attributePatterns":["id"],"features":{"facetSearch":false,"filter":{"equality":true,"comparison":false}}}]}',
  ],
  [
    '{"localizedAttributes":[{"locales":["ja"],"attributePatterns":["*_ja"]}]}',
    '{"localizedAttributes":[{"attributePatterns":["*_ja"],"locales":["ja"]}]}',
  ],
  [
    '{"chat":{"searchParameters":{"sort":null,"hybrid":{"embedder":"e"}}}}',
    '{"chat":{"searchParameters":{"hybrid":{"semanticRatio":0.5,"embedder":"e"},"sort":null}}}',
  ],
  [
    '{"embedders":{"e":{"apiKey":"<your-OpenAI-API-key>","source":"openAi","distribution":{"mean":1,"sigma":0.5}}}}',
    '{"embedders":{"e":{"source":"openAi","apiKey":"<yoXXXXX...","distribution":{"mean":1.0,"sigma":0.5}}}}',
  ],
])('the details of %s are %s', (body, shown) => {
  expect(details(body)).toBe(shown)
})

test('the details of a reset of everything name all 22 settings', () => {
  const printed = patchDetails(resetAll)
  expect([...printed.keys()]).toEqual([...settingNames])
  expect(print(printed)).toMatch(
    /^\{"displayedAttributes":\["\*"\],"searchableAttributes":\["\*"\],"filterableAttributes":null,/,
  )
  expect([...printed.values()].filter((value) => value === null)).toHaveLength(20)
})

test('a stored request can be read back, also with the largest count', () => {
  const patch = patchOf('{"searchCutoffMs":18446744073709551615}')
  const stored = parse(print(storedPatch(patch)))
  expect(stored.ok && readPatch(stored.value)).toEqual({ ok: true, value: patch })
})

test('a stored request keeps its secrets', () => {
  const patch = patchOf({ embedders: { e: { source: 'openAi', apiKey: '0123456789abcdef' } } })
  expect(print(storedPatch(patch))).toContain('"apiKey":"0123456789abcdef"')
  expect(print(patchDetails(patch))).toContain('"apiKey":"01XXXX..."')
})

test.each<[Body, string, string]>([
  [{ searchableAttributes: ['a', '*'] }, 'searchableAttributes', '["*"]'],
  [{ searchableAttributes: ['b', 'a', 'b'] }, 'searchableAttributes', '["b","a"]'],
  [{ searchableAttributes: [] }, 'searchableAttributes', '[]'],
  [{ displayedAttributes: ['x', 'y', 'x'] }, 'displayedAttributes', '["x","y"]'],
  [{ sortableAttributes: ['z', 'a', 'a', '😀', '\uffff'] }, 'sortableAttributes', '["a","z","\uffff","😀"]'],
  [{ rankingRules: [] }, 'rankingRules', '[]'],
  [{ rankingRules: ['a:b:desc', 'words', 'words'] }, 'rankingRules', '["a:b:desc","words","words"]'],
  [{ stopWords: ['été'] }, 'stopWords', `["${'été'.normalize('NFKD')}"]`],
  [{ synonyms: { NYC: ['new york'], 'new york': ['NYC'] } }, 'synonyms', '{"NYC":["new york"],"new york":["NYC"]}'],
  [{ localizedAttributes: [] }, 'localizedAttributes', '[]'],
  [
    { localizedAttributes: [{ attributePatterns: ['*_ja'], locales: ['ja', 'cmn', 'fra'] }] },
    'localizedAttributes',
    '[{"attributePatterns":["*_ja"],"locales":["jpn","cmn","fra"]}]',
  ],
  [
    { faceting: { sortFacetValuesBy: { genre: 'count' } } },
    'faceting',
    '{"maxValuesPerFacet":100,"sortFacetValuesBy":{"*":"alpha","genre":"count"}}',
  ],
  [
    { faceting: { sortFacetValuesBy: { '*': 'count' } } },
    'faceting',
    '{"maxValuesPerFacet":100,"sortFacetValuesBy":{"*":"count"}}',
  ],
  [
    { typoTolerance: { disableOnWords: ['Shrek'] } },
    'typoTolerance',
    '{"enabled":true,"minWordSizeForTypos":{"oneTypo":5,"twoTypos":9},"disableOnWords":["shrek"],"disableOnAttributes":[],"disableOnNumbers":false}',
  ],
  [{ distinctAttribute: 'sku' }, 'distinctAttribute', '"sku"'],
  [{ searchCutoffMs: 150 }, 'searchCutoffMs', '150'],
])('%o is shown in %s as %s', (body, name, shown) => {
  expect(print(settingView(settingsAfter(body), name as (typeof settingNames)[number]))).toBe(shown)
})

test('the details of a batch: later tasks win setting by setting, embedders are merged by name', () => {
  const earlier = json('{"stopWords":["a"],"typoTolerance":{"enabled":false},"embedders":{"b":{},"c":{"model":"x"}}}')
  const later = json(
    '{"rankingRules":["words"],"typoTolerance":{"disableOnNumbers":true},"embedders":{"a":null,"c":null}}',
  )
  expect(print(foldDetails(earlier as Map<string, never>, later as Map<string, never>))).toBe(
    '{"rankingRules":["words"],"stopWords":["a"],"typoTolerance":{"disableOnNumbers":true},"embedders":{"a":null,"b":{},"c":null}}',
  )
})
