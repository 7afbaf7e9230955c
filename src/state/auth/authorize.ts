import { type Failure, fail, failure, ok, type Result } from '../../errors/index.js'
import type { Clock } from '../../time/index.js'
import { type Access, accessOfKey, accessOfTenant, FULL_ACCESS, isCovered } from './access.js'
import { type Action, isCheckedByHandlers, isKeysAction } from './actions.js'
import type { KeyStore, KnownKey } from './key-store.js'
import { parseTenantToken } from './tenant-token.js'

export interface Demand {
  /** All of them are needed. */
  readonly actions: readonly Action[]
  /** The index named in the path. */
  readonly indexUid: string | undefined
  /** The `Authorization` header as it came. */
  readonly header: string | undefined
}

export interface Authority {
  readonly keys: KeyStore
  readonly clock: Clock
}

/** Decides who may pass (spec 1 §4.5). */
export function authorize({ keys, clock }: Authority, demand: Demand): Result<Access> {
  const token = readToken(demand.header)
  if (!token.ok) return token
  if (!keys.hasMasterKey) return demand.actions.some(isKeysAction) ? fail('missing_master_key') : ok(FULL_ACCESS)
  if (keys.isMasterKey(token.value)) return ok(FULL_ACCESS)
  let access: Access | undefined
  for (const action of demand.actions) {
    const granted = grant({ keys, clock }, { token: token.value, action, indexUid: demand.indexUid })
    if (!granted.ok) return { ok: false, failure: demand.header === undefined ? noHeader() : granted.failure }
    access ??= granted.value
  }
  return ok(access ?? FULL_ACCESS)
}

const noHeader = (): Failure => failure('missing_authorization_header')

/**
 * The token is all that follows the scheme, which has no case, and one space or more (RFC 9110 §11.4). A header with
 * anything but visible ASCII is no header (spec 1 §4.2).
 */
function readToken(header: string | undefined): Result<string> {
  if (header === undefined) return ok('')
  if (!/^bearer(?: |$)/i.test(header) || !/^[\t\x20-\x7e]*$/.test(header)) return { ok: false, failure: noHeader() }
  const token = header.slice('bearer'.length).replace(/^ +/, '')
  return token === '' ? fail('invalid_api_key') : ok(token)
}

interface Question {
  readonly token: string
  readonly action: Action
  readonly indexUid: string | undefined
}

function grant(authority: Authority, question: Question): Result<Access> {
  const { token, action } = question
  const isTenantToken = (action === 'search' || action === 'chatCompletions') && token.split('.', 3).length === 3
  const found = isTenantToken ? openTenantToken(authority, token) : openKey(authority, token)
  if (!found) return fail('invalid_api_key')
  return checkKey(found, question)
}

interface ResolvedKey {
  readonly known: KnownKey
  readonly access: Access
}

function openKey({ keys, clock }: Authority, token: string): ResolvedKey | undefined {
  const known = keys.findByValue(token)
  return known && !isExpired(known, clock) ? { known, access: accessOfKey(known) } : undefined
}

function openTenantToken({ keys, clock }: Authority, token: string): ResolvedKey | undefined {
  const parsed = parseTenantToken(token)
  if (!parsed) return undefined
  const { apiKeyUid, expiresAt, rules } = parsed.claims
  const known = keys.findByUid(apiKeyUid)
  if (!known || isExpired(known, clock) || !parsed.isSignedBy(known.value)) return undefined
  if (expiresAt !== null && clock() / 1_000_000_000n > BigInt(expiresAt)) return undefined
  return { known, access: accessOfTenant(known, rules) }
}

function isExpired({ key }: KnownKey, clock: Clock): boolean {
  return key.expiresAt !== null && clock() >= key.expiresAt.at
}

function checkKey({ known, access }: ResolvedKey, { action, indexUid }: Question): Result<Access> {
  if (indexUid !== undefined && !access.isIndexAllowed(indexUid)) {
    return { ok: false, failure: access.refusal(indexUid) }
  }
  return known.permissions.has(action) && isInScope(known, action, indexUid) ? ok(access) : fail('invalid_api_key')
}

function isInScope({ key, coversAllIndexes }: KnownKey, action: Action, indexUid: string | undefined): boolean {
  if (coversAllIndexes) return true
  if (indexUid !== undefined) return isCovered(key, indexUid)
  return isCheckedByHandlers(action) && key.indexes.length > 0
}
