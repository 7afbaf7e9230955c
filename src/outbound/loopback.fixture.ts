import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { createOutbound, type Outbound, type OutboundOptions, type OutboundRequest } from './client.js'
import { parseNetworks } from './policy.js'

export const cleanups: (() => Promise<unknown> | unknown)[] = []
/** Undoes what a test opened, the last first. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

function loopback() {
  const parsed = parseNetworks(['127.0.0.0/8'])
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.networks
}

export function client(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ networks: loopback(), userAgent: 'findling-test', ...options })
  cleanups.push(() => outbound.close())
  return outbound
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

export const serve = (listener: RequestListener) => listen(createServer(listener))

interface ReceivedRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server that remembers requests and answers as told by path. */
export async function recorder(answers: Record<string, { status: number; location?: string }> = {}) {
  const seen: ReceivedRequest[] = []
  const port = await serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    seen.push({ method: request.method, path: request.url, headers: request.headers, body })
    const { status, location } = answers[request.url ?? ''] ?? { status: 200 }
    response.writeHead(status, location === undefined ? {} : { location }).end('done')
  })
  return { seen, port, url: `http://127.0.0.1:${port}` }
}

export const call = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  url,
  timeoutMs: 5_000,
  maxAnswerBytes: 1_000,
  ...more,
})

export const problem = (kind: string) => ({ ok: false, problem: { kind, message: expect.any(String) } })

/** A promise and the function that resolves it. */
export function gate(): [Promise<void>, () => void] {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return [opened, open]
}

/** A timer that runs out when the test says so. */
export function manualTimer() {
  const pending = new Set<() => void>()
  return {
    pending,
    startTimer: (_delayMs: number, onTime: () => void) => {
      pending.add(onTime)
      return () => void pending.delete(onTime)
    },
    expire: () => {
      for (const onTime of [...pending]) onTime()
    },
  }
}
