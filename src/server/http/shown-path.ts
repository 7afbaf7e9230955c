import { maskSecret } from '../../secret/index.js'
import { parseUuid } from '../../shape/index.js'

const KEYS = '/keys/'

/** Values of keys have this form, and may stand in any path by mistake. */
const KEY_VALUE = /[0-9a-f]{64}/gi

/** A path as logs and metrics may show it: keys can be named in paths by their values (spec 1 §4.7). */
export function shownPath(path: string): string {
  if (path.startsWith(KEYS)) {
    const name = path.slice(KEYS.length)
    return parseUuid(name) !== undefined ? path : KEYS + maskSecret(name)
  }
  return path.length > 64 ? path.replace(KEY_VALUE, maskSecret) : path
}
