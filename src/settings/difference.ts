import { compileFieldRoles, type FieldRole, isGeoEnabled, isGeoJsonEnabled } from './attributes.js'
import { type EmbedderChange, embedderChanges } from './embedders/difference.js'
import type { Settings } from './model.js'
import { isSame } from './same.js'

/**
 * What a change of settings makes stale (spec 4 §7). Everything that is not here (displayed attributes, pagination,
 * orders of searchable attributes and ranking rules, typo sizes, ...) is read at search time and costs nothing.
 */
export interface ChangedParts {
  /** How text is cut into words changed: every word of every searchable field has to be found again. */
  readonly analysis: boolean
  /** Fields became searchable, or no longer are. */
  readonly searchableMembers: boolean
  /** Locales of fields changed. */
  readonly locales: boolean
  readonly proximityPrecision: boolean
  readonly prefixSearch: boolean
  /** `typoTolerance.disableOnAttributes`. */
  readonly exactAttributes: boolean
  /** `typoTolerance.disableOnNumbers`. */
  readonly exactNumbers: boolean
  /** The look-up of synonyms has to be built again: it depends on how text is cut, but not on stop words. */
  readonly synonyms: boolean
  /** Some field gains or loses facet data, or features of it. */
  readonly facets: boolean
  /** Data for facet search appears or goes away everywhere, or is normalized differently. */
  readonly facetSearch: boolean
  /** Positions of documents have to be read, or can go. */
  readonly geo: 'enabled' | 'disabled' | undefined
  readonly geoJson: 'enabled' | 'disabled' | undefined
  /** By name; embedders that stay as they are do not appear. */
  readonly embedders: ReadonlyMap<string, EmbedderChange>
  /** Whether the words of one field have to be found again. */
  isTextStale(field: string): boolean
  /** Whether the facet data of one field have to be built again. */
  isFacetStale(field: string): boolean
}

export function changedParts(before: Settings, after: Settings): ChangedParts {
  const parts = staleParts(before, after)
  const roles = { before: compileFieldRoles(before), after: compileFieldRoles(after) }
  return {
    ...parts,
    isTextStale(field) {
      const [old, now] = [roles.before.of(field), roles.after.of(field)]
      if (old.searchableRank === -1 && now.searchableRank === -1) return false
      return parts.analysis || isTextRoleChanged(old, now)
    },
    isFacetStale(field) {
      const [old, now] = [roles.before.of(field), roles.after.of(field)]
      const isFacet = old.hasFacetData || now.hasFacetData
      return isFacet && (parts.facetSearch || isFacetRoleChanged(old, now))
    },
  }
}

function staleParts(before: Settings, after: Settings): Omit<ChangedParts, 'isTextStale' | 'isFacetStale'> {
  const isChanged = (name: keyof Settings) => !isSame(before[name], after[name])
  const [oldTypos, newTypos] = [before.typoTolerance, after.typoTolerance]
  const segmentation = isChanged('separatorTokens') || isChanged('nonSeparatorTokens') || isChanged('dictionary')
  const searchableMembers = !areSameMembers(before.searchableAttributes, after.searchableAttributes)
  return {
    analysis: segmentation || isChanged('stopWords'),
    searchableMembers,
    locales: isChanged('localizedAttributes'),
    proximityPrecision: isChanged('proximityPrecision'),
    prefixSearch: isChanged('prefixSearch'),
    exactAttributes: !isSame(oldTypos.disableOnAttributes, newTypos.disableOnAttributes),
    exactNumbers: oldTypos.disableOnNumbers !== newTypos.disableOnNumbers,
    synonyms: segmentation || isChanged('synonyms'),
    facets: areFacetsChanged(before, after),
    facetSearch: isChanged('facetSearch'),
    geo: transition(isGeoEnabled(before), isGeoEnabled(after)),
    geoJson: transition(isGeoJsonEnabled(before), isGeoJsonEnabled(after)),
    embedders: embedderChanges(before.embedders, after.embedders, searchableMembers),
  }
}

function transition(before: boolean, after: boolean): 'enabled' | 'disabled' | undefined {
  if (before === after) return undefined
  return after ? 'enabled' : 'disabled'
}

function isTextRoleChanged(before: FieldRole, after: FieldRole): boolean {
  const isSearchableStill = (before.searchableRank === -1) === (after.searchableRank === -1)
  return !isSearchableStill || before.isExact !== after.isExact || !isSame(before.locales, after.locales)
}

/** Directions and comparison features are looked at when a search runs; that there are data is what counts. */
function isFacetRoleChanged(before: FieldRole, after: FieldRole): boolean {
  return (
    before.hasFacetData !== after.hasFacetData ||
    before.isFilterable !== after.isFilterable ||
    before.filter?.facetSearch !== after.filter?.facetSearch ||
    before.filter?.comparison !== after.filter?.comparison ||
    before.filter?.equality !== after.filter?.equality ||
    before.isSortable !== after.isSortable ||
    before.isDistinct !== after.isDistinct ||
    (before.ranking === undefined) !== (after.ranking === undefined) ||
    !isSame(before.locales, after.locales)
  )
}

function areFacetsChanged(before: Settings, after: Settings): boolean {
  const parts = ['filterableAttributes', 'sortableAttributes', 'distinctAttribute', 'localizedAttributes'] as const
  if (parts.some((name) => !isSame(before[name], after[name]))) return true
  return !areSameMembers(customAttributes(before), customAttributes(after))
}

function customAttributes({ rankingRules }: Settings): string[] {
  return rankingRules.flatMap((rule) => (typeof rule === 'object' ? rule.attribute : []))
}

/** The same names, in whatever order. */
function areSameMembers(before: Iterable<string>, after: Iterable<string>): boolean {
  const [left, right] = [new Set(before), new Set(after)]
  return left.size === right.size && [...left].every((name) => right.has(name))
}
