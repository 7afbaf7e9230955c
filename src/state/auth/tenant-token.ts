import { createHmac, timingSafeEqual } from 'node:crypto'
import { isObject, type JsonObject, type JsonValue, parseBytes } from '../../json/index.js'
import { matchesIndexPattern, parseUuid } from '../../shape/index.js'

/** What a tenant token says, before or after its signature was checked. */
export interface TenantClaims {
  readonly apiKeyUid: string
  readonly rules: SearchRules
  /** Unix seconds. */
  readonly expiresAt: number | bigint | null
}

/** Which indexes a token opens, and the filter that goes with each: null when there is none. */
export class SearchRules {
  constructor(private readonly filterOf: ReadonlyMap<string, JsonValue>) {}

  get patterns(): string[] {
    return [...this.filterOf.keys()].sort()
  }

  allows(uid: string): boolean {
    return this.patternFor(uid) !== undefined
  }

  /** The filter of the one rule that applies: an exact name before any wildcard, then the longest pattern. */
  filterFor(uid: string): JsonValue {
    const pattern = this.patternFor(uid)
    return pattern === undefined ? null : (this.filterOf.get(pattern) ?? null)
  }

  private patternFor(uid: string): string | undefined {
    if (this.filterOf.has(uid)) return uid
    let best: string | undefined
    for (const pattern of this.filterOf.keys()) {
      const isLonger = best === undefined || pattern.length > best.length
      if (isLonger && matchesIndexPattern(pattern, uid)) best = pattern
    }
    return best
  }
}

const HASHES = new Map<JsonValue | undefined, string>([
  ['HS256', 'sha256'],
  ['HS384', 'sha384'],
  ['HS512', 'sha512'],
])

/** A token taken apart. Nothing in it is believed until `isSignedBy` said so. */
export interface TenantToken {
  readonly claims: TenantClaims
  /** Whether the token was signed with this key value: its hexadecimal digits are the secret (spec 1 §4.9). */
  isSignedBy(keyValue: string): boolean
}

/**
 * Reads a token, or answers undefined when anything about it is not as it must be. Done by hand and not by a JWT
 * library, since tokens in the standard base64 alphabet, refused by those, are accepted here.
 */
export function parseTenantToken(token: string): TenantToken | undefined {
  const [header = '', payload = '', signature = '', ...more] = token.split('.')
  if (more.length > 0) return undefined
  const hash = HASHES.get(decodeObject(header)?.get('alg'))
  const claims = readClaims(decodeObject(payload))
  const signed = decodeBase64(signature)
  if (hash === undefined || claims === undefined || signed === undefined) return undefined
  return {
    claims,
    isSignedBy(keyValue) {
      const expected = createHmac(hash, keyValue).update(`${header}.${payload}`).digest()
      return expected.length === signed.length && timingSafeEqual(expected, signed)
    },
  }
}

/** Both alphabets, without padding. */
function decodeBase64(text: string): Buffer | undefined {
  return /^[A-Za-z0-9+/_-]*$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

function decodeObject(text: string): JsonObject | undefined {
  const bytes = decodeBase64(text)
  const parsed = bytes && parseBytes(bytes)
  return parsed?.ok && isObject(parsed.value) ? parsed.value : undefined
}

function readClaims(payload: JsonObject | undefined): TenantClaims | undefined {
  const uid = payload?.get('apiKeyUid')
  const exp = payload?.get('exp') ?? null
  const apiKeyUid = typeof uid === 'string' ? parseUuid(uid) : undefined
  const rules = readRules(payload?.get('searchRules'))
  if (apiKeyUid === undefined || rules === undefined || payload?.has('aud')) return undefined
  if (exp !== null && typeof exp !== 'number' && typeof exp !== 'bigint') return undefined
  return { apiKeyUid, rules, expiresAt: exp }
}

function readRules(rules: JsonValue | undefined): SearchRules | undefined {
  const filters = new Map<string, JsonValue>()
  if (Array.isArray(rules)) {
    for (const pattern of rules) {
      if (typeof pattern !== 'string') return undefined
      filters.set(pattern, null)
    }
    return new SearchRules(filters)
  }
  if (!isObject(rules)) return undefined
  for (const [pattern, rule] of rules) {
    if (rule !== null && !isObject(rule)) return undefined
    filters.set(pattern, rule?.get('filter') ?? null)
  }
  return new SearchRules(filters)
}
