import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The built server; another build can be tried without replacing it. */
export const CLI = process.env.FINDLING_CLI ?? join(import.meta.dirname, '..', 'dist', 'cli.js')

const START_LIMIT_MS = 30_000
const TASK_LIMIT_MS = 30_000
const POLL_MS = 5

export interface ServerOptions {
  readonly masterKey?: string
  /** More of the command line, such as `['--log-level', 'OFF']`. */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Another program than the built one. */
  readonly cli?: string
  /** A server that is started again listens where it did. */
  readonly keepsPort?: boolean
  /** Whose process it is, if not this user's: only root may choose. */
  readonly uid?: number
}

export interface Answer<Body> {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The JSON of the answer, undefined when it is none. Its type is the caller's claim. */
  readonly body: Body
}

export interface Task {
  readonly uid: number
  readonly status: 'enqueued' | 'processing' | 'succeeded' | 'failed' | 'canceled'
  readonly error: { readonly code: string } | null
  readonly [member: string]: unknown
}

/** The built server, as its users run it: a process of its own, in a folder of its own, spoken to over HTTP. */
export class TestServer {
  private readonly agent = new Agent({ keepAlive: true })
  private child!: ChildProcess
  private exit!: Promise<number | string>
  private stderr = ''
  port = 0

  private constructor(
    readonly folder: string,
    private options: ServerOptions,
  ) {}

  static async start(options: ServerOptions = {}): Promise<TestServer> {
    const server = new TestServer(mkdtempSync(join(tmpdir(), 'findling-test-')), options)
    if (options.uid !== undefined) chownSync(server.folder, options.uid, options.uid)
    await server.launch()
    return server
  }

  get pid(): number {
    return this.child.pid!
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /**
   * Sends the path as it is written. A string or bytes are sent as they are, anything else as JSON; a body comes with
   * `content-type: application/json` unless the headers name another (or `undefined`). Sends the master key unless the
   * headers hold an `authorization` of their own.
   */
  request<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: OutgoingHttpHeaders = {},
  ): Promise<Answer<Body>> {
    const { masterKey } = this.options
    const given = {
      ...(masterKey === undefined ? {} : { authorization: `Bearer ${masterKey}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    const used = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    return this.send({ method, path, headers: used }, bytesOf(body))
  }

  /** Waits until the task is finished and answers it, whatever its end was. */
  async waitTask(uid: number): Promise<Task> {
    const deadline = Date.now() + TASK_LIMIT_MS
    for (;;) {
      const { status, body } = await this.request<Task>('GET', `/tasks/${uid}`)
      if (status !== 200) throw new Error(`task ${uid} cannot be read: status ${status}`)
      if (body.status !== 'enqueued' && body.status !== 'processing') return body
      if (Date.now() > deadline) throw new Error(`task ${uid} is still ${body.status} after ${TASK_LIMIT_MS} ms`)
      await delay(POLL_MS)
    }
  }

  /** Ends the process and answers its exit status, or the signal that ended it. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | string> {
    this.child.kill(signal)
    return this.exit
  }

  /** A new process on the same folder; `options` replace the ones of before. */
  async restart(options: ServerOptions = this.options): Promise<void> {
    await this.stop()
    this.options = options
    await this.launch()
  }

  /** Ends the process and removes the folder. */
  async close(): Promise<void> {
    await this.stop()
    this.agent.destroy()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** What the process wrote to standard error. */
  get log(): string {
    return this.stderr
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  private async launch(): Promise<void> {
    const { masterKey, flags = [], env = {}, uid, cli = CLI, keepsPort = false } = this.options
    if (!keepsPort || this.port === 0) this.port = await freePort()
    const key = masterKey === undefined ? [] : ['--master-key', masterKey]
    const where = ['--db-path', 'data.ms', '--http-addr', `127.0.0.1:${this.port}`]
    const command = [cli, ...where, '--no-analytics', '--log-level', 'ERROR', ...key, ...flags]
    this.child = spawn(process.execPath, command, {
      cwd: this.folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(uid === undefined ? {} : { uid }),
    })
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk
    })
    this.exit = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => resolve(code ?? signal ?? ''))
    })
    await this.untilHealthy()
  }

  private async untilHealthy(): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS
    while (this.isRunning && Date.now() < deadline) {
      const answer = await this.send<unknown>({ method: 'GET', path: '/health' }).catch(() => undefined)
      if (answer?.status === 200) return
      await delay(POLL_MS)
    }
    await this.stop()
    throw new Error(`the server did not start:\n${this.stderr}`)
  }

  private send<Body>(
    options: { method: string; path: string; headers?: OutgoingHttpHeaders },
    body?: Buffer,
  ): Promise<Answer<Body>> {
    return new Promise((resolve, reject) => {
      const target = { ...options, host: '127.0.0.1', port: this.port, agent: this.agent }
      const outgoing = httpRequest(target, (incoming) => readAnswer<Body>(incoming).then(resolve, reject))
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }
}

async function readAnswer<Body>(incoming: IncomingMessage): Promise<Answer<Body>> {
  const text = Buffer.concat(await incoming.toArray()).toString()
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: jsonOf(text) as Body }
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

/** Runs a server that is not expected to start, and answers how it ended. */
export function refusedStart(
  folder: string,
  flags: readonly string[],
): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [CLI, '--http-addr', '127.0.0.1:0', ...flags], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, stderr })))
}
