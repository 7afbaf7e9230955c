import { Float, type JsonValue, numberText } from '../json/index.js'

/** The text that is searched for in a JSON value (spec 5 §2.2); undefined for null, objects and arrays. */
export function valueText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return numberText(value)
  return undefined
}
