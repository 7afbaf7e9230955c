import { fromPlain, type JsonObject, toPlain } from '../../json/index.js'
import type { ApiKey } from '../../state/index.js'
import { ACTIONS, type Action, parseExpiry } from '../../state/index.js'
import { formatTimestamp, parseTimestamp, type Timestamp } from '../../time/index.js'

/** A key as dumps hold it: without its value, which follows from the master key (spec 2 §6.2). */
export function dumpedKey(key: ApiKey): JsonObject {
  const { description, name, uid, actions, indexes, expiresAt, createdAt, updatedAt } = key
  return fromPlain({
    description: description ?? undefined,
    name: name ?? undefined,
    uid,
    actions,
    indexes,
    expires_at: expiresAt?.text ?? null,
    created_at: formatTimestamp(createdAt),
    updated_at: formatTimestamp(updatedAt),
  }) as JsonObject
}

/** Reads such a key; undefined when it cannot be one. Actions that this version does not know are left out. */
export function readDumpedKey(dumped: JsonObject, now: Timestamp): Omit<ApiKey, 'sequence'> | undefined {
  const { uid, name, description, actions, indexes, expires_at, created_at, updated_at } = toPlain(dumped) as Record<
    string,
    unknown
  >
  if (typeof uid !== 'string' || !areTexts(actions) || !areTexts(indexes)) return undefined
  const expiresAt = typeof expires_at === 'string' ? (parseExpiry(expires_at) ?? null) : null
  return {
    uid: uid.toLowerCase(),
    name: typeof name === 'string' ? name : null,
    description: typeof description === 'string' ? description : null,
    actions: actions.filter(isAction),
    indexes,
    expiresAt,
    createdAt: timeOf(created_at) ?? now,
    updatedAt: timeOf(updated_at) ?? now,
  }
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const isAction = (text: string): text is Action => (ACTIONS as readonly string[]).includes(text)

const timeOf = (value: unknown): Timestamp | undefined =>
  typeof value === 'string' ? parseTimestamp(value) : undefined
