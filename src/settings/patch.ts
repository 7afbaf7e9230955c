import type { Change } from './change.js'
import type { ChatPatch } from './chat.js'
import type { EmbeddersPatch } from './embedders/patch.js'
import type { FacetingPatch, PaginationPatch } from './faceting.js'
import type { SentLocalizedRule } from './localized-attributes.js'
import {
  type FilterableRule,
  type ForeignKey,
  type PrefixSearch,
  type ProximityPrecision,
  type RankingRule,
  type SettingName,
  settingNames,
} from './model.js'
import type { TypoTolerancePatch } from './typo-tolerance.js'

/** What a request can set each setting to: what was sent, checked, but neither merged nor normalized. */
export interface SentSettings {
  readonly displayedAttributes: readonly string[]
  readonly searchableAttributes: readonly string[]
  readonly filterableAttributes: readonly FilterableRule[]
  readonly sortableAttributes: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly rankingRules: readonly RankingRule[]
  readonly stopWords: readonly string[]
  readonly nonSeparatorTokens: readonly string[]
  readonly separatorTokens: readonly string[]
  readonly dictionary: readonly string[]
  readonly synonyms: ReadonlyMap<string, readonly string[]>
  readonly distinctAttribute: string
  readonly proximityPrecision: ProximityPrecision
  readonly typoTolerance: TypoTolerancePatch
  readonly faceting: FacetingPatch
  readonly pagination: PaginationPatch
  readonly embedders: EmbeddersPatch
  readonly searchCutoffMs: number
  readonly localizedAttributes: readonly SentLocalizedRule[]
  readonly facetSearch: boolean
  readonly prefixSearch: PrefixSearch
  readonly chat: ChatPatch
}

/** A request to change settings. Absent settings are not touched. */
export type SettingsPatch = { readonly [Name in SettingName]?: Change<SentSettings[Name]> }

/** Takes every setting back to its default. */
export const resetAll: SettingsPatch = Object.fromEntries(settingNames.map((name) => [name, 'reset']))

/** Takes one setting back to its default. */
export function resetOne(name: SettingName): SettingsPatch {
  return { [name]: 'reset' }
}
