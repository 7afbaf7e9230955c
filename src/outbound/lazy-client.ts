import type { Outbound, OutboundOptions } from './client.js'

/** The client, loaded with its first request: most servers start often and call out rarely. */
export function createOutbound(options: OutboundOptions): Outbound {
  let client: Promise<Outbound> | undefined
  const load = (): Promise<Outbound> =>
    (client ??= import('./client.js').then((loaded) => loaded.createOutbound(options)))
  return {
    request: async (request) => (await load()).request(request),
    stream: async (request) => (await load()).stream(request),
    close: async () => (await client)?.close(),
  }
}
