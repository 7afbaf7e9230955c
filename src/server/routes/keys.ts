import { fail, ok, quoted, type Result } from '../../errors/index.js'
import {
  arrayOf,
  indexPattern,
  nullable,
  object,
  oneOf,
  optional,
  parseUuid,
  queryParam,
  refined,
  required,
  text,
  uintParam,
} from '../../shape/index.js'
import type { KnownKey } from '../../state/index.js'
import { ACTIONS, type Action, describeKey, isGlobalAction, parseExpiry } from '../../state/index.js'
import { systemClock } from '../../time/index.js'
import { empty, json } from '../answers/answer.js'
import { jsonBody, route } from '../http/route.js'

const uuid = refined(
  text,
  (found) => {
    const uid = parseUuid(found)
    return uid === undefined ? `a UUID was expected, ${quoted(found)} was found` : ok(uid)
  },
  { format: 'uuid' },
)

const expiry = refined(
  text,
  (found) => {
    const parsed = parseExpiry(found)
    if (parsed)
      return parsed.at > systemClock() ? ok(parsed) : `a time in the future was expected, ${parsed.text} was found`
    const forms = 'a time such as `2050-11-13T08:00:00Z`, `2050-11-13 08:00:00` or `2050-11-13`'
    return `${forms} was expected, ${quoted(found)} was found`
  },
  { format: 'date-time' },
)

const newKey = object({
  description: optional(nullable(text), 'invalid_api_key_description'),
  name: optional(nullable(text), 'invalid_api_key_name'),
  uid: optional(uuid, 'invalid_api_key_uid'),
  actions: required(arrayOf(oneOf(ACTIONS)), 'invalid_api_key_actions', 'missing_api_key_actions'),
  indexes: required(arrayOf(indexPattern), 'invalid_api_key_indexes', 'missing_api_key_indexes'),
  expiresAt: required(nullable(expiry), 'invalid_api_key_expires_at', 'missing_api_key_expires_at'),
})

const keyChanges = object(
  {
    description: optional(nullable(text), 'invalid_api_key_description'),
    name: optional(nullable(text), 'invalid_api_key_name'),
  },
  {
    immutable: {
      uid: 'immutable_api_key_uid',
      actions: 'immutable_api_key_actions',
      indexes: 'immutable_api_key_indexes',
      expiresAt: 'immutable_api_key_expires_at',
      createdAt: 'immutable_api_key_created_at',
      updatedAt: 'immutable_api_key_updated_at',
    },
  },
)

export const routes = [
  route({
    method: 'POST',
    path: '/keys',
    action: 'keys.create',
    body: jsonBody(newKey),
    async handle({ body, context }) {
      const scope = checkScope(body.indexes, body.actions)
      if (!scope.ok) return scope
      const { uid, actions, indexes, expiresAt, name = null, description = null } = body
      const created = await context.keys.create({ uid, name, description, actions, indexes, expiresAt })
      return created.ok ? json(201, describe(created.value)) : created
    },
  }),

  route({
    method: 'GET',
    path: '/keys',
    action: 'keys.get',
    query: {
      offset: queryParam(uintParam, 'invalid_api_key_offset'),
      limit: queryParam(uintParam, 'invalid_api_key_limit'),
    },
    handle({ query: { offset = 0, limit = 20 }, context }) {
      const keys = context.keys.list()
      const results = keys.slice(offset, offset + limit).map(describe)
      return json(200, { results, offset, limit, total: keys.length })
    },
  }),

  route({
    method: 'GET',
    path: '/keys/{key}',
    action: 'keys.get',
    handle({ params, context }) {
      const found = context.keys.find(params.key)
      return found.ok ? json(200, describe(found.value)) : found
    },
  }),

  route({
    method: 'PATCH',
    path: '/keys/{key}',
    action: 'keys.update',
    body: jsonBody(keyChanges),
    async handle({ params, body, context }) {
      const found = context.keys.find(params.key)
      const updated = found.ok ? await context.keys.update(found.value.key.uid, body) : found
      return updated.ok ? json(200, describe(updated.value)) : updated
    },
  }),

  route({
    method: 'DELETE',
    path: '/keys/{key}',
    action: 'keys.delete',
    async handle({ params, context }) {
      const found = context.keys.find(params.key)
      if (!found.ok) return found
      await context.keys.delete(found.value.key.uid)
      return empty(204)
    },
  }),
]

/** A key for some indexes only cannot be given actions on the whole server by name (spec 1 §4.4). */
function checkScope(indexes: readonly string[], actions: readonly Action[]): Result<true> {
  const isScoped = indexes.length > 0 && !indexes.includes('*')
  const globalAction = isScoped ? actions.find(isGlobalAction) : undefined
  return globalAction === undefined ? ok(true) : fail('index_scoped_api_key_with_global_action', globalAction)
}

const describe = ({ key, value }: KnownKey): Record<string, unknown> => describeKey(key, value)
