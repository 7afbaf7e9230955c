import { expect, test } from 'vitest'
import { applyPatch } from './apply.js'
import { defaultSettings, settingNames } from './model.js'
import { resetAll } from './patch.js'
import { ALL_ON, applyTo, codeOf, forms, settingsAfter } from './settings.fixture.js'
import { settingsView } from './view.js'

test('an empty request changes nothing', () => {
  expect(settingsAfter({})).toEqual(defaultSettings)
  expect(settingsAfter({ typoTolerance: {}, faceting: {}, pagination: {}, embedders: {}, chat: {} })).toEqual(
    defaultSettings,
  )
})

test('a request changes what it names only', () => {
  const settings = settingsAfter({ displayedAttributes: ['foo'] }, { searchableAttributes: ['bar'] })
  expect(settings).toEqual({ ...defaultSettings, displayedAttributes: ['foo'], searchableAttributes: ['bar'] })
})

test('null takes a setting back to its default, and one of its members alone', () => {
  const changed = {
    typoTolerance: { enabled: false, disableOnNumbers: true, minWordSizeForTypos: { oneTypo: 3, twoTypos: 4 } },
  }
  expect(settingsAfter(changed, { typoTolerance: { enabled: null } }).typoTolerance).toMatchObject({
    enabled: true,
    disableOnNumbers: true,
    oneTypo: 3,
  })
  expect(settingsAfter(changed, { typoTolerance: { minWordSizeForTypos: null } }).typoTolerance).toMatchObject({
    oneTypo: 5,
    twoTypos: 9,
    enabled: false,
  })
  expect(settingsAfter(changed, { typoTolerance: null })).toEqual(defaultSettings)
})

test('a reset of everything gives the defaults', () => {
  const settings = settingsAfter({
    displayedAttributes: ['a'],
    stopWords: ['a'],
    embedders: { e: {} },
    chat: { description: 'x' },
    localizedAttributes: [],
    rankingRules: [],
    pagination: { maxTotalHits: 2 },
  })
  const reset = applyPatch(settings, resetAll, forms)
  expect(reset).toEqual({ ok: true, value: defaultSettings })
  expect([...settingsView(settings, ALL_ON).keys()]).toEqual([...settingNames])
})

test('lists and maps are replaced, objects are merged member by member', () => {
  const settings = settingsAfter(
    {
      synonyms: { a: ['b'] },
      faceting: { maxValuesPerFacet: 7, sortFacetValuesBy: { a: 'count' } },
      sortableAttributes: ['a'],
    },
    { synonyms: { c: ['d'] }, faceting: { sortFacetValuesBy: { b: 'count' } }, sortableAttributes: ['b'] },
  )
  expect(settings.synonyms).toEqual(new Map([['c', ['d']]]))
  expect(settings.sortableAttributes).toEqual(['b'])
  expect(settings.faceting).toEqual({
    maxValuesPerFacet: 7,
    sortFacetValuesBy: new Map([
      ['*', 'alpha'],
      ['b', 'count'],
    ]),
  })
})

test('word sizes that do not fit what is stored fail the task', () => {
  expect(codeOf(applyTo(defaultSettings, { typoTolerance: { minWordSizeForTypos: { oneTypo: 10 } } }))).toBe(
    'invalid_settings_typo_tolerance',
  )
  expect(codeOf(applyTo(defaultSettings, { typoTolerance: { minWordSizeForTypos: { twoTypos: 4 } } }))).toBe(
    'invalid_settings_typo_tolerance',
  )
  const long = settingsAfter({ typoTolerance: { minWordSizeForTypos: { oneTypo: 10, twoTypos: 12 } } })
  const outcome = applyTo(long, { typoTolerance: { minWordSizeForTypos: { twoTypos: null } } })
  expect(outcome.ok ? '' : outcome.failure.message).toMatch(/10.*9/)
})

test('the tasks of a batch are judged together: a later one may mend an earlier one', () => {
  const outcome = applyTo(
    defaultSettings,
    { typoTolerance: { minWordSizeForTypos: { oneTypo: 10 } }, stopWords: ['a'] },
    { typoTolerance: { minWordSizeForTypos: { twoTypos: 12 } }, dictionary: ['b'] },
    { stopWords: ['c'] },
  )
  expect(outcome).toMatchObject({
    ok: true,
    value: { typoTolerance: { oneTypo: 10, twoTypos: 12 }, stopWords: ['c'], dictionary: ['b'] },
  })
})

test('in a batch a reset counts from where it stands', () => {
  const outcome = applyTo(
    defaultSettings,
    { typoTolerance: { enabled: false } },
    { typoTolerance: null },
    { typoTolerance: { disableOnNumbers: true } },
  )
  expect(outcome).toMatchObject({ ok: true, value: { typoTolerance: { enabled: true, disableOnNumbers: true } } })
})

test('chat is merged member by member, also inside its search parameters', () => {
  const settings = settingsAfter(
    { chat: { description: 'd', searchParameters: { hybrid: { embedder: 'e' }, limit: 15, sort: [] } } },
    { chat: { searchParameters: { limit: 16 } } },
    { chat: { searchParameters: { sort: null }, documentTemplateMaxBytes: 10 } },
  )
  expect(settings.chat).toEqual({
    ...defaultSettings.chat,
    description: 'd',
    documentTemplateMaxBytes: 10,
    searchParameters: { hybrid: { embedder: 'e', semanticRatio: 0.5 }, limit: 16 },
  })
})

test('a chat template that does not parse, and a size of zero, fail the task', () => {
  expect(codeOf(applyTo(defaultSettings, { chat: { documentTemplate: '{{ doc.' } }))).toBe(
    'invalid_chat_setting_document_template',
  )
  expect(codeOf(applyTo(defaultSettings, { chat: { documentTemplateMaxBytes: 0 } }))).toBe('invalid_settings_embedders')
})

test('several problems are reported in the order embedders, word sizes, chat', () => {
  const chat = { chat: { documentTemplate: '{{ doc.' } }
  const sizes = { ...chat, typoTolerance: { minWordSizeForTypos: { oneTypo: 10 } } }
  const embedders = { ...sizes, embedders: { e: { source: 'openAi', dimensions: 5000 } } }
  expect(codeOf(applyTo(defaultSettings, embedders))).toBe('invalid_settings_embedders')
  expect(codeOf(applyTo(defaultSettings, sizes))).toBe('invalid_settings_typo_tolerance')
  expect(codeOf(applyTo(defaultSettings, chat))).toBe('invalid_chat_setting_document_template')
})
