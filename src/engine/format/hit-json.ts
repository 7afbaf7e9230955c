import { isObject, type JsonObject, type JsonValue, print } from '../../json/index.js'
import type { PathPlan } from './path-plan.js'

/**
 * What a hit shows of a value of which only members below are selected (spec 6 §2.3): objects keep the selected members,
 * everything else stays.
 */
export function partialJson(value: JsonValue, plan: PathPlan): string {
  if (isObject(value)) return partialObject(value, plan)
  return Array.isArray(value) ? `[${value.map((item) => partialJson(item, plan)).join(',')}]` : print(value)
}

function partialObject(object: JsonObject, plan: PathPlan): string {
  const members: string[] = []
  for (const [key, value] of object) {
    const child = plan.child(key)
    if (child.inHit === 'whole') members.push(child.keyText + print(value))
    else if (child.inHit === 'part') members.push(child.keyText + partialJson(value, child))
  }
  return `{${members.join(',')}}`
}
