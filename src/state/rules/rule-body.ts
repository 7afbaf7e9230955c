import { ok, quoted, type Result } from '../../errors/index.js'
import type { RuleAction, RuleCondition, RuleTime } from '../../rank/index.js'
import {
  arrayOf,
  bool,
  type Checked,
  indexUid,
  jsonObject,
  nullable,
  object,
  oneOf,
  optional,
  type Place,
  refined,
  refuse,
  required,
  type Shape,
  text,
  uint,
  uint32,
  wrongValue,
} from '../../shape/index.js'
import { parseRuleTime } from './rule-time.js'

const CONDITIONS = 'invalid_dynamic_search_rule_conditions'
const ACTIONS = 'invalid_dynamic_search_rule_actions'

const time: Shape<RuleTime> = refined(
  text,
  (found) => {
    const parsed = parseRuleTime(found)
    if (parsed !== undefined) return ok(parsed)
    return `a time such as \`2050-11-13T08:00:00Z\` was expected, ${quoted(found)} was found`
  },
  { format: 'date-time' },
)

const scope = object({ scope: required(oneOf(['query', 'time']), CONDITIONS, CONDITIONS) }, { ignoreUnknown: true })

const queryCondition = object(
  { isEmpty: optional(nullable(bool), CONDITIONS), contains: optional(nullable(text), CONDITIONS) },
  { ignoreUnknown: true },
)

const timeCondition = object(
  { start: optional(nullable(time), CONDITIONS), end: optional(nullable(time), CONDITIONS) },
  { ignoreUnknown: true },
)

/** Its members depend on its scope. */
const condition: Shape<RuleCondition> = {
  ...refined(jsonObject, (value, place) => {
    const kind = scope.check(value, place)
    if (!kind.ok) return kind
    if (kind.value.scope === 'query') {
      const members = queryCondition.check(value, place)
      return members.ok ? readQueryCondition(members.value, place) : members
    }
    const members = timeCondition.check(value, place)
    return members.ok ? readTimeCondition(members.value, place) : members
  }),
  describe: (names) => ({
    allOf: [scope.describe(names), { anyOf: [queryCondition.describe(names), timeCondition.describe(names)] }],
  }),
}

function readQueryCondition(
  { isEmpty = null, contains = null }: Checked<typeof queryCondition>,
  { path }: Place,
): Result<RuleCondition> {
  if (isEmpty !== null && contains === null) return ok({ scope: 'query', isEmpty })
  if (contains !== null && isEmpty === null) return ok({ scope: 'query', contains })
  const found = contains === null ? 'neither was found' : 'both were found'
  return refuse('bad_request', wrongValue(path, `exactly one of \`isEmpty\` and \`contains\` was expected, ${found}`))
}

function readTimeCondition(
  { start = null, end = null }: Checked<typeof timeCondition>,
  { path }: Place,
): Result<RuleCondition> {
  if (start === null || end === null || start.at <= end.at) return ok({ scope: 'time', start, end })
  return refuse('bad_request', wrongValue(path, `\`start\` (${start.text}) comes after \`end\` (${end.text})`))
}

const selector = object({
  indexUid: optional(nullable(indexUid), ACTIONS),
  id: optional(nullable(text), ACTIONS),
})

const pin = object({
  type: required(oneOf(['pin']), ACTIONS, ACTIONS),
  position: required(uint32, ACTIONS, ACTIONS),
})

const action: Shape<RuleAction> = refined(
  object({ selector: required(selector, ACTIONS, ACTIONS), action: required(pin, ACTIONS, ACTIONS) }),
  ({ selector: { indexUid: uid = null, id = null }, action: { position } }) => ok({ indexUid: uid, id, position }),
)

const MEMBERS = {
  description: optional(nullable(text), 'invalid_dynamic_search_rule_description'),
  priority: optional(nullable(uint), 'invalid_dynamic_search_rule_priority'),
  active: optional(nullable(bool), 'invalid_dynamic_search_rule_active'),
  conditions: optional(nullable(arrayOf(condition)), CONDITIONS),
  actions: optional(nullable(arrayOf(action)), ACTIONS),
} as const

/** The body of `PATCH` (spec 8 §4.3). */
export const rulePatch = object(MEMBERS)
export type RulePatch = Checked<typeof rulePatch>

/** A rule as answers, the store and dumps have it. */
export const wholeRule = object({ uid: required(indexUid, 'bad_request', 'bad_request'), ...MEMBERS })

/** The body of the list (spec 8 §4.4). */
export const ruleListBody = object({
  offset: optional(uint, 'invalid_dynamic_search_rule_offset'),
  limit: optional(uint, 'invalid_dynamic_search_rule_limit'),
  filter: optional(
    nullable(
      object({
        attributePatterns: optional(nullable(arrayOf(text)), 'invalid_dynamic_search_rule_filter_attribute_patterns'),
        active: optional(nullable(bool), 'invalid_dynamic_search_rule_filter_active'),
      }),
    ),
    'invalid_dynamic_search_rule_filter',
  ),
})
export type RuleListBody = Checked<typeof ruleListBody>
