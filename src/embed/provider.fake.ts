import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOutbound, parseNetworks } from '../outbound/index.js'
import type { EmbedServices } from './services.js'

const cleanups: (() => Promise<unknown> | unknown)[] = []

/** Undoes what a test opened, the last first. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

export const later = (cleanup: () => Promise<unknown> | unknown): number => cleanups.push(cleanup)

export interface ReceivedRequest {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  /** Names and values as they came over the wire. */
  readonly rawHeaders: readonly string[]
  readonly body: unknown
}

/** What a fake provider does with a request: answers it, or something worse. */
export type Behaviour = (asked: ReceivedRequest, response: ServerResponse, nth: number) => void

export interface FakeProvider {
  readonly url: string
  readonly asked: readonly ReceivedRequest[]
  /** The most requests that were under way at once. */
  readonly mostAtOnce: () => number
}

/** A provider on loopback that remembers what it was asked. */
export async function fakeProvider(behave: Behaviour): Promise<FakeProvider> {
  const asked: ReceivedRequest[] = []
  let open = 0
  let most = 0
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url: path, headers, rawHeaders } = request
    const text = Buffer.concat(chunks).toString()
    const seen: ReceivedRequest = { path, headers, rawHeaders, body: text === '' ? undefined : JSON.parse(text) }
    behave(seen, response, asked.push(seen))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  later(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, mostAtOnce: () => most }
}

export const say = (response: ServerResponse, value: unknown): unknown => response.end(JSON.stringify(value))

export const refuse = (response: ServerResponse, status: number, text = ''): unknown =>
  response.writeHead(status).end(text)

/** A vector that tells texts apart: their length, and the codes of the first characters. */
export function vectorOf(text: string, dimensions = 3): number[] {
  return Array.from({ length: dimensions }, (_, i) => (i === 0 ? text.length : (text.charCodeAt(i - 1) || 0) / 128))
}

/** Networks that let tests call loopback. */
export function loopback() {
  const parsed = parseNetworks(['127.0.0.0/8'])
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.networks
}

/** Services whose pauses take no time; `pauses` tells how long they would have been. */
export function testServices(more: Partial<EmbedServices> = {}): EmbedServices & { readonly pauses: number[] } {
  const client = createOutbound({ networks: loopback(), userAgent: 'findling-test' })
  later(() => client.close())
  const pauses: number[] = []
  return {
    client,
    cacheEntries: 0,
    requestTimeoutMs: 5_000,
    maxRetryMs: 60_000,
    ignoresEmbedderFailures: false,
    openAiApiKey: null,
    ollamaUrl: 'http://127.0.0.1:1/api/embeddings',
    random: () => 1,
    startTimer: (ms, onTime) => {
      pauses.push(ms)
      const timer = setImmediate(onTime)
      return () => clearImmediate(timer)
    },
    pauses,
    ...more,
  }
}
