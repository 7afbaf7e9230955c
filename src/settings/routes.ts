import { definitionOf } from './definitions.js'
import { type SettingName, settingNames } from './model.js'

/** Where one setting is reached (spec 4 §1.2). */
interface SettingRoute {
  readonly name: SettingName
  /** Below `/indexes/{uid}/settings/`. */
  readonly path: string
  readonly verb: 'PUT' | 'PATCH'
}

export const settingRoutes: readonly SettingRoute[] = settingNames.map((name) => {
  const { path, verb } = definitionOf(name)
  return { name, path, verb }
})
