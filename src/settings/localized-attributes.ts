import type { JsonValue } from '../json/index.js'
import { arrayOf, named, object, oneOf, required, type Shape } from '../shape/index.js'
import { texts } from './change.js'
import { canonicalLocale, localeCodes } from './locales.js'
import type { LocalizedRule } from './model.js'

const CODE = 'invalid_settings_localized_attributes'

/** A rule as it was sent: the locales are not normalized, since task details show what the client wrote. */
export interface SentLocalizedRule {
  readonly attributePatterns: readonly string[]
  readonly locales: readonly string[]
}

export const localizedRule: Shape<SentLocalizedRule> = object(
  {
    attributePatterns: required(texts, CODE, CODE),
    locales: required(arrayOf(named('Locale', oneOf(localeCodes))), CODE, CODE),
  },
  { code: CODE },
)

export function resolveLocalizedRule(rule: SentLocalizedRule): LocalizedRule {
  return {
    patterns: rule.attributePatterns,
    // The shape lets known codes pass only.
    locales: rule.locales.map((code) => canonicalLocale(code)!),
  }
}

export function printLocalizedRule(patterns: readonly string[], locales: readonly string[]): JsonValue {
  return new Map<string, JsonValue>([
    ['attributePatterns', [...patterns]],
    ['locales', [...locales]],
  ])
}
