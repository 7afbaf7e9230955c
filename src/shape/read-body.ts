import { fail, ok, type Result } from '../errors/index.js'
import { type JsonValue, type ParseLimits, parseBytes, type Unparsed } from '../json/index.js'

/** The JSON of a body that was received as a whole. Its number of values is limited like its bytes. */
export function parseBody(bytes: Uint8Array, limits?: ParseLimits): Result<JsonValue> {
  const parsed = parseBytes(bytes, limits)
  return parsed.ok ? ok(parsed.value) : refuseText(parsed)
}

function refuseText({ reason, isTooHeavy }: Unparsed): Result<never> {
  if (!isTooHeavy) return fail('malformed_payload', `The body is not valid JSON: ${reason}.`)
  return fail('payload_too_large', 'The body holds too many values: send them in several requests.')
}
