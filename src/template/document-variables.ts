import type { JsonObject, JsonValue } from '../json/index.js'
import type { Variables } from './scope.js'

const RESERVED = new Set(['_vectors', '_geo', '_geojson'])

/**
 * What the templates of documents see: `doc`, and `fields` with one object for each of its attributes (spec 3 §7.1), or
 * of those of `listed`, where not all may be shown to whoever did not name them.
 */
export function documentVariables(
  document: JsonObject,
  isSearchable: (name: string) => boolean,
  listed: JsonObject = document,
): Variables {
  const attributes = attributesOf(document)
  const fields = (listed === document ? attributes : attributesOf(listed)).map(
    ([name, value]) =>
      new Map<string, JsonValue>([
        ['name', name],
        ['value', value],
        ['is_searchable', isSearchable(name)],
      ]),
  )
  return new Map<string, JsonValue>([
    ['doc', new Map(attributes)],
    ['fields', fields],
  ])
}

const attributesOf = (document: JsonObject): [string, JsonValue][] =>
  [...document].filter(([name]) => !RESERVED.has(name))
