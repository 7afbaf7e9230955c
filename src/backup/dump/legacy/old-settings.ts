import { isObject, type JsonObject, type JsonValue } from '../../../json/index.js'

const BUILT_IN_RULES = ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness']

/** The settings that versions before 0.30 know (spec 2 §6.4). */
const KNOWN = [
  'displayedAttributes',
  'searchableAttributes',
  'filterableAttributes',
  'sortableAttributes',
  'rankingRules',
  'stopWords',
  'synonyms',
  'distinctAttribute',
  'typoTolerance',
  'faceting',
  'pagination',
]

/** The settings of an old dump in the present form. `warn` hears about ranking rules that are no more. */
export function settingsFromOld(old: JsonObject, warn: (line: string) => void): JsonObject {
  const settings: JsonObject = new Map()
  for (const name of KNOWN) {
    const value = old.get(name)
    if (value !== undefined) settings.set(name, present(name, value, warn))
  }
  const faceting = old.get('attributesForFaceting')
  if (faceting === undefined) return settings
  return new Map([...settings, ['filterableAttributes', faceting], ['sortableAttributes', faceting]])
}

function present(name: string, value: JsonValue, warn: (line: string) => void): JsonValue {
  if (name === 'rankingRules' && Array.isArray(value)) return value.flatMap((rule) => presentRule(rule, warn))
  if (name === 'pagination' && isObject(value) && value.get('maxTotalHits') === 0) return new Map([['maxTotalHits', 1]])
  return value
}

/** `asc(price)` is `price:asc` today; what is not known any more goes. */
function presentRule(rule: JsonValue, warn: (line: string) => void): JsonValue[] {
  if (typeof rule !== 'string') return []
  const [, order, field] = /^(asc|desc)\(([^)]+)\)$/.exec(rule) ?? []
  if (order !== undefined) return [`${field}:${order}`]
  if (BUILT_IN_RULES.includes(rule) || /.:(asc|desc)$/.test(rule)) return [rule]
  warn(`the ranking rule ${JSON.stringify(rule)} is not known and left out`)
  return []
}
