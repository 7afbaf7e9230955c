import { nameFeatures } from './filterable-attributes.js'
import { NameList, PatternList } from './matchers.js'
import type { FilterableRule, FilterFeatures, Settings } from './model.js'

/** What the settings make of one field, given by its dotted path. */
export interface FieldRole {
  /** Position of the first entry of `searchableAttributes` that covers the field; -1 when it is not searched. */
  readonly searchableRank: number
  /** Features of the entry of `filterableAttributes` that decides; undefined when none does. */
  readonly filter: FilterFeatures | undefined
  /** Position of that entry, or -1. */
  readonly filterRule: number
  /** Whether any filter may use the field: `equality` or `comparison` of the deciding entry. */
  readonly isFilterable: boolean
  readonly isSortable: boolean
  readonly isDistinct: boolean
  /** Direction of the custom ranking rule on exactly this field. */
  readonly ranking: 'asc' | 'desc' | undefined
  /** As the fields route shows it: a listed name covers its nested fields. Hits go by exact names instead. */
  readonly isDisplayed: boolean
  /** Locales of the first matching rule of `localizedAttributes`; undefined without a rule. */
  readonly locales: readonly string[] | undefined
  /** Words of the field are never matched with typos. */
  readonly isExact: boolean
  /** Values of the field are kept for filters, facets, sorting or distinct. */
  readonly hasFacetData: boolean
  /** A nested field may have words. */
  readonly hasWordsBelow: boolean
  /** A nested field may have facet data. */
  readonly hasFacetDataBelow: boolean
}

/** Looks up roles by field name, once for each name. */
export interface FieldRoles {
  of(field: string): FieldRole
}

/** Names asked for beyond this empty the cache. An index has at most 65,536 fields; filters may name any others. */
const MAX_CACHED = 100_000

/** Prepares the look-up of roles. The result stands for these settings only. */
export function compileFieldRoles(settings: Settings): FieldRoles {
  const compiler = new RoleCompiler(settings)
  const cache = new Map<string, FieldRole>()
  return {
    of(field) {
      const known = cache.get(field)
      if (known) return known
      if (cache.size >= MAX_CACHED) cache.clear()
      const role = compiler.roleOf(field)
      cache.set(field, role)
      return role
    },
  }
}

class RoleCompiler {
  private readonly searchable: NameList | '*'
  private readonly displayed: NameList | '*'
  private readonly sortable: NameList
  private readonly exact: NameList
  private readonly filterNames: NameList
  /** Rule of each entry of `filterNames`. */
  private readonly filterNameRules: readonly number[]
  private readonly filterPatterns: PatternList
  private readonly localized: PatternList
  private readonly rankings: ReadonlyMap<string, 'asc' | 'desc'>
  /** Names that count as they are: distinct attribute and custom ranking rules. */
  private readonly wholeNames: NameList

  constructor(private readonly settings: Settings) {
    const { searchableAttributes, displayedAttributes, filterableAttributes, localizedAttributes } = settings
    this.searchable = searchableAttributes === '*' ? '*' : new NameList(searchableAttributes)
    this.displayed = displayedAttributes === '*' ? '*' : new NameList(displayedAttributes)
    this.sortable = new NameList(settings.sortableAttributes)
    this.exact = new NameList(settings.typoTolerance.disableOnAttributes)
    const names = numbered(filterableAttributes).filter((entry) => entry.kind === 'name')
    this.filterNames = new NameList(names.map(({ name }) => name))
    this.filterNameRules = names.map(({ rule }) => rule)
    this.filterPatterns = new PatternList(numbered(filterableAttributes).filter((entry) => entry.kind === 'patterns'))
    this.localized = new PatternList((localizedAttributes ?? []).map(({ patterns }, rule) => ({ patterns, rule })))
    this.rankings = rankingsOf(settings)
    this.wholeNames = new NameList([
      ...(settings.distinctAttribute === null ? [] : [settings.distinctAttribute]),
      ...this.rankings.keys(),
    ])
  }

