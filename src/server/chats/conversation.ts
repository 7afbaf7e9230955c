import {
  type CompletionRequest,
  converse,
  endpointOf,
  openProvider,
  readNotifications,
  type Usage,
  type WorkspaceSettings,
} from '../../chat/index.js'
import { askerWith } from '../../searching/index.js'
import { stream } from '../answers/answer.js'
import { joinedSignal } from '../http/joined-signal.js'
import type { Call, Outcome } from '../http/route.js'
import type { ChatUsage } from '../metrics/events.js'
import type { Searcher } from '../search/searcher.js'
import { offerIndexes, searchForModel } from './chat-search.js'
import { Turns } from './turns.js'

export interface Workspace {
  readonly uid: string
  readonly settings: WorkspaceSettings
}

/** Events must not be held back on the way, by whatever stands between (spec 7 §5.8). */
const HEADERS = { 'Cache-Control': 'no-cache', 'Content-Encoding': 'identity', 'X-Accel-Buffering': 'no' }

/** Prefix to talk takes much longer than passing words on, and must not hold those up. */
const turns = new Turns()

/** What is wrong before the first event is answered as on any other route. */
export async function startConversation(
  call: Call,
  request: CompletionRequest,
  workspace: Workspace,
): Promise<Outcome> {
  const notifications = readNotifications(request)
  if (!notifications.ok) return notifications
  const endpoint = endpointOf(workspace.settings)
  if (!endpoint.ok) return endpoint
  const { context, auth, headers } = call
  const { signal, release } = joinedSignal([call.signal, context.closing])
  const searcher: Searcher = { context, auth, headers, asker: askerWith(signal) }
  await turns.next()
  const indexes = await offerIndexes(searcher)
  if (!indexes.ok) {
    release()
    return indexes
  }
  const events = converse({
    request,
    notifications: notifications.value,
    settings: workspace.settings,
    errorsUrl: context.config.errorsUrl,
    indexes: indexes.value,
    provider: openProvider({ endpoint: endpoint.value, outbound: context.outbound }),
    turn: () => turns.next(),
    search: (wanted) => searchForModel(searcher, wanted),
    signal,
    onUsage: (usage) => context.events.countChatTokens(countedUsage(workspace.uid, request.model, usage)),
    onSurprise: (error) => context.log.child('chat').error({ error }, 'a conversation failed unexpectedly'),
    onEnd: release,
  })
  return stream({ status: 200, chunks: events, contentType: 'text/event-stream', headers: HEADERS, isPlain: true })
}

const countedUsage = (workspace: string, model: string, { prompt, completion, total }: Usage): ChatUsage => ({
  workspace,
  model,
  promptTokens: prompt,
  completionTokens: completion,
  totalTokens: total,
})
