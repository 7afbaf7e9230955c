import { fail, ok, type Result } from '../errors/index.js'
import type { EmbedderPatch } from './embedders/patch.js'
import type { SettingsPatch } from './patch.js'

/** The experimental features that settings depend on, and whether each is on. */
export interface SettingFeatures {
  readonly compositeEmbedders: boolean
  readonly multimodal: boolean
  readonly chatCompletions: boolean
  readonly foreignKeys: boolean
}

interface Need {
  readonly action: string
  readonly feature: keyof SettingFeatures
}

/** Refuses the first thing in a request whose feature is off (spec 4 §1.4, step 7). Resets need no feature. */
export function checkFeatures(patch: SettingsPatch, features: SettingFeatures): Result<undefined> {
  const missing = needsOf(patch).find(({ feature }) => !features[feature])
  return missing ? fail('feature_not_enabled', missing.action, missing.feature) : ok(undefined)
}

function needsOf({ embedders, chat, foreignKeys }: SettingsPatch): Need[] {
  const needs: Need[] = []
  for (const [name, wanted] of typeof embedders === 'object' ? embedders.set : []) {
    if (wanted !== 'reset') needs.push(...embedderNeeds(name, wanted.set))
  }
  if (typeof chat === 'object') needs.push({ action: 'Setting `chat`', feature: 'chatCompletions' })
  if (typeof foreignKeys === 'object') needs.push({ action: 'Setting `foreignKeys`', feature: 'foreignKeys' })
  return needs
}

const GATED_FIELDS = [
  ['searchEmbedder', 'compositeEmbedders'],
  ['indexingEmbedder', 'compositeEmbedders'],
  ['indexingFragments', 'multimodal'],
  ['searchFragments', 'multimodal'],
] as const

function embedderNeeds(name: string, patch: EmbedderPatch): Need[] {
  const isComposite = typeof patch.source === 'object' && patch.source.set === 'composite'
  const source: Need[] = isComposite
    ? [{ action: `Setting \`.embedders.${name}.source\` to \`composite\``, feature: 'compositeEmbedders' }]
    : []
  const fields = GATED_FIELDS.filter(([field]) => typeof patch[field] === 'object')
  return [
    ...source,
    ...fields.map(([field, feature]) => ({ action: `Setting \`.embedders.${name}.${field}\``, feature })),
  ]
}
