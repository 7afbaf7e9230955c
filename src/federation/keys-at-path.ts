import { normalizeStoredFacet } from '../columns/index.js'
import { isObject, type JsonObject, type JsonValue, toDouble } from '../json/index.js'
import type { FacetKeys } from './model.js'

/** What an object has at a dotted path, through objects and arrays and under names with dots (spec 8 §1.8). */
export function keysAtPath(object: JsonObject, path: string): FacetKeys {
  const keys = new Set<number | string>()
  collectMembers(object, path, keys)
  return [...keys]
}

function collectMembers(object: JsonObject, path: string, keys: Set<number | string>): void {
  for (const [name, value] of object) {
    if (name === path) collectValues(value, keys)
    else if (path.startsWith(`${name}.`)) descend(value, path.slice(name.length + 1), keys)
  }
}

function descend(value: JsonValue, path: string, keys: Set<number | string>): void {
  if (isObject(value)) collectMembers(value, path, keys)
  else if (Array.isArray(value)) for (const item of value) descend(item, path, keys)
}

/** Null and objects are no values. */
function collectValues(value: JsonValue, keys: Set<number | string>): void {
  if (Array.isArray(value)) for (const item of value) collectValues(item, keys)
  const number = toDouble(value)
  if (number !== undefined) keys.add(number)
  else if (typeof value === 'boolean') keys.add(String(value))
  else if (typeof value === 'string' && value !== '') keys.add(normalizeStoredFacet(value))
}
