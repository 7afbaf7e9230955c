import { isObject } from './differences.js'
import type { SettingName, Settings } from './model.js'

type Guard = (value: unknown) => boolean

const isText: Guard = (value) => typeof value === 'string'
const isTexts: Guard = (value) => Array.isArray(value) && value.every(isText)
const isFlag: Guard = (value) => typeof value === 'boolean'
const isNumberOrNull: Guard = (value) => value === null || typeof value === 'number'
const isMapOf =
  (guard: Guard): Guard =>
  (value) =>
    isObject(value) && Object.values(value).every(guard)
const has = (value: unknown, guards: Readonly<Record<string, Guard>>): boolean =>
  isObject(value) && Object.entries(guards).every(([name, guard]) => guard(value[name]))

/** As far as the form depends on it; the server checks the rest. */
const GUARDS: Readonly<Record<SettingName, Guard>> = {
  displayedAttributes: isTexts,
  searchableAttributes: isTexts,
  filterableAttributes: (value) => Array.isArray(value) && value.every((each) => isText(each) || isFilterRule(each)),
  sortableAttributes: isTexts,
  foreignKeys: Array.isArray,
  rankingRules: isTexts,
  stopWords: isTexts,
  nonSeparatorTokens: isTexts,
  separatorTokens: isTexts,
  dictionary: isTexts,
  synonyms: isMapOf(isTexts),
  distinctAttribute: (value) => value === null || isText(value),
  proximityPrecision: isText,
  typoTolerance: (value) =>
    has(value, {
      enabled: isFlag,
      minWordSizeForTypos: (sizes) => has(sizes, { oneTypo: isNumberOrNull, twoTypos: isNumberOrNull }),
      disableOnWords: isTexts,
      disableOnAttributes: isTexts,
      disableOnNumbers: isFlag,
    }),
  faceting: (value) => has(value, { maxValuesPerFacet: isNumberOrNull, sortFacetValuesBy: isMapOf(isText) }),
  pagination: (value) => has(value, { maxTotalHits: isNumberOrNull }),
  embedders: isMapOf(isObject),
  searchCutoffMs: isNumberOrNull,
  localizedAttributes: (value) =>
    value === null ||
    (Array.isArray(value) && value.every((rule) => has(rule, { attributePatterns: isTexts, locales: isTexts }))),
  facetSearch: isFlag,
  prefixSearch: isText,
  chat: (value) => value === null || isObject(value),
}

const isFilterRule: Guard = (value) =>
  has(value, {
    attributePatterns: isTexts,
    features: (features) =>
      features === undefined || has(features, { filter: (filter) => filter === undefined || isObject(filter) }),
  })

/** Whether the form can show it. */
export const isFitting = (name: SettingName, value: unknown): boolean => GUARDS[name](value)

export interface Imported {
  readonly settings: Partial<Settings>
  /** Names of the file that this index has no setting for, or whose value is none for it. */
  readonly refused: readonly string[]
}

/** Settings of a file that somebody chose. */
export function readImported(file: unknown, saved: Settings): Imported | undefined {
  if (!isObject(file)) return undefined
  const isTaken = ([name, value]: [string, unknown]) =>
    Object.hasOwn(saved, name) && isFitting(name as SettingName, value)
  const entries = Object.entries(file).map(([name, value]): [string, unknown] =>
    name === 'embedders' ? [name, withKeys(value, saved.embedders)] : [name, value],
  )
  return {
    settings: Object.fromEntries(entries.filter(isTaken)),
    refused: entries.filter((entry) => !isTaken(entry)).map(([name]) => name),
  }
}

/** Keys of embedders are exported as the server shows them, which is not what they are. */
const HIDDEN_KEY = /XXXXX\.\.\.$/

function withKeys(embedders: unknown, saved: Settings['embedders']): unknown {
  if (!isMapOf(isObject)(embedders)) return embedders
  return Object.fromEntries(
    Object.entries(embedders as Settings['embedders']).map(([name, { apiKey, ...rest }]) => {
      const kept = typeof apiKey === 'string' && HIDDEN_KEY.test(apiKey) ? saved[name]?.apiKey : apiKey
      return [name, kept === undefined ? rest : { ...rest, apiKey: kept }]
    }),
  )
}
