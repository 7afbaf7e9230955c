import type { JsonValue } from '../../json/index.js'

/**
 * Request filter AND tenant rule: both as arrays, joined (spec 1 §4.9). Undefined and null mean that there is none.
 * Values that are no filters at all are passed on, for the parser to refuse.
 */
export function mergeFilters(request: JsonValue | undefined, rule: JsonValue | undefined): JsonValue | undefined {
  if (rule === undefined || rule === null) return request
  if (request === undefined || request === null) return rule
  return [...itemsOf(request), ...itemsOf(rule)]
}

function itemsOf(filter: JsonValue): JsonValue[] {
  return Array.isArray(filter) ? filter : [filter]
}
