import type { RuleTime } from '../../search/index.js'
import { parseTimestamp } from '../../time/index.js'

/** Reads an RFC 3339 date-time; undefined when it is none. */
export function parseRuleTime(text: string): RuleTime | undefined {
  const at = parseTimestamp(text)
  return at === undefined ? undefined : { at, text: normalized(text) }
}

/** With the offset it came with, zero as `Z`, and a fraction without zeros at its end (spec 8 §4.2). */
function normalized(text: string): string {
  const [, clock = '', fraction = '', offset = ''] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(text.toUpperCase()) ?? []
  const digits = fraction.slice(0, 9).replace(/0+$/, '')
  const zone = offset === '+00:00' || offset === '-00:00' ? 'Z' : offset
  return `${clock}${digits === '' ? '' : `.${digits}`}${zone}`
}
