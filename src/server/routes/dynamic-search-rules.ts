import { fail, ok, type Result } from '../../errors/index.js'
import { type JsonValue, print } from '../../json/index.js'
import type { SearchRule } from '../../rank/index.js'
import { matchesPattern } from '../../settings/index.js'
import { isIndexUid } from '../../shape/index.js'
import { type RuleListBody, ruleListBody, rulePatch, ruleView } from '../../state/index.js'
import { empty, jsonText } from '../answers/answer.js'
import { type FeatureGate, jsonBody, type Outcome, route } from '../http/route.js'

const feature: FeatureGate = { name: 'dynamicSearchRules', doing: 'Using dynamic search rules' }

const DEFAULT_LIMIT = 20

export const routes = [
  route({
    method: 'POST',
    path: '/dynamic-search-rules',
    action: 'dynamicSearchRules.get',
    feature,
    body: jsonBody(ruleListBody),
    handle({ body, context }) {
      const { offset = 0, limit = DEFAULT_LIMIT } = body
      const rules = context.rules.list().filter((rule) => isSelected(rule, body.filter ?? null))
      const members: [string, JsonValue][] = [
        ['results', rules.slice(offset, offset + limit).map(ruleView)],
        ['offset', offset],
        ['limit', limit],
        ['total', rules.length],
      ]
      return jsonText(200, print(new Map(members)))
    },
  }),

  route({
    method: 'GET',
    path: '/dynamic-search-rules/{uid}',
    action: 'dynamicSearchRules.get',
    feature,
    handle({ params, context }) {
      const rule = context.rules.get(params.uid)
      return rule.ok ? answer(200, rule.value) : rule
    },
  }),

  route({
    method: 'PATCH',
    path: '/dynamic-search-rules/{uid}',
    action: 'dynamicSearchRules.update',
    feature,
    body: jsonBody(rulePatch),
    async handle({ params, body, context }) {
      const uid = readUid(params.uid)
      const patched = uid.ok ? await context.rules.patch(uid.value, body) : uid
      return patched.ok ? answer(patched.value.isNew ? 201 : 200, patched.value.rule) : patched
    },
  }),

  route({
    method: 'DELETE',
    path: '/dynamic-search-rules/{uid}',
    action: 'dynamicSearchRules.delete',
    feature,
    async handle({ params, context }) {
      const deleted = await context.rules.delete(params.uid)
      return deleted.ok ? empty(204) : deleted
    },
  }),
]

/** There is no rule with such a name, and there never will be. */
const readUid = (uid: string): Result<string> =>
  isIndexUid(uid) ? ok(uid) : fail('dynamic_search_rule_not_found', uid)

const answer = (status: number, rule: SearchRule): Outcome => jsonText(status, print(ruleView(rule)))

/** The patterns are for uids, whatever their name says (spec 8 §4.4). */
function isSelected({ uid, active }: SearchRule, filter: NonNullable<RuleListBody['filter']> | null): boolean {
  const { attributePatterns = null, active: wanted = null } = filter ?? {}
  if (wanted !== null && wanted !== active) return false
  return attributePatterns === null || attributePatterns.some((pattern) => matchesPattern(pattern, uid))
}
