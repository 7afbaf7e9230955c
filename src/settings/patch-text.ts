import { ok, type Result } from '../errors/index.js'
import { print } from '../json/index.js'
import { checkFeatures, type SettingFeatures } from './features.js'
import type { SettingsPatch } from './patch.js'
import { checkPatch } from './shape.js'
import { storedPatch } from './view.js'

/** The JSON text in which tasks keep a patch, once all of it is right (spec 4 §1.4, steps 7 to 9). */
export function patchText(patch: SettingsPatch, features: SettingFeatures): Result<string> {
  const allowed = checkFeatures(patch, features)
  if (!allowed.ok) return allowed
  const checked = checkPatch(patch)
  return checked.ok ? ok(print(storedPatch(patch))) : checked
}
