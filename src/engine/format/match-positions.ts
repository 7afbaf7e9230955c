import { compareBytes } from '../../byte-order/index.js'
import { isObject, type JsonObject, type JsonValue } from '../../json/index.js'
import { valueText } from '../../text/index.js'
import type { PathPlan } from './path-plan.js'
import { storedValue } from './stored-value.js'
import type { TextFormatter } from './text-formatter.js'
import type { FoundText, TextMatch } from './text-match.js'

/** Collects where the values of one document match, for `_matchesPosition` (spec 5 §6.8). */
export class MatchPositions {
  private readonly byPath = new Map<string, string>()
  /** Of the arrays that the current value is in, outermost first. */
  private readonly indices: number[] = []

  constructor(private readonly texts: TextFormatter) {}

  /** `json` is the canonical text of a top-level value. */
  addField(json: string, plan: PathPlan): void {
    if (plan.displayed !== 'none' && this.texts.mayMatchInside(json)) this.add(storedValue(json), plan)
  }

  private add(value: JsonValue, plan: PathPlan): void {
    if (isObject(value)) this.addMembers(value, plan)
    else if (Array.isArray(value)) this.addItems(value, plan)
    else if (plan.displayed === 'whole' && typeof value !== 'boolean') this.addLeaf(valueText(value), plan)
  }

  private addMembers(object: JsonObject, plan: PathPlan): void {
    for (const [key, value] of object) {
      const child = plan.child(key)
      if (child.displayed !== 'none') this.add(value, child)
    }
  }

  private addItems(items: readonly JsonValue[], plan: PathPlan): void {
    for (const [index, item] of items.entries()) {
      this.indices.push(index)
      this.add(item, plan)
      this.indices.pop()
    }
  }

  /** A later value of a path takes the place of an earlier one. */
  private addLeaf(text: string | undefined, { path, locales }: PathPlan): void {
    const found = text === undefined ? undefined : this.texts.find(text, locales)
    if (text === undefined || found === undefined) return
    const indices = this.indices.length === 0 ? '' : `,"indices":[${this.indices.join(',')}]`
    const positions = found.matches.map((match) => positionJson(text, found, match) + indices)
    this.byPath.set(path, `[{${positions.join('},{')}}]`)
  }

  json(): string {
    const paths = [...this.byPath.keys()].sort(compareBytes)
    return `{${paths.map((path) => `${JSON.stringify(path)}:${this.byPath.get(path)}`).join(',')}}`
  }
}

/** In UTF-8 bytes. */
function positionJson(text: string, { tokens }: FoundText, match: TextMatch): string {
  const last = tokens[match.lastToken]!
  const { byteStart } = tokens[match.firstToken]!
  const isWhole = match.end === last.end
  const length = isWhole ? last.byteEnd - byteStart : Buffer.byteLength(text.slice(match.start, match.end))
  return `"start":${byteStart},"length":${length}`
}
