import { ok, type Result } from '../errors/index.js'
import { isObject, type JsonObject, type JsonValue, wrongType } from '../json/index.js'
import { checkBody, type Field, named, object, optional, refuse, type Shape } from '../shape/index.js'
import { change } from './change.js'
import { definitionOf } from './definitions.js'
import { checkEmbedder } from './embedders/check.js'
import { type SettingName, settingNames } from './model.js'
import type { SettingsPatch } from './patch.js'
import { checkRuleMix } from './ranking-rules.js'

function settingField(name: SettingName): Field<unknown> {
  const { shape, code } = definitionOf(name)
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  return optional(named(title, change(shape)), code)
}

/** The body of `PATCH …/settings`: shape only (spec 4 §1.4, step 4). */
export const settingsBody = named(
  'Settings',
  object(Object.fromEntries(settingNames.map((name) => [name, settingField(name)])), { code: 'bad_request' }),
) as Shape<unknown> as Shape<SettingsPatch>

/** The body of the route of one setting: the bare value, or null. Everything wrong in it has the setting's code. */
export function settingBody(name: SettingName): Shape<SettingsPatch> {
  const { shape, code } = settingField(name)
  return {
    expected: shape.expected,
    describe: (names) => ({ ...shape.describe(names), 'x-error-codes': [code] }),
    check(value, { path }) {
      const checked = shape.check(value, { path, code })
      return checked.ok ? ok({ [name]: checked.value }) : checked
    },
  }
}

/**
 * What of a request can be judged without the stored settings (spec 4 §1.4, step 8). Comes after the format of the
 * index uid and after the experimental features.
 */
export function checkPatch({ rankingRules, embedders }: SettingsPatch): Result<undefined> {
  const mix = typeof rankingRules === 'object' ? checkRuleMix(rankingRules.set) : ok(undefined)
  if (!mix.ok || typeof embedders !== 'object') return mix
  for (const [name, wanted] of embedders.set) {
    const checked = wanted === 'reset' ? ok(undefined) : checkEmbedder(name, wanted.set, 'request')
    if (!checked.ok) return checked
  }
  return ok(undefined)
}

/** Settings as dumps and stored tasks hold them. Names that are no settings, or no longer, are passed over. */
export function readPatch(stored: JsonValue): Result<SettingsPatch> {
  if (!isObject(stored)) return refuse('bad_request', wrongType('', 'an object', stored))
  const known: JsonObject = new Map()
  for (const name of settingNames) {
    const value = stored.get(name)
    if (value !== undefined) known.set(name, value)
  }
  return checkBody(settingsBody, known)
}
