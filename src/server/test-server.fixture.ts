import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BodyRoom, inlineBodies } from '../bodies/index.js'
import { WorkspaceStore } from '../chat/index.js'
import { type Config, readConfig } from '../config/index.js'
import { createLog } from '../log/index.js'
import { SearchQueue } from '../searching/index.js'
import { FeatureStore, KeyStore, NetworkStore, RuleStore } from '../state/index.js'
import { atEnd } from '../store/at-end.fixture.js'
import { Environment, LocalStateLog } from '../store/index.js'
import { type Clock, systemClock } from '../time/index.js'
import { AnswerFiles } from './answers/answer-files.js'
import { KnownRequests } from './answers/known-requests.js'
import { RememberedAnswers } from './answers/remembered-answers.js'
import type { ServerContext } from './context.js'
import { createApp } from './http/app.js'
import type { Route } from './http/route.js'
import type { Patience } from './http/slow-clients.js'
import { EventCounters } from './metrics/events.js'
import { RequestMetrics } from './metrics/request-metrics.js'
import { routes as cluster } from './routes/cluster.js'
import { dashboardRoutes } from './routes/dashboard.js'
import { routes as features } from './routes/features.js'
import { routes as keys } from './routes/keys.js'
import { routes as logs } from './routes/logs.js'
import { routes as metrics } from './routes/metrics.js'
import { routes as stats } from './routes/stats.js'
import { routes as system } from './routes/system.js'
import { NO_INDEXES, NO_TASKS } from './statistics.js'

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** Undefined when the text is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare answers of every shape
  readonly json: any
}

export interface Sent {
  readonly headers?: OutgoingHttpHeaders
  /** Objects are sent as JSON with its content type. */
  readonly body?: string | Uint8Array | object
  /** For the Authorization header; the master key unless told otherwise, null for none. */
  readonly key?: string | null
}

export interface TestServer {
  readonly port: number
  readonly context: ServerContext
  readonly folder: string
  readonly logged: string[]
  send(method: string, path: string, sent?: Sent): Promise<Received>
  close(): Promise<void>
}

/** The routes that need neither indexes nor tasks. */
const SHELL_ROUTES = [...dashboardRoutes(), ...system, ...cluster, ...stats, ...metrics, ...logs, ...features, ...keys]

export const MASTER_KEY = 'MASTER_KEY'

/** A folder that vanishes when the tests are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'findling-server-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The configuration of a command line in a folder of its own. */
export async function configFor(folder: string, args: readonly string[] = []): Promise<Config> {
  const argv = ['--db-path', join(folder, 'db'), '--http-addr', '127.0.0.1:0', ...args]
  const launch = await readConfig({ argv, env: {}, cwd: folder, readFile: refuseFile })
  if (launch.kind !== 'run') throw new Error(`not a command line: ${JSON.stringify(launch)}`)
  return launch.config
}

function refuseFile(): never {
  throw Object.assign(new Error('no file'), { code: 'ENOENT' })
}

export interface TestServerOptions {
  readonly args?: readonly string[]
  readonly masterKey?: string | null
  readonly routes?: readonly Route[]
  readonly folder?: string
  readonly clock?: Clock
  readonly patience?: Patience
  /** Changes to what handlers reach. */
  readonly context?: Partial<ServerContext>
}

/** A real HTTP server on a free port, without indexes, tasks and threads. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { args = [], masterKey = MASTER_KEY, routes = SHELL_ROUTES, folder = temporaryFolder() } = options
  const config = await configFor(folder, masterKey === null ? args : [...args, '--master-key', masterKey])
  const logged: string[] = []
  const closing = new AbortController()
  const log = createLog({ level: 'INFO', mode: 'JSON', write: (line) => logged.push(line) })
  const bare = await openShell({ config, log, closing: closing.signal, clock: options.clock ?? systemClock })
  const context = { ...bare, ...options.context }
  const app = createApp(context, routes, null, options.patience)
  const port = await app.listen({ addresses: ['127.0.0.1'], port: 0 })
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    closing.abort()
    await app.close()
    await bare.authEnvironment.close()
    await bare.systemEnvironment.close()
  }
  atEnd(close)
  const send: TestServer['send'] = (method, path, sent) =>
    exchange(port, { method, path, ...withDefaults(masterKey, sent) })
  return { port, context, folder, logged, close, send }
}

type Given = Pick<ServerContext, 'config' | 'log' | 'closing' | 'clock'>

async function openShell(given: Given): Promise<ServerContext> {
  const { config, clock } = given
  const systemEnvironment = Environment.open(join(config.dbPath, 'tasks'))
  const authEnvironment = Environment.open(join(config.dbPath, 'auth'))
  const stateLog = new LocalStateLog(systemEnvironment)
  const shell = {
    ...given,
    systemEnvironment,
    authEnvironment,
    keys: await KeyStore.open({ log: new LocalStateLog(authEnvironment), masterKey: config.masterKey, clock }),
    features: new FeatureStore(stateLog, config.features),
    network: new NetworkStore(stateLog),
    rules: new RuleStore(stateLog),
    chats: new WorkspaceStore(stateLog),
    bodies: inlineBodies,
    bodyRoom: new BodyRoom(),
    searchQueue: new SearchQueue({ permits: 1, queueSize: 1000, dropAfterMs: 60_000 }),
    partQueue: new SearchQueue({ permits: 1, queueSize: 1000, dropAfterMs: 60_000 }),
    rememberedAnswers: new RememberedAnswers(),
    knownRequests: new KnownRequests(),
    answerFiles: new AnswerFiles(),
    requestMetrics: new RequestMetrics(),
    events: new EventCounters(),
    indexStatistics: NO_INDEXES,
    taskStatistics: NO_TASKS,
    health: { mustRestart: false },
  }
  // What is missing concerns indexes and tasks, which the routes of the shell do not touch.
  return shell as Partial<ServerContext> as ServerContext
}

function withDefaults(
  masterKey: string | null,
  sent: Sent = {},
): { headers: OutgoingHttpHeaders; body: Uint8Array | undefined } {
  const { body, key = masterKey } = sent
  const isJson = typeof body === 'object' && !(body instanceof Uint8Array)
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(isJson && { 'content-type': 'application/json' }),
    ...sent.headers,
  }
  if (body === undefined) return { headers, body: undefined }
  if (isJson) return { headers, body: Buffer.from(JSON.stringify(body)) }
  return { headers, body: typeof body === 'string' ? Buffer.from(body) : (body as Uint8Array) }
}

/** One request on a connection of its own. No header is added but those that HTTP needs. */
export function exchange(
  port: number,
  sent: { method: string; path: string; headers?: OutgoingHttpHeaders; body?: Uint8Array | undefined },
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { method, path, body } = sent
    const isChunked = sent.headers?.['transfer-encoding'] !== undefined
    const length = body === undefined || isChunked ? {} : { 'content-length': body.length }
    const headers = { ...length, ...sent.headers }
    const outgoing = send({ host: '127.0.0.1', port, method, path, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString()
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes, text, json: parsed(text) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
