/** A rule of `filterableAttributes` for many attributes. */
export interface FilterRule {
  readonly attributePatterns: readonly string[]
  readonly features?: {
    readonly facetSearch?: boolean
    readonly filter?: { readonly equality?: boolean; readonly comparison?: boolean }
  }
}

export interface LocaleRule {
  readonly attributePatterns: readonly string[]
  readonly locales: readonly string[]
}

export interface TypoTolerance {
  readonly enabled: boolean | null
  readonly minWordSizeForTypos: { readonly oneTypo: number | null; readonly twoTypos: number | null }
  readonly disableOnWords: readonly string[]
  readonly disableOnAttributes: readonly string[]
  readonly disableOnNumbers: boolean | null
}

export interface Faceting {
  readonly maxValuesPerFacet: number | null
  readonly sortFacetValuesBy: Readonly<Record<string, string>>
}

export type JsonObject = Readonly<Record<string, unknown>>

/** As the server gives them (spec 4 §1.7). A null of a number or a text is its default. */
export interface Settings {
  readonly displayedAttributes: readonly string[]
  readonly searchableAttributes: readonly string[]
  readonly filterableAttributes: readonly (string | FilterRule)[]
  readonly sortableAttributes: readonly string[]
  /** Only where the feature is on. */
  readonly foreignKeys?: readonly unknown[]
  readonly rankingRules: readonly string[]
  readonly stopWords: readonly string[]
  readonly nonSeparatorTokens: readonly string[]
  readonly separatorTokens: readonly string[]
  readonly dictionary: readonly string[]
  readonly synonyms: Readonly<Record<string, readonly string[]>>
  readonly distinctAttribute: string | null
  readonly proximityPrecision: string
  readonly typoTolerance: TypoTolerance
  readonly faceting: Faceting
  readonly pagination: { readonly maxTotalHits: number | null }
  readonly embedders: Readonly<Record<string, JsonObject>>
  readonly searchCutoffMs: number | null
  readonly localizedAttributes: readonly LocaleRule[] | null
  readonly facetSearch: boolean
  readonly prefixSearch: string
  /** Only where the feature is on. Null: everything of it by default. */
  readonly chat?: JsonObject | null
}

export type SettingName = keyof Settings

export const DEFAULTS: Required<Settings> = {
  displayedAttributes: ['*'],
  searchableAttributes: ['*'],
  filterableAttributes: [],
  sortableAttributes: [],
  foreignKeys: [],
  rankingRules: ['words', 'typo', 'proximity', 'attributeRank', 'sort', 'wordPosition', 'exactness'],
  stopWords: [],
  nonSeparatorTokens: [],
  separatorTokens: [],
  dictionary: [],
  synonyms: {},
  distinctAttribute: null,
  proximityPrecision: 'byWord',
  typoTolerance: {
    enabled: true,
    minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 },
    disableOnWords: [],
    disableOnAttributes: [],
    disableOnNumbers: false,
  },
  faceting: { maxValuesPerFacet: 100, sortFacetValuesBy: { '*': 'alpha' } },
  pagination: { maxTotalHits: 1000 },
  embedders: {},
  searchCutoffMs: null,
  localizedAttributes: null,
  facetSearch: true,
  prefixSearch: 'indexingTime',
  chat: null,
}

/** How they are shown: every setting is in one of the sections. */
export const SECTIONS = {
  attributes: ['searchableAttributes', 'displayedAttributes', 'distinctAttribute', 'foreignKeys'],
  ranking: ['rankingRules', 'sortableAttributes', 'proximityPrecision'],
  filters: ['filterableAttributes', 'facetSearch', 'faceting'],
  words: ['synonyms', 'stopWords', 'dictionary', 'separatorTokens', 'nonSeparatorTokens', 'localizedAttributes'],
  typos: ['typoTolerance', 'prefixSearch'],
  limits: ['pagination', 'searchCutoffMs'],
  meaning: ['embedders', 'chat'],
} as const satisfies Record<string, readonly SettingName[]>

export type SectionName = keyof typeof SECTIONS

export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[]

/** Those of a section that this server has: some need a feature. */
export const settingsOf = (section: SectionName, settings: Settings): SettingName[] =>
  SECTIONS[section].filter((name) => name in settings)

export const sectionOf = (name: SettingName): SectionName =>
  SECTION_NAMES.find((section) => (SECTIONS[section] as readonly SettingName[]).includes(name))!
