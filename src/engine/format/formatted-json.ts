import { isObject, type JsonObject, type JsonValue, numberText, print } from '../../json/index.js'
import type { PathPlan } from './path-plan.js'
import { storedValue } from './stored-value.js'
import type { TextFormatter } from './text-formatter.js'

const DIGIT = /\d/

/** Writes values as `_formatted` shows them (spec 5 §6.7). Undefined stands for what it leaves out. */
export class FormattedJson {
  constructor(private readonly texts: TextFormatter) {}

  /** `json` is the canonical text of a top-level value. */
  field(json: string, plan: PathPlan): string | undefined {
    const isWhole = plan.inFormatted === 'whole'
    if (isWhole && !this.mayChange(json, plan)) {
      const copied = copiedJson(json)
      if (copied !== undefined) return copied
    }
    if (isWhole && isPlainText(json)) return this.texts.formatPlain(json.slice(1, -1), plan)
    return this.value(storedValue(json), plan)
  }

  /** Numbers aside. */
  private mayChange(json: string, plan: PathPlan): boolean {
    return plan.hasCrops || (plan.isHighlighted && this.texts.mayMatchInside(json))
  }

  private value(value: JsonValue, plan: PathPlan): string | undefined {
    if (isObject(value)) return this.object(value, plan)
    if (Array.isArray(value)) return this.array(value, plan)
    return plan.inFormatted === 'whole' ? this.leaf(value, plan) : undefined
  }

  private object(object: JsonObject, plan: PathPlan): string {
    const members: string[] = []
    for (const [key, value] of object) {
      const child = plan.child(key)
      const shown = child.inFormatted === 'none' ? undefined : this.value(value, child)
      if (shown !== undefined) members.push(child.keyText + shown)
    }
    return `{${members.join(',')}}`
  }

  /** Where only members are selected, objects without any are left out, unlike in the hit itself. */
  private array(items: readonly JsonValue[], plan: PathPlan): string {
    const kept: string[] = []
    for (const item of items) {
      const shown = this.value(item, plan)
      if (shown === undefined || (shown === '{}' && plan.inFormatted === 'part')) continue
      kept.push(shown)
    }
    return `[${kept.join(',')}]`
  }

  private leaf(value: Exclude<JsonValue, JsonObject | JsonValue[]>, plan: PathPlan): string {
    if (value === null || typeof value === 'boolean') return print(value)
    return JSON.stringify(this.texts.format(typeof value === 'string' ? value : numberText(value), plan))
  }
}

/** Whether it is a string without anything that is written in another way than it is read. */
const isPlainText = (json: string): boolean => json.startsWith('"') && !json.includes('\\')

/** A value without options: as it is, with its numbers as strings. Undefined where they have to be looked for. */
function copiedJson(json: string): string | undefined {
  const first = json[0]!
  if (first === '[' || first === '{') return DIGIT.test(json) ? undefined : json
  return first === '-' || DIGIT.test(first) ? `"${json}"` : json
}
