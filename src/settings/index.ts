/** What can be set for an index: how a setting is checked, merged, stored, shown, and what a change of it means. */
export { applyPatch, applyPatches } from './apply.js'
export {
  compileFieldRoles,
  type FieldRole,
  type FieldRoles,
  isGeoEnabled,
  isGeoJsonEnabled,
  isSearched,
  keepsValues,
} from './attributes.js'
export { decodeSettings, encodeSettings } from './codec.js'
export { changedParts } from './difference.js'
export type { EmbedderChange } from './embedders/difference.js'
export {
  DEFAULT_DOCUMENT_TEMPLATE,
  type Distribution,
  type Embedder,
  type Fragments,
  type SubEmbedder,
} from './embedders/model.js'
export { builtInDistribution, openAiDimensions } from './embedders/open-ai-models.js'
export type { SettingFeatures } from './features.js'
export { canonicalLocale, localeCodes } from './locales.js'
export { matchesName, matchesPattern } from './matchers.js'
export {
  type BuiltInRule,
  type ChatSettings,
  defaultSettings,
  type FacetOrder,
  type FilterableRule,
  type MatchingStrategy,
  matchingStrategies,
  type RankingRule,
  type SettingName,
  type Settings,
  settingNames,
  type TypoTolerance,
} from './model.js'
export { resetAll, resetOne, type SettingsPatch } from './patch.js'
export { patchText } from './patch-text.js'
export { settingRoutes } from './routes.js'
export { checkPatch, readPatch, settingBody, settingsBody } from './shape.js'
export { dumpView, patchDetails, settingsView, settingView, storedPatch } from './view.js'
export type { WordForms } from './word-forms.js'
