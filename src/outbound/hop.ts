import { problemError } from './problem.js'

export type HeaderPair = readonly [name: string, value: string]

export type OutboundBody = string | Uint8Array | AsyncIterable<string | Uint8Array>

/** One exchange with one server. A call is one hop, and one more for each redirect. */
export interface Hop {
  readonly method: string
  readonly url: URL
  readonly headers: readonly HeaderPair[]
  readonly body: OutboundBody | undefined
}

/** An `http` or `https` URL. The text itself is not repeated in the problem: it may hold credentials. */
export function parseTarget(text: string, base?: URL): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  if (url === undefined) throw problemError('protocol', 'the target is not a valid URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw problemError('protocol', `the scheme ${url.protocol} cannot be called: only http and https can`)
  }
  return url
}

// How a message is cut into bytes is the client's business; a caller's word on it could only contradict the bytes.
const FRAMING = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Names and values one after the other, as they go over the wire. Text beyond ASCII travels as UTF-8, which the
 * client writes byte by byte. Credentials inside the URL become an `Authorization` header unless there is one.
 */
export function wireHeaders({ headers, url }: Hop, userAgent: string): string[] {
  const sent = headers.filter(([name]) => !FRAMING.has(name.toLowerCase()))
  const names = new Set(sent.map(([name]) => name.toLowerCase()))
  if (!names.has('user-agent')) sent.push(['user-agent', userAgent])
  if (!names.has('authorization') && (url.username || url.password)) sent.push(['authorization', basicAuth(url)])
  return sent.flatMap(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')])
}

function basicAuth({ username, password }: URL): string {
  const credentials = `${percentDecoded(username)}:${percentDecoded(password)}`
  return `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Where a redirect leads, or undefined when the answer is final: not a redirect, without `Location`, or asking for
 * the same body again after it was streamed away. As browsers do, 303 turns every method into GET, 301 and 302 only
 * POST.
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined
  const url = parseTarget(location, hop.url)
  const headers = url.origin === hop.url.origin ? hop.headers : hop.headers.filter(isHarmless)
  if (losesBody(hop.method, status)) {
    return { method: 'GET', url, headers: headers.filter(([name]) => !describesBody(name)), body: undefined }
  }
  return isReplayable(hop.body) ? { ...hop, url, headers } : undefined
}

function losesBody(method: string, status: number): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return method === 'POST' && (status === 301 || status === 302)
}

function isReplayable(body: OutboundBody | undefined): boolean {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array
}

function describesBody(name: string): boolean {
  return name.toLowerCase().startsWith('content-')
}

// Keys travel in headers of many names (`api-key`, `x-token`), so another origin gets only what is known to be none.
const HARMLESS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'content-encoding',
  'user-agent',
])

function isHarmless([name]: HeaderPair): boolean {
  return HARMLESS.has(name.toLowerCase())
}
