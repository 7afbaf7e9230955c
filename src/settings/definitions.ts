import type { ErrorCode } from '../errors/index.js'
import type { JsonValue } from '../json/index.js'
import type { Secrecy } from '../secret/index.js'
import { arrayOf, bool, object, oneOf, required, type Shape, text, uint } from '../shape/index.js'
import { type Printer, printAsIs, printMap, printTexts, sortedMapOf, textSet, texts } from './change.js'
import { chat, printChat, printChatPatch } from './chat.js'
import { embedders, printEmbeddersPatch } from './embedders/patch.js'
import { printEmbedders } from './embedders/view.js'
import {
  faceting,
  pagination,
  printFaceting,
  printFacetingPatch,
  printPagination,
  printPaginationPatch,
} from './faceting.js'
import { filterableRule, printFilterableRule } from './filterable-attributes.js'
import { localizedRule, printLocalizedRule } from './localized-attributes.js'
import {
  type Attributes,
  type ForeignKey,
  prefixSearches,
  proximityPrecisions,
  type SettingName,
  type Settings,
} from './model.js'
import type { SentSettings } from './patch.js'
import { printRankingRule, rankingRule } from './ranking-rules.js'
import { printTypoTolerance, printTypoTolerancePatch, typoTolerance } from './typo-tolerance.js'

/** One setting: where it is reached, what it may be, and how it is shown (spec 4 §1.2). */
interface Definition<Sent, Value> {
  /** Last part of its route. */
  readonly path: string
  /** `PATCH` where the value is merged with the stored one. */
  readonly verb: 'PUT' | 'PATCH'
  readonly code: ErrorCode
  readonly shape: Shape<Sent>
  /** As in task details. */
  printSent(sent: Sent, secrecy: Secrecy): JsonValue
  /** What task details show for null. */
  readonly printedReset: JsonValue
  /** As GET shows it. */
  printValue(value: Value, secrecy: Secrecy): JsonValue
}

type Definitions = { readonly [Name in SettingName]: Definition<SentSettings[Name], Settings[Name]> }

const printAttributes: Printer<Attributes> = (attributes) => (attributes === '*' ? ['*'] : [...attributes])

function attributeList(path: string, code: ErrorCode): Definition<readonly string[], Attributes> {
  // These two print the wildcard instead of null (spec 4 §1.6).
  return {
    path,
    verb: 'PUT',
    code,
    shape: texts,
    printSent: printTexts,
    printedReset: ['*'],
    printValue: printAttributes,
  }
}

function wordSet(path: string, code: ErrorCode): Definition<readonly string[], readonly string[]> {
  return { path, verb: 'PUT', code, shape: textSet, printSent: printTexts, printedReset: null, printValue: printTexts }
}

/** A setting whose value is one scalar, shown as it is. */
function scalar<T extends JsonValue>(path: string, code: ErrorCode, shape: Shape<T>): Definition<T, T | null> {
  return { path, verb: 'PUT', code, shape, printSent: printAsIs, printedReset: null, printValue: printAsIs }
}

interface ListSetting<T> {
  readonly path: string
  readonly code: ErrorCode
  readonly item: Shape<T>
  readonly print: Printer<T>
}

function listOf<T>({ path, code, item, print }: ListSetting<T>): Definition<readonly T[], readonly T[]> {
  const printAll = (items: readonly T[]) => items.map(print)
  return {
    path,
    verb: 'PUT',
    code,
    shape: arrayOf(item),
    printSent: printAll,
    printedReset: null,
    printValue: printAll,
  }
}

const FOREIGN_KEYS = 'invalid_settings_foreign_keys'
const foreignKey: Shape<ForeignKey> = object(
  {
    foreignIndexUid: required(text, FOREIGN_KEYS, FOREIGN_KEYS),
    fieldName: required(text, FOREIGN_KEYS, FOREIGN_KEYS),
  },
  { code: FOREIGN_KEYS },
)

const printForeignKey: Printer<ForeignKey> = ({ foreignIndexUid, fieldName }) =>
  new Map([
    ['foreignIndexUid', foreignIndexUid],
    ['fieldName', fieldName],
  ])

