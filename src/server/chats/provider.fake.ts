import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../../store/at-end.fixture.js'

export interface ProviderCall {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every shape
  readonly body: any
}

/** Writes an answer. `place` counts the requests from 0. */
export type Script = (response: ServerResponse, call: ProviderCall, place: number) => Promise<void> | void

export interface FakeProvider {
  readonly url: string
  readonly calls: ProviderCall[]
  script: Script
}

/** A language model on loopback that says what it is told to. */
export async function startFakeProvider(script: Script = says('Hello.')): Promise<FakeProvider> {
  const provider: FakeProvider = { url: '', calls: [], script }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const call = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) as unknown }
    provider.calls.push(call)
    await provider.script(response, call, provider.calls.length - 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(provider, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

export const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8' }

/** A chunk of an answer, as the line that carries it. */
export function chunk(delta: object, finish_reason: string | null = null, more: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason }]
  return line({ id: 'c1', object: 'chat.completion.chunk', created: 1763000000, model: 'fake', choices, ...more })
}

export const line = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
export const DONE = 'data: [DONE]\n\n'

/** An answer of these lines. */
export const stream =
  (...lines: string[]): Script =>
  (response) => {
    response.writeHead(200, STREAM_HEADERS)
    for (const each of lines) response.write(each)
    response.end()
  }

/** An answer in words. */
export const says = (...words: string[]): Script =>
  stream(chunk({ role: 'assistant' }), ...words.map((content) => chunk({ content })), chunk({}, 'stop'), DONE)

export interface WantedCall {
  readonly id: string
  readonly arguments: string
  readonly name?: string
}

/** An answer that asks for searches, all in one chunk. */
export const asks = (...calls: WantedCall[]): Script =>
  stream(chunk({ tool_calls: calls.map(toolCall) }), chunk({}, 'tool_calls'), DONE)

export const toolCall = ({ id, name = '_meiliSearchInIndex', arguments: args }: WantedCall, index: number): object => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: args },
})

export const searchFor = (indexUid: string, q = '', filter = ''): string => JSON.stringify({ indexUid, q, filter })

/** One script after the other; the last one again and again. */
export const inTurn =
  (...scripts: Script[]): Script =>
  (response, call, place) =>
    scripts[Math.min(place, scripts.length - 1)]!(response, call, place)

/** The data of the events of a stream. */
// biome-ignore lint/suspicious/noExplicitAny: tests compare events of every shape
export function eventsOf(text: string): any[] {
  const lines = text.split('\n\n').filter((each) => each.startsWith('data: '))
  return lines.map((each) => (each === 'data: [DONE]' ? '[DONE]' : JSON.parse(each.slice('data: '.length))))
}
