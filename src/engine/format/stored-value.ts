import { storedJson } from '../../documents/index.js'
import type { JsonValue } from '../../json/index.js'

/** The value of stored JSON text. Strings, mostly the longest values of a document, are read by the JavaScript engine. */
export function storedValue(json: string): JsonValue {
  return json.startsWith('"') ? (JSON.parse(json) as string) : storedJson(json)
}
