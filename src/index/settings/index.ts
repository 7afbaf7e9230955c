/**
 * The settings of an index: what they are, what a request may say about them, what they become, and what they mean
 * for a field or for stored data.
 *
 * A request body becomes a `SettingsPatch` by its shape (`settingsBody`, `settingBody`), then passes `checkFeatures`
 * and `checkPatch`; the task puts it on the stored `Settings` with `applyPatches`, and `changedParts` says what has to
 * be built again.
 */
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
export type { Change } from './change.js'
export { CorruptSettings, decodeSettings, encodeSettings } from './codec.js'
export { type ChangedParts, changedParts } from './difference.js'
export type { EmbedderChange, FragmentsChange } from './embedders/difference.js'
export {
  type CompositeEmbedder,
  DEFAULT_DOCUMENT_TEMPLATE,
  DEFAULT_DOCUMENT_TEMPLATE_MAX_BYTES,
  type Distribution,
  type Embedder,
  type EmbedderSource,
  type Fragments,
  type HuggingFaceEmbedder,
  type OllamaEmbedder,
  type OpenAiEmbedder,
  type Pooling,
  type RestEmbedder,
  type SubEmbedder,
  type UserProvidedEmbedder,
} from './embedders/model.js'
export { builtInDistribution, openAiDimensions } from './embedders/open-ai-models.js'
export { REPEAT } from './embedders/rest-template.js'
export { checkFeatures, type SettingFeatures } from './features.js'
export { canonicalLocale, localeCodes } from './locales.js'
export { matchesName, matchesPattern, NameList, PatternList } from './matchers.js'
export {
  type Attributes,
  type BuiltInRule,
  type ChatHybrid,
  type ChatSearchParameters,
  type ChatSettings,
  type CustomRule,
  defaultSettings,
  type Faceting,
  type FacetOrder,
  type FilterableRule,
  type FilterFeatures,
  type ForeignKey,
  type LocalizedRule,
  type MatchingStrategy,
  matchingStrategies,
  type Pagination,
  type PrefixSearch,
  type ProximityPrecision,
  type RankingRule,
  type SettingName,
  type Settings,
  settingNames,
  type TypoTolerance,
} from './model.js'
export { resetAll, resetOne, type SettingsPatch } from './patch.js'
export { settingRoutes } from './routes.js'
export { checkPatch, readPatch, settingBody, settingsBody } from './shape.js'
export { dumpView, foldDetails, patchDetails, settingsView, settingView, storedPatch } from './view.js'
export type { WordForms } from './word-forms.js'
