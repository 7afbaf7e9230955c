import {
  changedSettings,
  checkSupported,
  completionRequest,
  settingsPatch,
  shownSettings,
  type WorkspaceSettings,
} from '../../chat/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { type JsonObject, print } from '../../json/index.js'
import { isIndexUid, queryParam, uintParam } from '../../shape/index.js'
import { empty, json, jsonText } from '../answers/answer.js'
import { startConversation } from '../chats/conversation.js'
import { type FeatureGate, jsonBody, type Outcome, route } from '../http/route.js'

const feature: FeatureGate = { name: 'chatCompletions', doing: 'Using the chat routes' }

const DEFAULT_LIMIT = 20

/** Conversations are read where all requests are; those with the results of many searches in them are long. */
const MAX_CONVERSATION_BYTES = 16 * 1024 * 1024

export const routes = [
  route({
    method: 'GET',
    path: '/chats',
    action: 'chats.get',
    feature,
    query: {
      offset: queryParam(uintParam, 'invalid_index_offset'),
      limit: queryParam(uintParam, 'invalid_index_limit'),
    },
    handle({ query, context }) {
      const { offset = 0, limit = DEFAULT_LIMIT } = query
      const uids = context.chats.uids()
      const results = uids.slice(offset, offset + limit).map((uid) => ({ uid }))
      return json(200, { results, offset, limit, total: uids.length })
    },
  }),

  route({
    method: 'GET',
    path: '/chats/{workspace_uid}',
    action: 'chats.get',
    feature,
    handle({ params, context }) {
      const uid = readUid(params.workspace_uid)
      const known = uid.ok ? context.chats.get(uid.value) : uid
      return known.ok ? json(200, { uid: params.workspace_uid }) : known
    },
  }),

  route({
    method: 'DELETE',
    path: '/chats/{workspace_uid}',
    action: 'chats.delete',
    feature,
    async handle({ params, context }) {
      const deleted = await context.chats.delete(params.workspace_uid)
      return deleted.ok ? empty(204) : deleted
    },
  }),

  route({
    method: 'GET',
    path: '/chats/{workspace_uid}/settings',
    action: 'chatsSettings.get',
    feature,
    handle: ({ params, context }) => answer(context.chats.get(params.workspace_uid), shownSettings),
  }),

  route({
    method: 'PATCH',
    path: '/chats/{workspace_uid}/settings',
    action: 'chatsSettings.update',
    feature,
    body: jsonBody(settingsPatch),
    async handle({ params, body, context }) {
      // What could never be asked for afterwards is not created.
      const uid = readUid(params.workspace_uid)
      return answer(uid.ok ? await context.chats.patch(uid.value, body) : uid, changedSettings)
    },
  }),

  route({
    method: 'DELETE',
    path: '/chats/{workspace_uid}/settings',
    action: 'chatsSettings.update',
    feature,
    handle: async ({ params, context }) => answer(await context.chats.reset(params.workspace_uid), changedSettings),
  }),

  route({
    method: 'POST',
    path: '/chats/{workspace_uid}/chat/completions',
    action: 'chatCompletions',
    feature,
    body: jsonBody(completionRequest, MAX_CONVERSATION_BYTES),
    async handle(call) {
      const supported = checkSupported(call.body)
      if (!supported.ok) return supported
      const settings = call.context.chats.get(call.params.workspace_uid)
      if (!settings.ok) return settings
      const workspace = { uid: call.params.workspace_uid, settings: settings.value }
      return startConversation(call, call.body, workspace)
    },
  }),
]

const readUid = (uid: string): Result<string> => (isIndexUid(uid) ? ok(uid) : fail('invalid_index_uid', uid))

const answer = (settings: Result<WorkspaceSettings>, view: (settings: WorkspaceSettings) => JsonObject): Outcome =>
  settings.ok ? jsonText(200, print(view(settings.value))) : settings
