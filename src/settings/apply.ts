import { ok, type Result } from '../errors/index.js'
import type { Change } from './change.js'
import { applyChat, checkChat } from './chat.js'
import { applyEmbedders } from './embedders/apply.js'
import { applyFaceting, applyPagination } from './faceting.js'
import { resolveLocalizedRule } from './localized-attributes.js'
import { type Attributes, defaultSettings, type SettingName, type Settings } from './model.js'
import type { SentSettings, SettingsPatch } from './patch.js'
import { applyTypoTolerance, checkWordSizes } from './typo-tolerance.js'
import type { WordForms } from './word-forms.js'

/** Embedders are not here: they are checked as they are merged. */
type Mergeable = Exclude<SettingName, 'embedders'>

type Merges = {
  readonly [Name in Mergeable]: (sent: SentSettings[Name], current: Settings[Name], forms: WordForms) => Settings[Name]
}

const replace = <T>(sent: T): T => sent

const merges: Merges = {
  displayedAttributes: resolveAttributes,
  searchableAttributes: resolveAttributes,
  filterableAttributes: replace,
  sortableAttributes: replace,
  foreignKeys: replace,
  rankingRules: replace,
  stopWords: (words, _current, forms) => forms.stopWords(words),
  nonSeparatorTokens: replace,
  separatorTokens: replace,
  dictionary: replace,
  synonyms: replace,
  distinctAttribute: replace,
  proximityPrecision: replace,
  typoTolerance: (sent, current, forms) => applyTypoTolerance(current, sent, forms),
  faceting: (sent, current) => applyFaceting(current, sent),
  pagination: (sent, current) => applyPagination(current, sent),
  searchCutoffMs: replace,
  localizedAttributes: (rules) => rules.map(resolveLocalizedRule),
  facetSearch: replace,
  prefixSearch: replace,
  chat: (sent, current) => applyChat(current, sent),
}

/** Later duplicates go; a `*` anywhere means all. */
function resolveAttributes(sent: readonly string[]): Attributes {
  return sent.includes('*') ? '*' : [...new Set(sent)]
}

/** The settings after one request, or why it cannot be done. Nothing of what is handed in changes. */
export function applyPatch(settings: Settings, patch: SettingsPatch, forms: WordForms): Result<Settings> {
  return applyPatches(settings, [patch], forms)
}

/**
 * The settings after all requests of a batch, in their order. They are merged first and checked once, so a later
 * request may mend what an earlier one breaks; if the outcome is wrong none of them counts (spec 4 §1.6). Problems
 * are reported in the order embedders, word sizes for typos, chat template.
 */
export function applyPatches(
  settings: Settings,
  patches: readonly SettingsPatch[],
  forms: WordForms,
): Result<Settings> {
  const embedders = applyEmbedders(
    settings.embedders,
    patches.flatMap((patch) => patch.embedders ?? []),
  )
  if (!embedders.ok) return embedders
  const merged = { ...mergeAll(settings, patches, forms), embedders: embedders.value }
  const sizes = checkWordSizes(merged.typoTolerance)
  if (!sizes.ok) return sizes
  const chat = checkChat(merged.chat)
  return chat.ok ? ok(merged) : chat
}

function mergeAll(settings: Settings, patches: readonly SettingsPatch[], forms: WordForms): Settings {
  const merged: Record<string, unknown> = { ...settings }
  for (const patch of patches) {
    for (const name of Object.keys(merges) as Mergeable[]) {
      const wanted = patch[name]
      if (wanted !== undefined) merged[name] = mergeOne({ name, wanted, current: merged[name], forms })
    }
  }
  return merged as unknown as Settings
}

interface OneMerge {
  readonly name: Mergeable
  readonly wanted: Change<unknown>
  readonly current: unknown
  readonly forms: WordForms
}

function mergeOne({ name, wanted, current, forms }: OneMerge): unknown {
  if (wanted === 'reset') return defaultSettings[name]
  // Name, value and merge belong together by the type of `merges`.
  const merge = merges[name] as (sent: unknown, current: unknown, forms: WordForms) => unknown
  return merge(wanted.set, current, forms)
}
