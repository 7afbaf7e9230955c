import { fail, ok, type Result } from '../../errors/index.js'
import { parse, print } from '../../json/index.js'
import type { SearchRule } from '../../rank/index.js'
import { checkBody, refuse } from '../../shape/index.js'
import { StateEntries, type StateLog } from '../../store/index.js'
import { type RulePatch, wholeRule } from './rule-body.js'
import { ruleView } from './rule-view.js'

const VERSION = 1

/** The search rules: in memory for searches, on disk for the next start. */
export class RuleStore {
  private readonly stored: StateEntries<SearchRule>

  constructor(log: StateLog) {
    this.stored = new StateEntries(log, 'rules', { encode, decode })
  }

  /** In the order of uids. */
  list(): readonly SearchRule[] {
    return this.stored.values()
  }

  get(uid: string): Result<SearchRule> {
    return found(uid, this.stored.get(uid))
  }

  /** Creates the rule, or changes the members that are given. */
  patch(uid: string, patch: RulePatch): Promise<Result<{ readonly rule: SearchRule; readonly isNew: boolean }>> {
    return this.stored.change(({ get, put }) => {
      const known = get(uid)
      const patched = patchRule(known ?? newRule(uid), patch)
      if (!patched.ok) return patched
      put(uid, patched.value)
      return ok({ rule: patched.value, isNew: known === undefined })
    })
  }

  delete(uid: string): Promise<Result<SearchRule>> {
    return this.stored.change((rules) => {
      const known = found(uid, rules.get(uid))
      if (known.ok) rules.delete(uid)
      return known
    })
  }

  /** Takes a rule as it is, such as one of a dump. */
  put(rule: SearchRule): Promise<void> {
    return this.stored.change((rules) => rules.put(rule.uid, rule))
  }
}

const found = (uid: string, rule: SearchRule | undefined): Result<SearchRule> =>
  rule === undefined ? fail('dynamic_search_rule_not_found', uid) : ok(rule)

const newRule = (uid: string): SearchRule => ({
  uid,
  description: null,
  priority: null,
  active: true,
  conditions: [],
  actions: [],
})

function patchRule(rule: SearchRule, patch: RulePatch): Result<SearchRule> {
  const { description = rule.description, priority = rule.priority } = patch
  const { active = rule.active, conditions = rule.conditions, actions = rule.actions } = patch
  if (actions === null || actions.length === 0) {
    const reason = `\`.actions\`: the search rule \`${rule.uid}\` needs at least one action.`
    return refuse('invalid_dynamic_search_rule_actions', reason)
  }
  return ok({ ...rule, description, priority, active: active ?? true, conditions: conditions ?? [], actions })
}

/** Reads a rule as answers show it. */
export function readRule(json: string): Result<SearchRule> {
  const value = parse(json)
  if (!value.ok) return fail('malformed_payload', value.reason)
  const checked = checkBody(wholeRule, value.value)
  return checked.ok ? patchRule(newRule(checked.value.uid), checked.value) : checked
}

/** Layout: version byte, then the JSON text of the rule as answers show it. */
function encode(rule: SearchRule): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(print(ruleView(rule)))])
}

function decode(bytes: Buffer): SearchRule {
  if (bytes[0] !== VERSION) throw new Error(`A search rule is stored in an unknown version: ${bytes[0]}`)
  const rule = readRule(bytes.toString('utf8', 1))
  if (!rule.ok) throw new Error(`A stored search rule cannot be read: ${rule.failure.message}`)
  return rule.value
}
