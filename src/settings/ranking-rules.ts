import { fail, ok, type Result } from '../errors/index.js'
import { refined, type Shape, text, unknownChoice } from '../shape/index.js'
import { type BuiltInRule, builtInRules, type CustomRule, type RankingRule } from './model.js'

const RESERVED = new Set([
  '_geo',
  '_geojson',
  '_geoDistance',
  '_geoPoint',
  '_geoRadius',
  '_geoBoundingBox',
  '_geoPolygon',
])
const RESERVED_CALLS = ['_geoRadius(', '_geoBoundingBox(', '_geo(', '_geoDistance(']

/** A built-in name, or `<attribute>:asc` or `<attribute>:desc`, cut at the last colon (spec 4 §3.5). */
export const rankingRule: Shape<RankingRule> = refined<string, RankingRule>(text, (rule, place) => {
  if (isBuiltIn(rule)) return ok(rule)
  const custom = parseCustomRule(rule)
  if (!custom) return unknownRule(rule, place.path)
  if (!isReserved(custom.attribute)) return ok(custom)
  return `${JSON.stringify(rule)} is not a ranking rule, since ${JSON.stringify(custom.attribute)} is a reserved word`
})

function isBuiltIn(rule: string): rule is BuiltInRule {
  return (builtInRules as readonly string[]).includes(rule)
}

function parseCustomRule(rule: string): CustomRule | undefined {
  const colon = rule.lastIndexOf(':')
  const direction = rule.slice(colon + 1)
  if (colon === -1 || (direction !== 'asc' && direction !== 'desc')) return undefined
  return { attribute: rule.slice(0, colon), direction }
}

function unknownRule(rule: string, path: string): Result<never> {
  const known = unknownChoice(path, rule, builtInRules)
  return fail(
    'invalid_settings_ranking_rules',
    `${known} A rule of your own is \`<attribute>:asc\` or \`<attribute>:desc\`.`,
  )
}

function isReserved(attribute: string): boolean {
  if (RESERVED.has(attribute) || RESERVED_CALLS.some((call) => attribute.startsWith(call))) return true
  return attribute.startsWith('_geoPoint(') && attribute.endsWith(')')
}

/** `attribute` stands for the other two, so it cannot be listed beside them. */
export function checkRuleMix(rules: readonly RankingRule[]): Result<undefined> {
  const found = (['attributeRank', 'wordPosition'] as const).filter((rule) => rules.includes(rule))
  if (!rules.includes('attribute') || found.length === 0) return ok(undefined)
  const names = found.map((rule) => `\`${rule}\``).join(' and ')
  return fail(
    'invalid_settings_ranking_rules',
    `\`rankingRules\`: \`attribute\` cannot be mixed with ${names}, which it consists of: list either \`attribute\`, or \`attributeRank\` and \`wordPosition\`.`,
  )
}

export function printRankingRule(rule: RankingRule): string {
  return typeof rule === 'string' ? rule : `${rule.attribute}:${rule.direction}`
}
