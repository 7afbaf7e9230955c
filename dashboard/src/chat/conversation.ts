/** What is shown of a conversation, and what the model is sent of it. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** What was looked for on the way to the answer. */
  readonly searches: readonly Lookup[]
  readonly error: string | undefined
}

export interface Lookup {
  readonly callId: string
  readonly index: string
  readonly q: string
  readonly filter: string
  /** Undefined while it is being searched. */
  readonly sources: readonly Readonly<Record<string, unknown>>[] | undefined
}

/** What the server sends to the model again with the next question. */
export type Message = Readonly<Record<string, unknown>> & { readonly role: string }

export interface Conversation {
  readonly turns: readonly Turn[]
  readonly messages: readonly Message[]
}

export const NOTHING_SAID: Conversation = { turns: [], messages: [] }

/** Tools that make the server tell what it does. */
export const TELLING = ['_meiliSearchProgress', '_meiliSearchSources', '_meiliAppendConversationMessage']

export function asking({ turns, messages }: Conversation, text: string): Conversation {
  const question: Turn = { role: 'user', text, searches: [], error: undefined }
  const answer: Turn = { role: 'assistant', text: '', searches: [], error: undefined }
  return { turns: [...turns, question, answer], messages: [...messages, { role: 'user', content: text }] }
}

/** An event of the stream, as far as this page looks at it. */
interface Chunk {
  readonly choices?: readonly { readonly delta?: Delta }[]
  readonly type?: string
  readonly error?: { readonly message?: string; readonly type?: string }
}

interface Delta {
  readonly content?: string
  readonly tool_calls?: readonly { readonly function?: { readonly name?: string; readonly arguments?: string } }[]
}

/** The conversation after one more event. */
export function hear(conversation: Conversation, chunk: Chunk): Conversation {
  if (chunk.type === 'error') return changed(conversation, (turn) => ({ ...turn, error: chunk.error?.message ?? '' }))
  const delta = chunk.choices?.[0]?.delta
  let next = conversation
  if (delta?.content) next = changed(next, (turn) => ({ ...turn, text: turn.text + delta.content }))
  for (const call of delta?.tool_calls ?? []) next = told(next, call.function?.name, read(call.function?.arguments))
  return next
}

/** The answer is over: the model has to know what it said. */
export function answered({ turns, messages }: Conversation): Conversation {
  const { text } = turns.at(-1)!
  return { turns, messages: text === '' ? messages : [...messages, { role: 'assistant', content: text }] }
}

function told(conversation: Conversation, name: string | undefined, given: Record<string, unknown>): Conversation {
  switch (name) {
    case '_meiliSearchProgress':
      return changed(conversation, (turn) => ({ ...turn, searches: [...turn.searches, lookupOf(given)] }))
    case '_meiliSearchSources':
      return changed(conversation, (turn) => ({ ...turn, searches: withSources(turn.searches, given) }))
    case '_meiliAppendConversationMessage':
      return { ...conversation, messages: [...conversation.messages, given as Message] }
    default:
      return conversation
  }
}

function lookupOf(given: Record<string, unknown>): Lookup {
  // Models are told one name of it, and know the other one.
  const { index_uid, indexUid, q, filter } = read(given.function_arguments)
  const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
  const what = { index: text(index_uid ?? indexUid), q: text(q), filter: text(filter) }
  return { callId: String(given.call_id), ...what, sources: undefined }
}

function withSources(searches: readonly Lookup[], given: Record<string, unknown>): Lookup[] {
  const sources = Array.isArray(given.sources) ? (given.sources as Record<string, unknown>[]) : []
  return searches.map((each) => (each.callId === String(given.call_id) ? { ...each, sources } : each))
}

function changed({ turns, messages }: Conversation, change: (turn: Turn) => Turn): Conversation {
  return { turns: [...turns.slice(0, -1), change(turns.at(-1)!)], messages }
}

/** A model writes what it likes. */
function read(text: unknown): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const DATA = 'data: '
const END = '[DONE]'

/** The events of a stream, one after the other. */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Chunk, void, void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (text + decoder.decode(value, { stream: true })).split('\n')
    text = lines.pop()!
    for (const line of lines) {
      if (!line.startsWith(DATA)) continue
      const data = line.slice(DATA.length)
      if (data === END) return
      yield read(data) as Chunk
    }
  }
}
