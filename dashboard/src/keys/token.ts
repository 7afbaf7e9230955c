/**
 * Tenant tokens (spec 1 §4.9): JSON web tokens, signed with an API key. Everything happens in this page, with the
 * cryptography of the browser; no key leaves it.
 */

export interface TokenRule {
  readonly pattern: string
  /** Empty: all documents. */
  readonly filter: string
}

export interface TokenClaims {
  readonly apiKeyUid: string
  readonly rules: readonly TokenRule[]
  /** Null: for ever. */
  readonly end: Date | null
}

const HASHES: Readonly<Record<string, string>> = { HS256: 'SHA-256', HS384: 'SHA-384', HS512: 'SHA-512' }

/** Browsers do no cryptography on pages that others could have changed on their way. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined

export async function signToken(claims: TokenClaims, key: string): Promise<string> {
  const text = [{ alg: 'HS256', typ: 'JWT' }, payloadOf(claims)]
    .map((part) => encoded(bytesOf(JSON.stringify(part))))
    .join('.')
  const signature = await crypto.subtle.sign('HMAC', await secretOf(key, 'SHA-256'), bytesOf(text))
  return `${text}.${encoded(new Uint8Array(signature))}`
}

function payloadOf({ apiKeyUid, rules, end }: TokenClaims): object {
  const searchRules = Object.fromEntries(
    rules.map(({ pattern, filter }) => [pattern.trim(), filter.trim() === '' ? {} : { filter: filter.trim() }]),
  )
  return { apiKeyUid, searchRules, ...(end === null ? {} : { exp: Math.floor(end.getTime() / 1000) }) }
}

export interface ReadToken {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  /** Undefined: it does not expire. */
  readonly end: Date | undefined
}

/** Undefined: it is no token. */
export function readToken(token: string): ReadToken | undefined {
  const parts = token.trim().split('.')
  if (parts.length !== 3) return undefined
  try {
    const [header, payload] = parts.slice(0, 2).map((part) => JSON.parse(new TextDecoder().decode(decoded(part))))
    if (!isObject(header) || !isObject(payload)) return undefined
    return { header, payload, end: typeof payload.exp === 'number' ? new Date(payload.exp * 1000) : undefined }
  } catch {
    return undefined
  }
}

/** Whether it was signed with this key. */
export async function fits(token: string, key: string): Promise<boolean> {
  const hash = HASHES[String(readToken(token)?.header.alg)]
  if (hash === undefined) return false
  const [header, payload, signature] = token.trim().split('.') as [string, string, string]
  try {
    const secret = await secretOf(key, hash)
    return await crypto.subtle.verify('HMAC', secret, decoded(signature), bytesOf(`${header}.${payload}`))
  } catch {
    return false
  }
}

const secretOf = (key: string, hash: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytesOf(key), { name: 'HMAC', hash }, false, ['sign', 'verify'])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>

const encoded = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const decoded = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
