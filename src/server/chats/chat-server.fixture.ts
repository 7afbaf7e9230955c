import { SignJWT } from 'jose'
import { createOutbound } from '../../outbound/index.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'
import type { Received } from '../test-server.fixture.js'
import { eventsOf, type FakeProvider, startFakeProvider } from './provider.fake.js'

export const SECRET = 'sk-test-placeholder-api-key'

export const MESSAGES = [{ role: 'user', content: 'owls?' }]

export interface ChatExchange extends Received {
  // biome-ignore lint/suspicious/noExplicitAny: tests compare events of every shape
  readonly events: any[]
}

export interface ChatServer extends IndexServer {
  readonly provider: FakeProvider
  /** Sends a completion to the workspace `w`. */
  ask(body?: object, key?: string | null): Promise<ChatExchange>
  createKey(key: object): Promise<{ readonly uid: string; readonly key: string }>
  tokenFor(key: { readonly uid: string; readonly key: string }, searchRules: unknown): Promise<string>
}

/** A server with a workspace whose model is told what to say. */
export async function startChatServer(options: { readonly masterKey?: null } = {}): Promise<ChatServer> {
  const provider = await startFakeProvider()
  const outbound = createOutbound({ networks: 'any', userAgent: 'findling' })
  const server = await startIndexServer({ ...options, context: { outbound } })
  await server.context.features.change({ chatCompletions: true })
  await server.context.chats.patch('w', { source: 'openAi', baseUrl: `${provider.url}/v1/`, apiKey: SECRET })
  const ask: ChatServer['ask'] = async (body, key) => {
    const request = { model: 'gpt-4o-mini', messages: MESSAGES, ...body }
    const sent = { body: request, ...(key === undefined ? {} : { key }) }
    const answer = await server.send('POST', '/chats/w/chat/completions', sent)
    return { ...answer, events: eventsOf(answer.text) }
  }
  return {
    ...server,
    provider,
    ask,
    createKey: async (key) => (await server.send('POST', '/keys', { body: { expiresAt: null, ...key } })).json,
    tokenFor: ({ uid, key }, searchRules) =>
      new SignJWT({ apiKeyUid: uid, searchRules }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(key)),
  }
}

/** What a stream says, without the parts that are the same in every chunk. */
// biome-ignore lint/suspicious/noExplicitAny: events have every shape
export function saidIn(events: any[]): string {
  return events.map((event) => event.choices?.[0].delta.content ?? '').join('')
}

/** The notifications of a stream: the name of each, and what it holds. */
// biome-ignore lint/suspicious/noExplicitAny: events have every shape
export function toldIn(events: any[]): any[] {
  const calls = events.flatMap((event) => event.choices?.[0].delta.tool_calls ?? [])
  return calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)])
}

// biome-ignore lint/suspicious/noExplicitAny: events have every shape
export const errorsIn = (events: any[]): any[] =>
  events.filter(({ type }) => type === 'error').map(({ error }) => error)

export const ALL_TOOLS = ['_meiliSearchProgress', '_meiliSearchSources', '_meiliAppendConversationMessage'].map(
  (name) => ({ type: 'function', function: { name, description: 'd', parameters: {} } }),
)