  roleOf(field: string): FieldRole {
    const reserved = reservedRoot(field)
    const filterRule = reserved === '_vectors' ? -1 : this.filterRuleOf(field)
    const filter = filterRule === -1 ? undefined : featuresOf(this.settings.filterableAttributes[filterRule]!)
    const isSortable = reserved !== '_vectors' && reserved !== '_geojson' && this.sortable.has(field)
    const isDistinct = reserved === undefined && field === this.settings.distinctAttribute
    const ranking = reserved === undefined ? this.rankings.get(field) : undefined
    const isFilterable = filter !== undefined && (filter.equality || filter.comparison)
    return {
      searchableRank: reserved === undefined ? this.rankOf(field) : -1,
      filter,
      filterRule,
      isFilterable,
      isSortable,
      isDistinct,
      ranking,
      isDisplayed: this.displayed === '*' || this.displayed.has(field),
      locales: this.settings.localizedAttributes?.[this.localized.find(field)]?.locales,
      isExact: this.exact.has(field),
      hasFacetData: isFilterable || filter?.facetSearch === true || isSortable || isDistinct || ranking !== undefined,
      hasWordsBelow: reserved !== '_vectors' && (this.searchable === '*' || this.searchable.hasBelow(field)),
      hasFacetDataBelow: reserved !== '_vectors' && this.hasFacetDataBelow(field),
    }
  }

  /** With `*` every field has rank 0. */
  private rankOf(field: string): number {
    return this.searchable === '*' ? 0 : this.searchable.find(field)
  }

  private filterRuleOf(field: string): number {
    const position = this.filterNames.find(field)
    const byName = position === -1 ? -1 : this.filterNameRules[position]!
    const byPattern = this.filterPatterns.find(field)
    if (byName === -1 || byPattern === -1) return Math.max(byName, byPattern)
    return Math.min(byName, byPattern)
  }

  private hasFacetDataBelow(field: string): boolean {
    const lists = [this.sortable, this.filterNames, this.filterPatterns, this.wholeNames]
    return lists.some((list) => list.hasBelow(field))
  }
}

function numbered(rules: readonly FilterableRule[]) {
  return rules.map((entry, rule) => ({ ...entry, rule }))
}

function featuresOf(entry: FilterableRule): FilterFeatures {
  return entry.kind === 'name' ? nameFeatures : entry.features
}

/** The first custom rule on a field counts. */
function rankingsOf({ rankingRules }: Settings): ReadonlyMap<string, 'asc' | 'desc'> {
  const rankings = new Map<string, 'asc' | 'desc'>()
  for (const rule of rankingRules) {
    if (typeof rule === 'object' && !rankings.has(rule.attribute)) rankings.set(rule.attribute, rule.direction)
  }
  return rankings
}

type ReservedRoot = '_vectors' | '_geo' | '_geojson'

/** `_vectors`, `_geo` and `_geojson`, and what is below them, have few roles or none (spec 4 §2). */
function reservedRoot(field: string): ReservedRoot | undefined {
  if (!field.startsWith('_')) return undefined
  const dot = field.indexOf('.')
  const root = dot === -1 ? field : field.slice(0, dot)
  return root === '_vectors' || root === '_geo' || root === '_geojson' ? root : undefined
}

const hasPlainFilter = ({ filterableAttributes }: Settings, name: string): boolean =>
  filterableAttributes.some((rule) => rule.kind === 'name' && rule.name === name)

/** Whether there may be words: some field can be searched. */
export function isSearched({ searchableAttributes }: Settings): boolean {
  return searchableAttributes === '*' || searchableAttributes.length > 0
}

/** Whether values of some field may be kept for filters, facets, sorting or distinct. */
export function keepsValues(settings: Settings): boolean {
  const { filterableAttributes, sortableAttributes, distinctAttribute } = settings
  const isListed = filterableAttributes.length > 0 || sortableAttributes.length > 0 || distinctAttribute !== null
  return isListed || rankingsOf(settings).size > 0
}

/** Whether `_geo` of documents is read: only when it is named as it is (spec 3 §8.1). */
export function isGeoEnabled(settings: Settings): boolean {
  return settings.sortableAttributes.includes('_geo') || hasPlainFilter(settings, '_geo')
}

/** Whether `_geojson` of documents is read (spec 3 §8.2). */
export function isGeoJsonEnabled(settings: Settings): boolean {
  return hasPlainFilter(settings, '_geojson')
}
