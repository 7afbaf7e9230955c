/**
 * The request target as the router wants it: slashes merged, none at the end, no fragment, every percent escape valid
 * (spec 1 §2.1). The query string stays as it is.
 */
export function normalizeTarget(target: string): string {
  const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(target)
  const [local = ''] = (absolute ? target.slice(absolute[0].length) : target).split('#', 1)
  const question = local.indexOf('?')
  const path = question === -1 ? local : local.slice(0, question)
  return normalizePath(path) + (question === -1 ? '' : local.slice(question))
}

function normalizePath(path: string): string {
  if (isPlain(path)) return path
  const segments = path.split('/').filter((segment) => segment !== '')
  return `/${segments.map(repairEscapes).join('/')}`
}

/** The usual case: nothing to change, nothing to allocate. */
function isPlain(path: string): boolean {
  if (path.charCodeAt(0) !== SLASH || path.includes('//') || path.includes('%')) return false
  return path.length === 1 || path.charCodeAt(path.length - 1) !== SLASH
}

const SLASH = 0x2f

/** The router refuses escapes that are no UTF-8; here they stand for themselves or for U+FFFD. */
function repairEscapes(segment: string): string {
  if (isDecodable(segment)) return segment
  const bytes = segment.replace(/%([0-9A-Fa-f]{2})|([^\x00-\x7f])/g, (_, hex?: string, other?: string) =>
    hex === undefined ? Buffer.from(other!).toString('latin1') : String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return encodeURIComponent(Buffer.from(bytes, 'latin1').toString('utf8'))
}

function isDecodable(segment: string): boolean {
  try {
    return decodeURIComponent(segment) !== undefined
  } catch {
    return false
  }
}
