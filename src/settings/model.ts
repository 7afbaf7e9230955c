import { DEFAULT_DOCUMENT_TEMPLATE, DEFAULT_DOCUMENT_TEMPLATE_MAX_BYTES, type Embedder } from './embedders/model.js'

/** A list of attributes, or `*` for all of them. An empty list is none at all. */
export type Attributes = readonly string[] | '*'

export interface FilterFeatures {
  readonly facetSearch: boolean
  readonly equality: boolean
  readonly comparison: boolean
}

/** One entry of `filterableAttributes`: a plain name (which covers its nested fields) or patterns with features. */
export type FilterableRule =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'patterns'; readonly patterns: readonly string[]; readonly features: FilterFeatures }

export interface ForeignKey {
  readonly foreignIndexUid: string
  readonly fieldName: string
}

export const builtInRules = [
  'words',
  'typo',
  'proximity',
  'attribute',
  'attributeRank',
  'wordPosition',
  'sort',
  'exactness',
] as const
export type BuiltInRule = (typeof builtInRules)[number]

export interface CustomRule {
  readonly attribute: string
  readonly direction: 'asc' | 'desc'
}

export type RankingRule = BuiltInRule | CustomRule

export const proximityPrecisions = ['byWord', 'byAttribute'] as const
export type ProximityPrecision = (typeof proximityPrecisions)[number]

export const prefixSearches = ['indexingTime', 'disabled'] as const
export type PrefixSearch = (typeof prefixSearches)[number]

export interface TypoTolerance {
  readonly enabled: boolean
  /** Shortest word, in characters, that may have one typo. */
  readonly oneTypo: number
  readonly twoTypos: number
  /** Lemmas, in byte order. */
  readonly disableOnWords: readonly string[]
  readonly disableOnAttributes: readonly string[]
  readonly disableOnNumbers: boolean
}

export const facetOrders = ['alpha', 'count'] as const
export type FacetOrder = (typeof facetOrders)[number]

export interface Faceting {
  readonly maxValuesPerFacet: number
  /** By exact attribute name; `*` is always there. */
  readonly sortFacetValuesBy: ReadonlyMap<string, FacetOrder>
}

export interface Pagination {
  readonly maxTotalHits: number
}

/** Locales are three-letter codes. An empty list means "no language". */
export interface LocalizedRule {
  readonly patterns: readonly string[]
  readonly locales: readonly string[]
}

export interface ChatHybrid {
  readonly embedder: string
  readonly semanticRatio: number
}

export const matchingStrategies = ['last', 'all', 'frequency'] as const
export type MatchingStrategy = (typeof matchingStrategies)[number]

export interface ChatSearchParameters {
  readonly hybrid?: ChatHybrid
  readonly limit?: number
  readonly sort?: readonly string[]
  readonly distinct?: string
  readonly matchingStrategy?: MatchingStrategy
  readonly attributesToSearchOn?: readonly string[]
  readonly rankingScoreThreshold?: number
}

export interface ChatSettings {
  readonly description: string
  readonly documentTemplate: string
  readonly documentTemplateMaxBytes: number
  readonly searchParameters: ChatSearchParameters
}

/** The complete settings of an index: every default filled in, every value in the form GET shows (spec 4 §1.7). */
export interface Settings {
  readonly displayedAttributes: Attributes
  readonly searchableAttributes: Attributes
  readonly filterableAttributes: readonly FilterableRule[]
  /** In byte order, without duplicates; so are the other lists of words. */
  readonly sortableAttributes: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly rankingRules: readonly RankingRule[]
  readonly stopWords: readonly string[]
  readonly nonSeparatorTokens: readonly string[]
  readonly separatorTokens: readonly string[]
  readonly dictionary: readonly string[]
  readonly synonyms: ReadonlyMap<string, readonly string[]>
  readonly distinctAttribute: string | null
  readonly proximityPrecision: ProximityPrecision
  readonly typoTolerance: TypoTolerance
  readonly faceting: Faceting
  readonly pagination: Pagination
  readonly embedders: ReadonlyMap<string, Embedder>
  /** Null means the default of the server (1500 ms). */
  readonly searchCutoffMs: number | null
  readonly localizedAttributes: readonly LocalizedRule[] | null
  readonly facetSearch: boolean
  readonly prefixSearch: PrefixSearch
  readonly chat: ChatSettings
}

/** All settings in the order of answers (spec 4 §1.7). */
export const settingNames = [
  'displayedAttributes',
  'searchableAttributes',
  'filterableAttributes',
  'sortableAttributes',
  'foreignKeys',
  'rankingRules',
  'stopWords',
  'nonSeparatorTokens',
  'separatorTokens',
  'dictionary',
  'synonyms',
  'distinctAttribute',
  'proximityPrecision',
  'typoTolerance',
  'faceting',
  'pagination',
  'embedders',
  'searchCutoffMs',
  'localizedAttributes',
  'facetSearch',
  'prefixSearch',
  'chat',
] as const satisfies readonly (keyof Settings)[]
export type SettingName = (typeof settingNames)[number]

export const defaultSettings: Settings = {
  displayedAttributes: '*',
  searchableAttributes: '*',
  filterableAttributes: [],
  sortableAttributes: [],
  foreignKeys: [],
  rankingRules: ['words', 'typo', 'proximity', 'attributeRank', 'sort', 'wordPosition', 'exactness'],
  stopWords: [],
  nonSeparatorTokens: [],
  separatorTokens: [],
  dictionary: [],
  synonyms: new Map(),
  distinctAttribute: null,
  proximityPrecision: 'byWord',
  typoTolerance: {
    enabled: true,
    oneTypo: 5,
    twoTypos: 9,
    disableOnWords: [],
    disableOnAttributes: [],
    disableOnNumbers: false,
  },
  faceting: { maxValuesPerFacet: 100, sortFacetValuesBy: new Map([['*', 'alpha']]) },
  pagination: { maxTotalHits: 1000 },
  embedders: new Map(),
  searchCutoffMs: null,
  localizedAttributes: null,
  facetSearch: true,
  prefixSearch: 'indexingTime',
  chat: {
    description: '',
    documentTemplate: DEFAULT_DOCUMENT_TEMPLATE,
    documentTemplateMaxBytes: DEFAULT_DOCUMENT_TEMPLATE_MAX_BYTES,
    searchParameters: {},
  },
}
