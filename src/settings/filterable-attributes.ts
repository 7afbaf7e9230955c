import { ok } from '../errors/index.js'
import type { JsonValue } from '../json/index.js'
import { wrongType } from '../json/index.js'
import { bool, object, optional, refined, refuse, required, type Shape, text } from '../shape/index.js'
import { texts } from './change.js'
import type { FilterableRule, FilterFeatures } from './model.js'

const CODE = 'invalid_settings_filterable_attributes'

/** What an entry with patterns allows unless it says otherwise (spec 4 §3.3). */
const patternFeatures: FilterFeatures = { facetSearch: false, equality: true, comparison: false }
/** What a plain name allows. */
export const nameFeatures: FilterFeatures = { facetSearch: true, equality: true, comparison: true }

const features: Shape<FilterFeatures> = refined(
  object(
    {
      facetSearch: optional(bool, CODE),
      filter: optional(object({ equality: optional(bool, CODE), comparison: optional(bool, CODE) }), CODE),
    },
    { code: CODE },
  ),
  ({ facetSearch, filter }) =>
    ok({
      facetSearch: facetSearch ?? patternFeatures.facetSearch,
      equality: filter?.equality ?? patternFeatures.equality,
      comparison: filter?.comparison ?? patternFeatures.comparison,
    }),
)

const patternRule: Shape<FilterableRule> = refined(
  object({ attributePatterns: required(texts, CODE, CODE), features: optional(features, CODE) }, { code: CODE }),
  (rule) =>
    ok({ kind: 'patterns', patterns: rule.attributePatterns, features: rule.features ?? patternFeatures } as const),
)

/** A string or an object. */
export const filterableRule: Shape<FilterableRule> = {
  expected: 'a string or an object',
  describe: (names) => ({ anyOf: [text.describe(names), patternRule.describe(names)] }),
  check(value, place) {
    if (typeof value === 'string') return ok({ kind: 'name', name: value })
    if (value instanceof Map) return patternRule.check(value, place)
    return refuse(place.code, wrongType(place.path, 'a string or an object', value))
  },
}

/** Features are always spelled out. */
export function printFilterableRule(rule: FilterableRule): JsonValue {
  if (rule.kind === 'name') return rule.name
  const { facetSearch, equality, comparison } = rule.features
  const filter = new Map([
    ['equality', equality],
    ['comparison', comparison],
  ])
  return new Map<string, JsonValue>([
    ['attributePatterns', [...rule.patterns]],
    [
      'features',
      new Map<string, JsonValue>([
        ['facetSearch', facetSearch],
        ['filter', filter],
      ]),
    ],
  ])
}
