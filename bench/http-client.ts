import { Agent, request } from 'node:http'

/** A client for measuring a server, on one kept-alive connection: nothing is parsed that was not asked for. */
export class Connection {
  private readonly agent: Agent

  constructor(
    private readonly url: string,
    private readonly key?: string,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: 1 })
  }

  /** The bytes of the answer; throws when its status is not a success. */
  send(method: string, path: string, body?: string | Buffer): Promise<Buffer> {
    const headers: Record<string, string | number> = body === undefined ? {} : { 'content-type': 'application/json' }
    if (body !== undefined) headers['content-length'] = Buffer.byteLength(body)
    if (this.key !== undefined) headers.authorization = `Bearer ${this.key}`
    return new Promise((resolve, reject) => {
      const sent = request(this.url + path, { method, headers, agent: this.agent }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const bytes = Buffer.concat(parts)
          if (answer.statusCode! < 300) resolve(bytes)
          else reject(new Error(`${method} ${path}: ${answer.statusCode} ${bytes.toString().slice(0, 300)}`))
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    return JSON.parse((await this.send(method, path, body === undefined ? undefined : JSON.stringify(body))).toString())
  }

  /** Waits for a task to end; throws when it did not succeed. */
  async finished(taskUid: number, pauseMs = 1): Promise<void> {
    for (;;) {
      const { status, error } = await this.json<{ status: string; error: unknown }>('GET', `/tasks/${taskUid}`)
      if (status === 'succeeded') return
      if (status === 'failed' || status === 'canceled') throw new Error(`task ${taskUid}: ${JSON.stringify(error)}`)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }

  close(): void {
    this.agent.destroy()
  }
}
