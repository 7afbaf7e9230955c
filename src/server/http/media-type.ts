import { fail, ok, quoted, type Result } from '../../errors/index.js'

/** A content type without its parameters, in lower case. */
export interface MediaType {
  readonly type: string
  readonly subtype: string
}

/** Which content types a route takes (spec 1 §2.3). */
export interface AcceptedTypes {
  /** For messages. */
  readonly names: readonly string[]
  accepts(media: MediaType): boolean
}

/** Every route with a body, except those that take documents. */
export const JSON_TYPES: AcceptedTypes = {
  names: ['application/json'],
  accepts: ({ subtype }) => subtype === 'json' || subtype.endsWith('+json'),
}

export const DOCUMENT_TYPES: AcceptedTypes = exactTypes('application/json', 'application/x-ndjson', 'text/csv')

function exactTypes(...names: string[]): AcceptedTypes {
  return { names, accepts: ({ type, subtype }) => names.includes(`${type}/${subtype}`) }
}

export function checkContentType(header: string | undefined, types: AcceptedTypes): Result<MediaType> {
  const accepted = types.names.map((name) => `\`${name}\``).join(', ')
  if (header === undefined)
    return fail('missing_content_type', `A Content-Type header is missing: ${accepted} was expected.`)
  const media = parseMediaType(header)
  if (media && types.accepts(media)) return ok(media)
  return fail('invalid_content_type', `Content-Type: ${accepted} was expected, ${quoted(header)} was found.`)
}

/** Two tokens of RFC 9110 §5.6.2, then nothing or parameters. */
const MEDIA_TYPE = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\/([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*(?:;|$)/

function parseMediaType(header: string): MediaType | undefined {
  const match = MEDIA_TYPE.exec(header)
  return match ? { type: match[1]!.toLowerCase(), subtype: match[2]!.toLowerCase() } : undefined
}
