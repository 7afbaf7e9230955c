import { sortedUnique } from '../../byte-order/index.js'
import type { FilterableRule } from '../../settings/index.js'

/** The names and patterns that allow some filter, in byte order, for messages. */
export function filterablePatterns(rules: readonly FilterableRule[]): string[] {
  return sortedUnique(
    rules.flatMap((rule) => {
      if (rule.kind === 'name') return [rule.name]
      return rule.features.equality || rule.features.comparison ? rule.patterns : []
    }),
  )
}

/** Geo filters look for the plain name `_geo` or `_geojson`; patterns do not turn them on (spec 6 §6.6). */
export function isPlainRule(rules: readonly FilterableRule[], name: '_geo' | '_geojson'): boolean {
  return rules.some((rule) => rule.kind === 'name' && rule.name === name)
}
