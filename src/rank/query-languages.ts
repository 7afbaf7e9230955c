import type { FieldScope, SearchIndex } from '../match/index.js'
import { searchableFields } from '../match/index.js'

/** The languages that a query may be in (spec 5 §3.2). */
export function queryLanguages(
  index: SearchIndex,
  scope: FieldScope,
  locales: readonly string[] | null,
): readonly string[] | undefined {
  if (locales !== null) return locales.length === 0 ? undefined : locales
  if (index.settings.localizedAttributes === null) return undefined
  const found = new Set<string>()
  for (const id of searchableFields(index).ids) {
    if (scope.searched?.[id] === 0) continue
    for (const locale of index.roles.of(index.nameOf(id)).locales ?? []) found.add(locale)
  }
  return found.size === 0 ? undefined : [...found]
}
