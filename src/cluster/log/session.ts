import { readFile } from 'node:fs/promises'
import {
  type JetStreamClient,
  type JetStreamManager,
  type JetStreamPublishOptions,
  jetstream,
  jetstreamManager,
  type StoredMsg,
} from '@nats-io/jetstream'
import {
  AuthorizationError,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
} from '@nats-io/transport-node'
import { Attempts } from './attempts.js'
import type { LogCredentials, LogOptions } from './model.js'
import { pause, persist } from './persist.js'
import { LogUnavailable } from './problems.js'

export const DEFAULT_TIMEOUT_MS = 30_000

/** Of one request to a server. An election takes longer: whoever asks tries again. */
const REQUEST_MS = 2_000

/** Of a request whose answer is worth nothing if it does not come soon. */
const HASTY_MS = 400

const CONNECT_MS = 2_000

/** What everything of one opened log shares. */
export interface Session {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  /** Whether there is a server to send to right now. */
  isConnected(): boolean
  /** Aborted when the log is closed. */
  readonly closed: AbortSignal
  /** How long to try what needs a majority, unless the caller says otherwise. */
  readonly timeoutMs: number
  /** A message as some replica has it, null if it has none or does not answer soon. Works without a majority. */
  directly(stream: string, sequence: number): Promise<StoredMsg | null>
  /** The last sequence that the leader of a stream knows, undefined if there is none or it does not answer soon. */
  lastOf(stream: string): Promise<number | undefined>
  /** Resolves with the sequence. One attempt, which fails as soon as the connection breaks. */
  publish(subject: string, message: Uint8Array | string, options: Partial<JetStreamPublishOptions>): Promise<number>
}

export async function openSession(options: LogOptions, closed: AbortSignal, connectMs?: number): Promise<Session> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const wanted = await connectionOptions(options)
  const connection = await persist(() => tryToConnect(wanted), {
    what: 'connecting',
    timeoutMs: connectMs ?? timeoutMs,
    signal: closed,
    isFinal: (error) => error instanceof LogUnavailable,
  })
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: REQUEST_MS })
  const hasty = await jetstreamManager(connection, { checkAPI: false, timeout: HASTY_MS })
  const client = jetstream(connection, { timeout: REQUEST_MS })
  const attempts = new Attempts()
  const link = { isUp: true }
  void watchConnection(connection, link, attempts)
  return {
    connection,
    client,
    manager,
    isConnected: () => link.isUp,
    closed,
    timeoutMs,
    directly: (stream, sequence) => hasty.direct.getMessage(stream, { seq: sequence }).catch(() => null),
    lastOf: (stream) =>
      hasty.streams.info(stream).then(
        ({ state }) => state.last_seq,
        () => undefined,
      ),
    publish: async (subject, message, publishOptions) => {
      const ack = await attempts.run(() => client.publish(subject, message, publishOptions))
      return ack.seq
    },
  }
}

async function tryToConnect(wanted: ConnectionOptions): Promise<NatsConnection> {
  try {
    return await connect(wanted)
  } catch (error) {
    if (error instanceof AuthorizationError)
      throw new LogUnavailable('its servers refuse the credentials', { cause: error })
    throw error
  }
}

async function watchConnection(connection: NatsConnection, link: { isUp: boolean }, attempts: Attempts): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'reconnect') link.isUp = true
    if (type !== 'disconnect') continue
    link.isUp = false
    attempts.failAll(new Error('the connection broke'))
  }
}

/** A server that is silent for two pings is left for another one. */
async function connectionOptions({ servers, name, credentials, tls }: LogOptions): Promise<ConnectionOptions> {
  return {
    servers: [...servers],
    name: `findling ${name}`,
    // All servers are given, by names that fit their certificates.
    ignoreClusterUpdates: true,
    maxReconnectAttempts: -1,
    // A member does not listen to itself.
    noEcho: true,
    // One server with another password is no reason to give up the others.
    ignoreAuthErrorAbort: true,
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

/** Ends the connection after what was sent has left, or at once when there is no server to leave to. */
export async function closeSession({ connection }: Session): Promise<void> {
  const giveUp = new AbortController()
  const drained = connection.drain().catch(() => {})
  await Promise.race([drained, pause(1_000, giveUp.signal)])
  giveUp.abort()
  await connection.close()
}
