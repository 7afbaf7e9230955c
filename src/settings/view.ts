import { sortedByName } from '../byte-order/index.js'
import { isObject, type JsonObject, type JsonValue } from '../json/index.js'
import { IN_CLEAR, MASKED, type Secrecy } from '../secret/index.js'
import { definitionOf } from './definitions.js'
import type { SettingFeatures } from './features.js'
import { type SettingName, type Settings, settingNames } from './model.js'
import type { SettingsPatch } from './patch.js'

/** `GET …/settings`: settings whose feature is off are left out (spec 4 §1.7). */
export function settingsView(settings: Settings, features: SettingFeatures): JsonObject {
  return printSettings(settings, MASKED, (name) => isShown(name, features))
}

function isShown(name: SettingName, features: SettingFeatures): boolean {
  if (name === 'foreignKeys') return features.foreignKeys
  return name !== 'chat' || features.chatCompletions
}

/** `GET` of one setting, whatever the features. */
export function settingView(settings: Settings, name: SettingName): JsonValue {
  return definitionOf(name).printValue(settings[name], MASKED)
}

/** All settings as dumps hold them, secrets in clear (spec 2 §6.2). */
export function dumpView(settings: Settings): JsonObject {
  return printSettings(settings, IN_CLEAR, () => true)
}

function printSettings(settings: Settings, secrecy: Secrecy, isWanted: (name: SettingName) => boolean): JsonObject {
  const printed: JsonObject = new Map()
  for (const name of settingNames.filter(isWanted)) {
    printed.set(name, definitionOf(name).printValue(settings[name], secrecy))
  }
  return printed
}

/** The details of a task: exactly the settings of the request (spec 4 §1.6). */
export function patchDetails(patch: SettingsPatch): JsonObject {
  return printPatch(patch, MASKED)
}

/** A request as it is stored with its task, secrets in clear; `readPatch` reads it back. */
export function storedPatch(patch: SettingsPatch): JsonObject {
  return printPatch(patch, IN_CLEAR)
}

function printPatch(patch: SettingsPatch, secrecy: Secrecy): JsonObject {
  const printed: JsonObject = new Map()
  for (const name of settingNames) {
    const wanted = patch[name]
    if (wanted === undefined) continue
    const { printSent, printedReset } = definitionOf(name)
    printed.set(name, wanted === 'reset' ? printedReset : printSent(wanted.set, secrecy))
  }
  return printed
}

/** The details of a batch: the later task wins setting by setting, embedders are merged by name (spec 2 §3.2). */
export function foldDetails(earlier: JsonObject, later: JsonObject): JsonObject {
  const merged = new Map(earlier)
  for (const [name, value] of later) {
    const before = merged.get(name)
    const areEmbedders = name === 'embedders' && isObject(before) && isObject(value)
    merged.set(name, areEmbedders ? sortedByName([...before, ...value]) : value)
  }
  return new Map(settingNames.flatMap((name) => (merged.has(name) ? [[name, merged.get(name)!] as const] : [])))
}
