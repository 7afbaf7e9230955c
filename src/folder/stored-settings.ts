import { decodeSettings, defaultSettings, type Settings } from '../settings/index.js'
import type { IndexFolder } from './index-folder.js'

/** The settings of an index, the defaults as long as nobody changed them. */
export function readSettings(folder: IndexFolder): Settings {
  const bytes = folder.settingsBytes()
  return bytes === undefined ? defaultSettings : decodeSettings(bytes)
}
