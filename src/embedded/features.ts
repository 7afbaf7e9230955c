import type { SearchGates } from '../engine/index.js'
import type { SettingFeatures } from '../settings/index.js'

/** Experimental features, by their names in the HTTP interface. All are off unless given. */
export interface Features extends SearchGates, SettingFeatures {}

export const NO_FEATURES: Features = {
  containsFilter: false,
  foreignKeys: false,
  network: false,
  multimodal: false,
  legacySearch: false,
  compositeEmbedders: false,
  chatCompletions: false,
}
