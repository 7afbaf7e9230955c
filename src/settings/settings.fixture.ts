import { sortedUnique } from '../byte-order/index.js'
import type { ErrorCode, Result } from '../errors/index.js'
import { type JsonValue, parse } from '../json/index.js'
import { checkBody } from '../shape/index.js'
import { applyPatches } from './apply.js'
import { checkFeatures, type SettingFeatures } from './features.js'
import { defaultSettings, type SettingName, type Settings } from './model.js'
import type { SettingsPatch } from './patch.js'
import { checkPatch, settingBody, settingsBody } from './shape.js'
import type { WordForms } from './word-forms.js'

export const ALL_ON: SettingFeatures = {
  compositeEmbedders: true,
  multimodal: true,
  chatCompletions: true,
  foreignKeys: true,
}
export const ALL_OFF: SettingFeatures = {
  compositeEmbedders: false,
  multimodal: false,
  chatCompletions: false,
  foreignKeys: false,
}

/** Stands in for text analysis. */
export const forms: WordForms = {
  stopWords: (words) => sortedUnique(words.map((word) => word.normalize('NFKD'))),
  exactWords: (words) => sortedUnique(words.map((word) => word.toLowerCase())),
}

export function json(text: string): JsonValue {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

/** The body of a request, as text (which tells `1` from `1.0`) or as data. */
export type Body = string | object

const asJson = (body: Body): JsonValue => json(typeof body === 'string' ? body : JSON.stringify(body))

/** All checks that a request goes through before its task is registered. */
export function receive(body: Body, features = ALL_ON): Result<SettingsPatch> {
  return afterShape(checkBody(settingsBody, asJson(body)), features)
}

export function receiveOne(name: SettingName, body: Body, features = ALL_ON): Result<SettingsPatch> {
  return afterShape(checkBody(settingBody(name), asJson(body)), features)
}

function afterShape(patch: Result<SettingsPatch>, features: SettingFeatures): Result<SettingsPatch> {
  if (!patch.ok) return patch
  const gates = checkFeatures(patch.value, features)
  if (!gates.ok) return gates
  const checked = checkPatch(patch.value)
  return checked.ok ? patch : checked
}

export function patchOf(body: Body): SettingsPatch {
  return must(receive(body))
}

/** The code of a failure, or `ok`. */
export function codeOf(result: Result<unknown>): ErrorCode | 'ok' {
  return result.ok ? 'ok' : result.failure.code
}

/** The requests of one batch on an index. */
export function applyTo(settings: Settings, ...bodies: readonly Body[]): Result<Settings> {
  return applyPatches(settings, bodies.map(patchOf), forms)
}

/** One task after the other, each of which must succeed. */
export function settingsAfter(...bodies: readonly Body[]): Settings {
  return bodies.reduce((settings: Settings, body) => must(applyTo(settings, body)), defaultSettings)
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`)
  return result.value
}
