import { compareBytes } from '../../byte-order/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { parse, print } from '../../json/index.js'
import type { SearchRule } from '../../rank/index.js'
import { checkBody, refuse } from '../../shape/index.js'
import { type Database, type Environment, WrittenValue } from '../../store/index.js'
import { type RulePatch, wholeRule } from './rule-body.js'
import { ruleView } from './rule-view.js'

const VERSION = 1

/** The search rules: in memory for searches, on disk for the next start. */
export class RuleStore {
  private readonly database: Database
  /** In the order of uids. */
  private readonly rules: WrittenValue<readonly SearchRule[]>

  constructor(environment: Environment) {
    this.database = environment.database('rules')
    const stored = Array.from(this.database.range(), ({ value }) => decode(value))
    this.rules = new WrittenValue(environment, stored)
  }

  list(): readonly SearchRule[] {
    return this.rules.current
  }

  get(uid: string): Result<SearchRule> {
    const rule = this.list().find((each) => each.uid === uid)
    return rule === undefined ? fail('dynamic_search_rule_not_found', uid) : ok(rule)
  }

  /** Creates the rule, or changes the members that are given. */
  async patch(uid: string, patch: RulePatch): Promise<Result<{ readonly rule: SearchRule; readonly isNew: boolean }>> {
    const known = this.get(uid)
    const patched = patchRule(known.ok ? known.value : newRule(uid), patch)
    if (!patched.ok) return patched
    await this.put(patched.value)
    return ok({ rule: patched.value, isNew: !known.ok })
  }

  async delete(uid: string): Promise<Result<SearchRule>> {
    const known = this.get(uid)
    if (!known.ok) return known
    await this.rules.replace(
      this.list().filter((each) => each !== known.value),
      () => this.database.delete(Buffer.from(uid)),
    )
    return known
  }

  /** Takes a rule as it is, such as one of a dump. */
  async put(rule: SearchRule): Promise<void> {
    const others = this.list().filter(({ uid }) => uid !== rule.uid)
    const rules = [...others, rule].sort((a, b) => compareBytes(a.uid, b.uid))
    await this.rules.replace(rules, () => this.database.put(Buffer.from(rule.uid), encode(rule)))
  }
}

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
