import type { JsonObject, JsonValue } from '../json/index.js'
import type { Variables } from './scope.js'

const RESERVED = new Set(['_vectors', '_geo', '_geojson'])

/** What the templates of documents see: `doc`, and `fields` with one object for each of its attributes (spec 3 §7.1). */
export function documentVariables(document: JsonObject, isSearchable: (name: string) => boolean): Variables {
  const doc: JsonObject = new Map()
  const fields: JsonValue[] = []
  for (const [name, value] of document) {
    if (RESERVED.has(name)) continue
    doc.set(name, value)
    fields.push(
      new Map<string, JsonValue>([
        ['name', name],
        ['value', value],
        ['is_searchable', isSearchable(name)],
      ]),
    )
  }
  return new Map<string, JsonValue>([
    ['doc', doc],
    ['fields', fields],
  ])
}
