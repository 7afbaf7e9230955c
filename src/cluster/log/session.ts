import { readFile } from 'node:fs/promises'
import {
  type JetStreamClient,
  type JetStreamManager,
  type JetStreamPublishOptions,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { type ConnectionOptions, connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { Attempts } from './attempts.js'
import type { LogCredentials, LogOptions } from './model.js'
import { pause, persist } from './persist.js'

/** Of one request to a server. An election takes longer: whoever asks tries again. */
const REQUEST_MS = 2_000

const CONNECT_MS = 2_000

/** What everything of one opened log shares. */
export interface Session {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  /** Aborted when the log is closed. */
  readonly closed: AbortSignal
  /** How long to try what needs a majority, unless the caller says otherwise. */
  readonly timeoutMs: number
  /** Resolves with the sequence. One attempt, which fails as soon as the connection breaks. */
  publish(subject: string, message: Uint8Array | string, options: Partial<JetStreamPublishOptions>): Promise<number>
  /** Addresses of all servers that were given or that they name themselves. */
  servers(): string[]
  /** Runs with a connection to this server alone: it answers direct reads from its own replica. */
  atServer<T>(address: string, work: (manager: JetStreamManager, serverName: string) => Promise<T>): Promise<T>
}

export async function openSession(options: LogOptions, closed: AbortSignal): Promise<Session> {
  const { servers, timeoutMs = 30_000 } = options
  const common = await connectionOptions(options)
  const open = () => connect({ ...common, servers: [...servers], maxReconnectAttempts: -1 })
  const connection = await persist(open, { what: 'connecting', timeoutMs, signal: closed })
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: REQUEST_MS })
  const client = jetstream(connection, { timeout: REQUEST_MS })
  const attempts = new Attempts()
  void failWithConnection(connection, attempts)
  return {
    connection,
    client,
    manager,
    closed,
    timeoutMs,
    publish: async (subject, message, publishOptions) => {
      const ack = await attempts.run(() => client.publish(subject, message, publishOptions))
      return ack.seq
    },
    servers: () => [...new Set([...servers, ...(connection.info?.connect_urls ?? [])].map(withoutScheme))],
    atServer: async (address, work) => {
      const alone = { ...common, servers: [address], ignoreClusterUpdates: true, reconnect: false }
      const direct = await connect(alone)
      try {
        const directManager = await jetstreamManager(direct, { checkAPI: false, timeout: REQUEST_MS })
        return await work(directManager, direct.info?.server_name ?? address)
      } finally {
        await direct.close()
      }
    },
  }
}

async function failWithConnection(connection: NatsConnection, attempts: Attempts): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') attempts.failAll(new Error('the connection broke'))
  }
}

/** A server that is silent for two pings is left for another one. */
async function connectionOptions({ name, credentials, tls }: LogOptions): Promise<ConnectionOptions> {
  return {
    name: `findling ${name}`,
    pingInterval: 1_000,
    maxPingOut: 2,
    timeout: CONNECT_MS,
    noAsyncTraces: true,
    reconnectTimeWait: 200,
    reconnectJitter: 100,
    ...(tls === undefined ? {} : { tls: { ...tls } }),
    ...(credentials === undefined ? {} : await authentication(credentials)),
  }
}

async function authentication(credentials: LogCredentials): Promise<ConnectionOptions> {
  if ('token' in credentials) return { token: credentials.token }
  if ('user' in credentials) return { user: credentials.user, pass: credentials.password }
  return { authenticator: credsAuthenticator(await readFile(credentials.credentialsFile)) }
}

const withoutScheme = (address: string): string => address.replace(/^(nats|tls):\/\//, '')

/** Ends the connection after what was sent has left, or at once when there is no server to leave to. */
export async function closeSession({ connection }: Session): Promise<void> {
  const giveUp = new AbortController()
  const drained = connection.drain().catch(() => {})
  await Promise.race([drained, pause(1_000, giveUp.signal)])
  giveUp.abort()
  await connection.close()
}
