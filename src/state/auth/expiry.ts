import { normalizeTimestamp, parseDay, parseTimestamp, type Timestamp } from '../../time/index.js'

/** When a key stops working. `text` keeps the offset it was given with. */
export interface Expiry {
  readonly at: Timestamp
  readonly text: string
}

const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d$/

/** RFC 3339; or `YYYY-MM-DD HH:MM:SS` (also with `T`) and `YYYY-MM-DD`, both in UTC (spec 1 §4.8). */
export function parseExpiry(text: string): Expiry | undefined {
  const full = parseTimestamp(text)
  if (full !== undefined) return { at: full, text: normalizeTimestamp(text) }
  const day = parseDay(text)
  if (day !== undefined) return { at: day, text: `${text}T00:00:00Z` }
  if (!WITHOUT_OFFSET.test(text)) return undefined
  const withOffset = `${text.replace(' ', 'T')}Z`
  const at = parseTimestamp(withOffset)
  return at === undefined ? undefined : { at, text: withOffset }
}
