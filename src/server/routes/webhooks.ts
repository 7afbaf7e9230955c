import { fail, ok, type Result } from '../../errors/index.js'
import { print } from '../../json/index.js'
import { mapOf, nullable, object, optional, parseUuid, text } from '../../shape/index.js'
import { toListView, toView, type Webhook } from '../../webhooks/index.js'
import { empty, jsonText } from '../answers/answer.js'
import { jsonBody, type Outcome, route } from '../http/route.js'

const webhookPatch = object(
  {
    url: optional(nullable(text), 'invalid_webhook_url'),
    headers: optional(nullable(mapOf(nullable(text))), 'invalid_webhook_headers'),
  },
  { immutable: { uuid: 'immutable_webhook_uuid', isEditable: 'immutable_webhook_is_editable' } },
)

export const routes = [
  route({
    method: 'GET',
    path: '/webhooks',
    action: 'webhooks.get',
    handle: ({ context }) => jsonText(200, print(toListView(context.webhooks.list()))),
  }),

  route({
    method: 'POST',
    path: '/webhooks',
    action: 'webhooks.create',
    body: jsonBody(webhookPatch),
    handle: async ({ body, context }) => answer(201, await context.webhooks.create(body)),
  }),

  route({
    method: 'GET',
    path: '/webhooks/{uuid}',
    action: 'webhooks.get',
    handle({ params, context }) {
      const uuid = readUuid(params.uuid)
      return uuid.ok ? answer(200, context.webhooks.get(uuid.value)) : uuid
    },
  }),

  route({
    method: 'PATCH',
    path: '/webhooks/{uuid}',
    action: 'webhooks.update',
    body: jsonBody(webhookPatch),
    async handle({ params, body, context }) {
      const uuid = readUuid(params.uuid)
      return uuid.ok ? answer(200, await context.webhooks.update(uuid.value, body)) : uuid
    },
  }),

  route({
    method: 'DELETE',
    path: '/webhooks/{uuid}',
    action: 'webhooks.delete',
    async handle({ params, context }) {
      const uuid = readUuid(params.uuid)
      const deleted = uuid.ok ? await context.webhooks.delete(uuid.value) : uuid
      return deleted.ok ? empty(204) : deleted
    },
  }),
]

function readUuid(found: string): Result<string> {
  const uuid = parseUuid(found)
  return uuid === undefined ? fail('invalid_webhook_uuid', found) : ok(uuid)
}

function answer(status: number, webhook: Result<Webhook>): Outcome {
  return webhook.ok ? jsonText(status, print(toView(webhook.value))) : webhook
}
