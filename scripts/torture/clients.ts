import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { TestServer } from '../../test/server.js'
import { deadlineOf, failWith, type Part } from './part.js'
import { megabytes, memoryOf, openFilesOf } from './process-facts.js'

const CONNECTIONS = 5000
const FEW_CONNECTIONS = 1000
const AT_ONCE = 250
const ANSWER_LIMIT_MS = 30_000
/** Files that a server may have open after everybody left, beyond those before: threads start meanwhile. */
const SPARE_FILES = 30

/** A client that speaks plain bytes. */
class RawClient {
  private received = ''
  private heard: (() => void) | undefined
  isClosed = false

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.received += text
      this.heard?.()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.isClosed = true
      this.heard?.()
    })
  }

  static open(port: number): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('error', reject)
      socket.once('connect', () => resolve(new RawClient(socket)))
    })
  }

  /** The status line of the answer, or an empty text when the connection was closed or nothing came. */
  async ask(request: string): Promise<string> {
    this.received = ''
    this.socket.write(request)
    const deadline = Date.now() + ANSWER_LIMIT_MS
    while (!this.received.includes('\r\n\r\n') && !this.isClosed && Date.now() < deadline) {
      await new Promise<void>((resolve) => {
        const limit = setTimeout(resolve, ANSWER_LIMIT_MS)
        this.heard = () => {
          clearTimeout(limit)
          resolve()
        }
      })
    }
    return this.received.split('\r\n', 1)[0]!
  }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

/** Thousands of connections that stay: each is answered, twice, and all are given back. */
export const manyConnections: Part = async ({ isShort, progress }) => {
  const server = await filled()
  const clients: RawClient[] = []
  try {
    const [filesBefore, memoryBefore] = [openFilesOf(server.pid), memoryOf(server.pid)]
    while (clients.length < (isShort ? FEW_CONNECTIONS : CONNECTIONS)) {
      clients.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => RawClient.open(server.port)))))
      progress(`${clients.length} connections`)
    }
    const problems = [...(await askAll(clients, '/health')), ...(await askAll(clients, '/indexes/a/search?q=fox'))]
    const grown = memoryOf(server.pid) - memoryBefore
    for (const { socket } of clients) socket.destroy()
    const kept = await filesKept(server, filesBefore)
    if (kept > SPARE_FILES) problems.push(`${kept} files stayed open`)
    failWith(problems)
    return `${clients.length} connections, each answered twice, for ${megabytes(grown)} of memory`
  } finally {
    for (const { socket } of clients) socket.destroy()
    await server.close()
  }
}

async function askAll(clients: readonly RawClient[], path: string): Promise<string[]> {
  const problems: string[] = []
  // All connections are open, but so many requests at once are more than the queue of searches has room for.
  for (let from = 0; from < clients.length; from += AT_ONCE) {
    const answers = await Promise.all(clients.slice(from, from + AT_ONCE).map((client) => client.ask(get(path))))
    for (const answer of answers) if (!answer.includes(' 200 ')) problems.push(`${path} was answered "${answer}"`)
  }
  return problems
}

/** After everybody left; the server hears of it a moment later. */
async function filesKept(server: TestServer, before: number): Promise<number> {
  const deadline = Date.now() + 10_000
  while (openFilesOf(server.pid) - before > SPARE_FILES && Date.now() < deadline) await delay(50)
  return openFilesOf(server.pid) - before
}

const SLOW_CLIENTS = 200
const DRIP_MS = 500
const MIN_SECONDS = 4
/** How long a normal client may wait beside them. */
const PATIENCE_MS = 3000
/** Node looks every half a minute for requests whose head takes more than a minute. */
const HEAD_LIMIT_SECONDS = 95

/** Clients that send, or read, a byte now and then: nobody else waits for them, and endless heads are cut off. */
export const slowClients: Part = async (options) => {
  const server = await filled()
  const open = () => Promise.all(Array.from({ length: SLOW_CLIENTS }, () => RawClient.open(server.port)))
  const [heads, bodies, readers] = [await open(), await open(), await open()]
  try {
    for (const { socket } of heads) socket.write('GET /health HTTP/1.1\r\nX-Long: ')
    const body =
      'POST /indexes/a/documents HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n['
    for (const { socket } of bodies) socket.write(body)
    for (const { socket } of readers) socket.pause().write(get('/indexes/a/documents?limit=1000'))
    const seconds = Math.max(MIN_SECONDS, options.minutes * 60)
    const deadline = Math.max(deadlineOf(options), performance.now() + MIN_SECONDS * 1000)
    let slowest = 0
    while (performance.now() < deadline) {
      for (const { socket } of [...heads, ...bodies]) if (!socket.destroyed) socket.write(' ')
      slowest = Math.max(slowest, await normalRequests(server))
      options.progress(
        `${heads.filter(({ isClosed }) => isClosed).length} of ${SLOW_CLIENTS} endless heads were cut off`,
      )
      await delay(DRIP_MS)
    }
    const cutOff = heads.filter(({ isClosed }) => isClosed).length
    failWith([
      ...(slowest > PATIENCE_MS ? [`a normal request took ${slowest.toFixed(0)} ms`] : []),
      ...(seconds > HEAD_LIMIT_SECONDS && cutOff < SLOW_CLIENTS ? [`only ${cutOff} endless heads were cut off`] : []),
    ])
    return `beside ${3 * SLOW_CLIENTS} slow clients the slowest of normal requests took ${slowest.toFixed(0)} ms; ${cutOff} endless heads were cut off`
  } finally {
    for (const { socket } of [...heads, ...bodies, ...readers]) socket.destroy()
    await server.close()
  }
}

/** The time of the slower one. */
async function normalRequests(server: TestServer): Promise<number> {
  let slowest = 0
  for (const path of ['/health', '/indexes/a/search?q=fox']) {
    const began = performance.now()
    const { status, text } = await server.request('GET', path)
    if (status !== 200) throw new Error(`${path} was answered ${status} ${text}`)
    slowest = Math.max(slowest, performance.now() - began)
  }
  return slowest
}

async function filled(): Promise<TestServer> {
  const server = await TestServer.start()
  const documents = Array.from({ length: 1000 }, (_, id) => ({ id, title: 'red fox', text: 'some text '.repeat(20) }))
  const { body } = await server.request<{ taskUid: number }>('POST', '/indexes/a/documents', documents)
  await server.waitTask(body.taskUid)
  return server
}
