import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What becomes of an answer to a search. Chunks are sent one after the other, and the last one ends the answer. */
export type Mangle = (answer: string) => Iterable<string | Buffer>

/** Stands before a server and passes everything on as it is, but the answers to searches of other servers. */
export class ManglingProxy {
  mangle: Mangle = (answer) => [answer]
  /** The last answer as the server gave it. */
  last = ''

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('request', (request, response) => this.pass(request, response).catch(() => response.destroy()))
  }

  static async start(target: number): Promise<ManglingProxy> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ManglingProxy(server, target)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request
    const body = Buffer.concat(await request.toArray())
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.target, method, path: url, headers }
      httpRequest(options, resolve).on('error', reject).end(body)
    })
    const text = Buffer.concat(await answer.toArray())
    response.writeHead(answer.statusCode!, { 'content-type': answer.headers['content-type'] ?? 'application/json' })
    if (url !== '/multi-search') {
      response.end(text)
      return
    }
    this.last = text.toString()
    const gone = once(response, 'close')
    for (const chunk of this.mangle(this.last)) {
      if (response.destroyed) return
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), gone])
    }
    response.end()
  }
}
