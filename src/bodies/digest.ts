import { ok, type Result } from '../errors/index.js'
import { type JsonValue, print } from '../json/index.js'
import {
  type checkPatch,
  decodeSettings,
  patchText,
  type SettingFeatures,
  type SettingName,
  type Settings,
  settingBody,
  settingsBody,
  settingsView,
  settingView,
} from '../settings/index.js'
import { anyJson, arrayOf, checkBody, parseBody, type Shape } from '../shape/index.js'

/** What has to be made of a body, or of other bytes, that may be large. */
export type DigestRequest =
  | { readonly kind: 'documentIds' }
  /** `setting`: the one whose route it is, or null for that of all. */
  | { readonly kind: 'settings'; readonly setting: SettingName | null; readonly features: SettingFeatures }
  /** The bytes are not a body but settings that an index stores, which are large when such a body was. */
  | { readonly kind: 'shownSettings'; readonly setting: SettingName | null; readonly features: SettingFeatures }

export type DigestKind = DigestRequest['kind']

/**
 * What comes out: as few objects as possible, however large the body was, since they are copied from thread to thread
 * and each costs its time on both sides.
 */
export interface Digests {
  readonly documentIds: IdList
  /** JSON text of the patch as tasks keep it; a refusal that comes after those of the path. */
  readonly settings: Result<string>
  /** The JSON of an answer. */
  readonly shownSettings: ShownSettings
}

export interface ShownSettings {
  readonly json: Uint8Array
}

export interface IdList {
  readonly count: number
  /** JSON text of the list of ids, each a string. */
  readonly json: Uint8Array
}

export const documentIdsBody = arrayOf(anyJson)

export const shapeOf = (setting: SettingName | null): Shape<Parameters<typeof checkPatch>[0]> =>
  setting === null ? settingsBody : settingBody(setting)

/** Reads, checks and condenses a body. Takes seconds for the largest. */
export function digestBody<R extends DigestRequest>(request: R, bytes: Uint8Array): Result<Digests[R['kind']]> {
  if (request.kind === 'shownSettings') return ok(showSettings(request, bytes)) as Result<Digests[R['kind']]>
  const parsed = parseBody(bytes)
  // The cases go by the kind of the request, which is what the type of the answer says.
  return (parsed.ok ? digestOf(request, parsed.value) : parsed) as Result<Digests[R['kind']]>
}

function digestOf(
  request: Exclude<DigestRequest, { kind: 'shownSettings' }>,
  value: JsonValue,
): Result<Digests[DigestKind]> {
  switch (request.kind) {
    case 'documentIds': {
      const ids = checkBody(documentIdsBody, value)
      return ids.ok ? ok(idList(ids.value)) : ids
    }
    case 'settings': {
      const patch = checkBody(shapeOf(request.setting), value)
      return patch.ok ? ok(patchText(patch.value, request.features)) : patch
    }
  }
}

type ShowSettingsRequest = Extract<DigestRequest, { kind: 'shownSettings' }>

function showSettings({ setting, features }: ShowSettingsRequest, bytes: Uint8Array): ShownSettings {
  return { json: Buffer.from(print(viewOf(decodeSettings(bytes), setting, features))) }
}

/** As `GET` shows them: one, or all. */
export function viewOf(settings: Settings, setting: SettingName | null, features: SettingFeatures): JsonValue {
  return setting === null ? settingsView(settings, features) : settingView(settings, setting)
}

function idList(ids: readonly JsonValue[]): IdList {
  const texts = ids.map((id) => JSON.stringify(idText(id)))
  return { count: texts.length, json: Buffer.from(`[${texts.join(',')}]`) }
}

/** A string is used as it is, everything else by its JSON text (spec 3 §5). */
const idText = (id: JsonValue): string => (typeof id === 'string' ? id : print(id))