const printSynonyms: Printer<Settings['synonyms']> = (synonyms) => printMap(synonyms, printTexts)

const definitions: Definitions = {
  displayedAttributes: attributeList('displayed-attributes', 'invalid_settings_displayed_attributes'),
  searchableAttributes: attributeList('searchable-attributes', 'invalid_settings_searchable_attributes'),
  filterableAttributes: listOf({
    path: 'filterable-attributes',
    code: 'invalid_settings_filterable_attributes',
    item: filterableRule,
    print: printFilterableRule,
  }),
  sortableAttributes: wordSet('sortable-attributes', 'invalid_settings_sortable_attributes'),
  foreignKeys: listOf({ path: 'foreign-keys', code: FOREIGN_KEYS, item: foreignKey, print: printForeignKey }),
  rankingRules: listOf({
    path: 'ranking-rules',
    code: 'invalid_settings_ranking_rules',
    item: rankingRule,
    print: printRankingRule,
  }),
  stopWords: wordSet('stop-words', 'invalid_settings_stop_words'),
  nonSeparatorTokens: wordSet('non-separator-tokens', 'invalid_settings_non_separator_tokens'),
  separatorTokens: wordSet('separator-tokens', 'invalid_settings_separator_tokens'),
  dictionary: wordSet('dictionary', 'invalid_settings_dictionary'),
  synonyms: {
    path: 'synonyms',
    verb: 'PUT',
    code: 'invalid_settings_synonyms',
    shape: sortedMapOf(texts),
    printSent: printSynonyms,
    printedReset: null,
    printValue: printSynonyms,
  },
  distinctAttribute: scalar('distinct-attribute', 'invalid_settings_distinct_attribute', text),
  proximityPrecision: scalar('proximity-precision', 'invalid_settings_proximity_precision', oneOf(proximityPrecisions)),
  typoTolerance: {
    path: 'typo-tolerance',
    verb: 'PATCH',
    code: 'invalid_settings_typo_tolerance',
    shape: typoTolerance,
    printSent: printTypoTolerancePatch,
    printedReset: null,
    printValue: printTypoTolerance,
  },
  faceting: {
    path: 'faceting',
    verb: 'PATCH',
    code: 'invalid_settings_faceting',
    shape: faceting,
    printSent: printFacetingPatch,
    printedReset: null,
    printValue: printFaceting,
  },
  pagination: {
    path: 'pagination',
    verb: 'PATCH',
    code: 'invalid_settings_pagination',
    shape: pagination,
    printSent: printPaginationPatch,
    printedReset: null,
    printValue: printPagination,
  },
  embedders: {
    path: 'embedders',
    verb: 'PATCH',
    code: 'invalid_settings_embedders',
    shape: embedders,
    printSent: printEmbeddersPatch,
    printedReset: null,
    printValue: printEmbedders,
  },
  searchCutoffMs: scalar('search-cutoff-ms', 'invalid_settings_search_cutoff_ms', uint),
  localizedAttributes: {
    path: 'localized-attributes',
    verb: 'PUT',
    code: 'invalid_settings_localized_attributes',
    shape: arrayOf(localizedRule),
    printSent: (rules) => rules.map((rule) => printLocalizedRule(rule.attributePatterns, rule.locales)),
    printedReset: null,
    printValue: (rules) => rules?.map((rule) => printLocalizedRule(rule.patterns, rule.locales)) ?? null,
  },
  facetSearch: scalar('facet-search', 'invalid_settings_facet_search', bool),
  prefixSearch: scalar('prefix-search', 'invalid_settings_prefix_search', oneOf(prefixSearches)),
  chat: {
    path: 'chat',
    verb: 'PATCH',
    code: 'invalid_settings_index_chat',
    shape: chat,
    printSent: printChatPatch,
    printedReset: null,
    printValue: printChat,
  },
}

/** For going through all settings, where the types of value and definition are known to belong together. */
export function definitionOf(name: SettingName): Definition<unknown, unknown> {
  return definitions[name] as Definition<unknown, unknown>
}
