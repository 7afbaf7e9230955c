import type { RuleTime } from '../../rank/index.js'
import { normalizeTimestamp, parseTimestamp } from '../../time/index.js'

/** Reads an RFC 3339 date-time, which keeps its offset (spec 8 §4.2); undefined when it is none. */
export function parseRuleTime(text: string): RuleTime | undefined {
  const at = parseTimestamp(text)
  return at === undefined ? undefined : { at, text: normalizeTimestamp(text) }
}
