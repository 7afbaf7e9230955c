import { ok, quoted } from '../errors/index.js'
import { refined, type Shape, text } from './body.js'

const INDEX_UID = /^[A-Za-z0-9_-]{1,400}$/

/** 1 to 400 letters, digits, `-` and `_` (spec 1 §3.2, `invalid_index_uid`). */
export function isIndexUid(uid: string): boolean {
  return INDEX_UID.test(uid)
}

/** `*`, an index uid, or an index uid followed by one `*` (spec 1 §4.4). */
export function isIndexPattern(pattern: string): boolean {
  return pattern === '*' || isIndexUid(pattern.endsWith('*') ? pattern.slice(0, -1) : pattern)
}

/** Whether a pattern covers a uid. Patterns of tenant tokens are not validated, so any text may come in. */
export function matchesIndexPattern(pattern: string, uid: string): boolean {
  return pattern.endsWith('*') ? uid.startsWith(pattern.slice(0, -1)) : pattern === uid
}

/** For descriptions, which have one pattern for a text. */
export const INDEX_UID_PATTERN = INDEX_UID.source
const INDEX_PATTERN_PATTERN = '^(\\*|[A-Za-z0-9_-]{1,400}\\*?)$'

export const indexUid: Shape<string> = refined(
  text,
  (uid) =>
    isIndexUid(uid)
      ? ok(uid)
      : `an index uid (1 to 400 characters out of a-z, A-Z, 0-9, - and _) was expected, ${quoted(uid)} was found`,
  { pattern: INDEX_UID_PATTERN },
)

export const indexPattern: Shape<string> = refined(
  text,
  (pattern) =>
    isIndexPattern(pattern)
      ? ok(pattern)
      : `an index uid (1 to 400 characters out of a-z, A-Z, 0-9, - and _), the start of one followed by \`*\`, or \`*\` was expected, ${quoted(pattern)} was found`,
  { pattern: INDEX_PATTERN_PATTERN },
)
