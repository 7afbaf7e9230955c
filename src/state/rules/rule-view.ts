import type { JsonValue } from '../../json/index.js'
import type { RuleAction, RuleCondition, SearchRule } from '../../rank/index.js'

/** A rule as answers show it: what is not set is left out (spec 8 §4.2). */
export function ruleView({ uid, description, priority, active, conditions, actions }: SearchRule): JsonValue {
  return members([
    ['uid', uid],
    ['description', description],
    ['priority', priority],
    ['active', active],
    ['conditions', conditions.map(conditionView)],
    ['actions', actions.map(actionView)],
  ])
}

function conditionView(condition: RuleCondition): JsonValue {
  if (condition.scope === 'time') {
    const { start, end } = condition
    return members([
      ['scope', 'time'],
      ['start', start?.text ?? null],
      ['end', end?.text ?? null],
    ])
  }
  const [name, value] = 'isEmpty' in condition ? ['isEmpty', condition.isEmpty] : ['contains', condition.contains]
  return members([
    ['scope', 'query'],
    [name as string, value as JsonValue],
  ])
}

function actionView({ indexUid, id, position }: RuleAction): JsonValue {
  const selector = members([
    ['indexUid', indexUid],
    ['id', id],
  ])
  const action = members([
    ['type', 'pin'],
    ['position', position],
  ])
  return new Map([
    ['selector', selector],
    ['action', action],
  ])
}

const members = (list: readonly (readonly [string, JsonValue])[]): JsonValue =>
  new Map(list.filter(([, value]) => value !== null))
