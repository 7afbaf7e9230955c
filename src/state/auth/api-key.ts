import { createHmac } from 'node:crypto'
import { formatTimestamp, type Timestamp } from '../../time/index.js'
import type { Action } from './actions.js'
import { type Expiry, parseExpiry } from './expiry.js'

/** A key as it is stored. Its value is not: it follows from the master key and the uid. */
export interface ApiKey {
  /** Lowercase hyphenated UUID. */
  readonly uid: string
  readonly name: string | null
  readonly description: string | null
  readonly actions: readonly Action[]
  readonly indexes: readonly string[]
  readonly expiresAt: Expiry | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
  /** Grows with every key that is made, so that keys of the same instant keep their order. */
  readonly sequence: number
}

/** Hexadecimal HMAC-SHA-256 of the uid under the master key (spec 1 §4.6). */
export function deriveKeyValue(masterKey: string, uid: string): string {
  return createHmac('sha256', masterKey).update(uid).digest('hex')
}

/** The key object of the interface, members in this order (spec 1 §4.8). */
export function describeKey(key: ApiKey, value: string): Record<string, unknown> {
  return {
    name: key.name,
    description: key.description,
    key: value,
    uid: key.uid,
    actions: key.actions,
    indexes: key.indexes,
    expiresAt: key.expiresAt?.text ?? null,
    createdAt: formatTimestamp(key.createdAt),
    updatedAt: formatTimestamp(key.updatedAt),
  }
}

const VERSION = 1

/** Layout: version byte, then JSON text. Times are decimal nanoseconds. */
export function encodeKey(key: ApiKey): Buffer {
  const stored = {
    ...key,
    expiresAt: key.expiresAt?.text ?? null,
    createdAt: `${key.createdAt}`,
    updatedAt: `${key.updatedAt}`,
  }
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(JSON.stringify(stored))])
}

type Stored = Omit<ApiKey, 'expiresAt' | 'createdAt' | 'updatedAt'> & {
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export function decodeKey(bytes: Buffer): ApiKey {
  if (bytes[0] !== VERSION) throw new Error(`An API key is stored in an unknown version: ${bytes[0]}`)
  const stored = JSON.parse(bytes.toString('utf8', 1)) as Stored
  return {
    ...stored,
    expiresAt: stored.expiresAt === null ? null : readExpiry(stored.expiresAt),
    createdAt: BigInt(stored.createdAt) as Timestamp,
    updatedAt: BigInt(stored.updatedAt) as Timestamp,
  }
}

/** A key must not live on because nobody knows when it ends. */
function readExpiry(text: string): Expiry {
  const expiry = parseExpiry(text)
  if (expiry === undefined) throw new Error(`The end of an API key cannot be read: ${text}`)
  return expiry
}
