import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect } from 'vitest'
import { TestServer } from '../server.js'
import { makeOlderFolder } from '../upgrade/older-folder.js'

export const MASTER_KEY = 'a-master-key-of-good-length'

/** Addresses on loopback may be called: receivers and providers of the tests are there. */
export const LOOPBACK = ['--experimental-allowed-ip-networks', '127.0.0.0/8'] as const

const servers: TestServer[] = []
const receivers: { close(): void }[] = []
afterAll(async () => {
  for (const receiver of receivers.splice(0)) receiver.close()
  for (const server of servers.splice(0)) await server.close()
})

/** A built server that ends with the file of tests. */
export async function startServer(options: Parameters<typeof TestServer.start>[0] = {}): Promise<TestServer> {
  const server = await TestServer.start(options)
  servers.push(server)
  return server
}

/** A server with a master key, and calls to loopback allowed. */
export const startGuarded = (...flags: string[]): Promise<TestServer> =>
  startServer({ masterKey: MASTER_KEY, flags: [...LOOPBACK, ...flags] })

/** A stopped server on the data folder of an older version. */
export async function onOlderFolder(): Promise<TestServer> {
  const server = await startServer({ masterKey: MASTER_KEY })
  await makeOlderFolder(server)
  return server
}

/** Starts it, or starts it again, with these flags. */
export const startWith = (server: TestServer, ...flags: string[]): Promise<void> =>
  server.restart({ masterKey: MASTER_KEY, flags })

/** The value of a key with these actions on these indexes. */
export async function keyFor(server: TestServer, actions: readonly string[], indexes = ['*']): Promise<string> {
  const { status, body } = await server.request<{ key: string }>('POST', '/keys', { actions, indexes, expiresAt: null })
  if (status !== 201) throw new Error(`the key was refused: ${JSON.stringify(body)}`)
  return body.key
}

export const as = (key: string) => ({ authorization: `Bearer ${key}` })

/** No credential at all, although the server has a master key. */
export const ANONYMOUS = { authorization: undefined }

interface Call {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The tasks that it told of, one for each line. */
  readonly tasks: readonly Record<string, unknown>[]
}

export interface Receiver {
  readonly url: string
  readonly calls: readonly Call[]
}

/** A receiver of webhooks on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const calls: Call[] = []
  const receiver = createServer(async (request, response) => {
    const { method, headers } = request
    const bytes = Buffer.concat(await request.toArray())
    const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
    calls.push({
      method,
      headers,
      tasks: text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    })
    response.end()
  })
  receivers.push(receiver)
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`, calls }
}

/** The only call that the receiver gets, waited for. */
export async function onlyCall({ calls }: Receiver): Promise<Call> {
  await expect.poll(() => calls.length, { timeout: 20_000 }).toBe(1)
  return calls[0]!
}
