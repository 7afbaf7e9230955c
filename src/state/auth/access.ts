import { type Failure, failure } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import { matchesIndexPattern } from '../../shape/index.js'
import type { Action } from './actions.js'
import type { ApiKey } from './api-key.js'
import type { KnownKey } from './key-store.js'
import type { SearchRules } from './tenant-token.js'

/** What the sender of a request may do, as far as handlers must ask. */
export interface Access {
  /** Every index is covered, also those that do not exist yet. */
  readonly isUnrestricted: boolean
  isIndexAllowed(uid: string): boolean
  /** Whether the permission is held for this index, beyond the one the route asked for. */
  may(action: Action, uid: string): boolean
  /** Whether a document or settings task may create its index (spec 1 §4.4). */
  canCreateIndex(uid: string): boolean
  /** The filter that a tenant token adds to searches of this index, or null. */
  filterFor(uid: string): JsonValue
  /** The failure for an index that is not allowed; `where` names the place in a body, such as `.queries[1]`. */
  refusal(uid: string, where?: string): Failure
}

/** The master key, a server without one, and routes that ask for nothing. */
export const FULL_ACCESS: Access = {
  isUnrestricted: true,
  isIndexAllowed: () => true,
  may: () => true,
  canCreateIndex: () => true,
  filterFor: () => null,
  refusal: (uid, where) => refusal({ uid, where, allowed: undefined }),
}

export function accessOfKey(known: KnownKey): Access {
  const { key, permissions, coversAllIndexes } = known
  const isIndexAllowed = (uid: string) => isCovered(key, uid)
  const may = (action: Action, uid: string) => permissions.has(action) && isIndexAllowed(uid)
  return {
    isUnrestricted: coversAllIndexes,
    isIndexAllowed,
    may,
    canCreateIndex: (uid) => may('indexes.create', uid),
    filterFor: () => null,
    refusal: (uid, where) => refusal({ uid, where, allowed: [...key.indexes].sort() }),
  }
}

/** An index must be allowed by the token and by its parent key. The parent's list is nobody's business. */
export function accessOfTenant(known: KnownKey, rules: SearchRules): Access {
  const parent = accessOfKey(known)
  const isIndexAllowed = (uid: string) => rules.allows(uid) && parent.isIndexAllowed(uid)
  return {
    isUnrestricted: false,
    isIndexAllowed,
    may: (action, uid) => rules.allows(uid) && parent.may(action, uid),
    canCreateIndex: () => false,
    filterFor: (uid) => rules.filterFor(uid),
    refusal: (uid, where) => refusal({ uid, where, allowed: rules.patterns }),
  }
}

export function isCovered(key: ApiKey, uid: string): boolean {
  return key.indexes.some((pattern) => matchesIndexPattern(pattern, uid))
}

interface Refusal {
  readonly uid: string
  readonly where: string | undefined
  readonly allowed: readonly string[] | undefined
}

function refusal({ uid, where, allowed }: Refusal): Failure {
  const place = where === undefined ? '' : `\`${where}\`: `
  const list = allowed && `; it opens ${allowed.map((pattern) => `\`${pattern}\``).join(', ') || 'no index'}`
  return failure('invalid_api_key', `${place}The key or token sent does not open the index \`${uid}\`${list ?? ''}.`)
}
