import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, ListenOptions as TcpListenOptions } from 'node:net'

export interface ListenOptions {
  /** Names or numbers; the first has to be one of this machine. */
  readonly addresses: readonly string[]
  /** 0 for any that is free. */
  readonly port: number
  /** Connections that wait to be accepted. */
  readonly backlog?: number
}

/** One HTTP server for each address. They share a port, and the function that answers requests. */
export class Listeners {
  private readonly servers: Server[] = []

  constructor(private readonly createServer: () => Server) {}

  /** Returns the port, once connections are accepted. */
  async listen({ addresses, port, backlog }: ListenOptions): Promise<number> {
    const [first, ...others] = addresses
    const opened = await this.open({ host: first, port, backlog })
    // A machine may have a name for an address that it does not have, such as ::1.
    await Promise.allSettled(others.map((host) => this.open({ host, port: opened, backlog })))
    return opened
  }

  private async open(address: TcpListenOptions): Promise<number> {
    const server = this.createServer()
    server.listen(address)
    await once(server, 'listening')
    this.servers.push(server)
    return (server.address() as AddressInfo).port
  }

  /** Lets requests that are running finish; after `graceMs` they lose their connection. */
  async close(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.dropConnections(), graceMs).unref()
    await Promise.all(this.servers.map(closed))
    clearTimeout(timer)
  }

  private dropConnections(): void {
    for (const server of this.servers) server.closeAllConnections()
  }
}

/** Clients take `localhost` for 127.0.0.1 or for ::1, so a server of that name has both; other hosts have one. */
export async function addressesOf(host: string): Promise<readonly string[]> {
  if (host !== 'localhost') return [host]
  const found = await lookup(host, { all: true })
  return [...new Set(found.map(({ address }) => address))]
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
