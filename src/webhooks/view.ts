import type { JsonObject } from '../json/index.js'
import { maskCredentials, maskUrl } from '../secret/index.js'
import { COMMAND_LINE_UUID, type Webhook } from './webhook.js'

/** The answer to POST, PATCH and GET of one webhook; secrets masked. */
export function toView(webhook: Webhook): JsonObject {
  return new Map([...facts(webhook), ['headers', redactedHeaders(webhook)]])
}

/** The answer to GET of all webhooks: one without headers does not mention them (interface description 2.1.3). */
export function toListView(webhooks: readonly Webhook[]): JsonObject {
  const results = webhooks.map((webhook) => (webhook.headers.size > 0 ? toView(webhook) : facts(webhook)))
  return new Map([['results', results]])
}

function facts({ uuid, url }: Webhook): JsonObject {
  return new Map<string, string | boolean>([
    ['uuid', uuid],
    ['isEditable', uuid !== COMMAND_LINE_UUID],
    ['url', maskUrl(url)],
  ])
}

function redactedHeaders({ headers }: Webhook): JsonObject {
  const entries = [...headers].map(([name, value]) => [name, isSecret(name) ? maskCredentials(value) : value] as const)
  return new Map(entries)
}

/** The headers of HTTP that carry credentials. Others may hold anything and are shown as they were sent. */
const isSecret = (name: string): boolean => /^(?:proxy-)?authorization$/i.test(name)
