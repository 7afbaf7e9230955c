import { parseDay, parseTimestamp, type Timestamp } from '../../time/index.js'

/** When a key stops working. `text` keeps the offset it was given with. */
export interface Expiry {
  readonly at: Timestamp
  readonly text: string
}

const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d$/

/** RFC 3339; or `YYYY-MM-DD HH:MM:SS` (also with `T`) and `YYYY-MM-DD`, both in UTC (spec 1 §4.8). */
export function parseExpiry(text: string): Expiry | undefined {
  const full = parseTimestamp(text)
  if (full !== undefined) return { at: full, text: normalized(text) }
  const day = parseDay(text)
  if (day !== undefined) return { at: day, text: `${text}T00:00:00Z` }
  if (!WITHOUT_OFFSET.test(text)) return undefined
  const withOffset = `${text.replace(' ', 'T')}Z`
  const at = parseTimestamp(withOffset)
  return at === undefined ? undefined : { at, text: withOffset }
}

/** Upper case, the fraction in at most nine digits without trailing zeros, no offset of zero. */
function normalized(text: string): string {
  const [, whole = '', fraction = '', offset = ''] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(text.toUpperCase()) ?? []
  const digits = fraction.slice(0, 9).replace(/0+$/, '')
  return `${whole}${digits && `.${digits}`}${/^[+-]00:00$/.test(offset) ? 'Z' : offset}`
}
