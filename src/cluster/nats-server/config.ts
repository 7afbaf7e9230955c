import { join } from 'node:path'

/** Of a nats-server, in its folder. */
export const NATS_LOG = 'nats-server.log'

export interface NatsServerOptions {
  /** Unique in the cluster. */
  readonly name: string
  readonly clusterName: string
  /** Where it listens. Default 127.0.0.1. */
  readonly host?: string
  readonly clientPort: number
  readonly clusterPort: number
  readonly monitorPort: number
  /** `host:port` of the cluster port of every server, its own included. None: a server without a cluster. */
  readonly routes: readonly string[]
  /** Everything it stores is in here. */
  readonly folder: string
  /** Asked of clients and of other servers. */
  readonly authorization?: { readonly user: string; readonly password: string }
  /** For clients, other servers and the monitoring port. Clients and servers have to show a certificate of the same authority. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string; readonly caFile: string }
  /** Acknowledge before data is on disk. Default false. */
  readonly lazySync?: boolean
}

/** What it says is kept in so many files of this size beside the one it writes to. */
const LOG_FILES = 3
const LOG_FILE_BYTES = 16 << 20

/** The text of a configuration file. Every write is synced before it is acknowledged, unless `lazySync`. */
export function natsServerConfig(options: NatsServerOptions): string {
  const { name, host = '127.0.0.1', clientPort, monitorPort, folder, lazySync, tls, routes } = options
  return [
    `server_name: ${JSON.stringify(name)}`,
    `listen: "${host}:${clientPort}"`,
    `${tls === undefined ? 'http' : 'https'}: "${host}:${monitorPort}"`,
    `log_file: ${JSON.stringify(join(folder, NATS_LOG))}`,
    `logfile_size_limit: ${LOG_FILE_BYTES}`,
    `logfile_max_num: ${LOG_FILES}`,
    ...security(options),
    'jetstream {',
    `  store_dir: ${JSON.stringify(folder)}`,
    ...(lazySync ? [] : ['  sync_interval: always']),
    '}',
    ...(routes.length === 0 ? [] : clusterBlock(options)),
    '',
  ].join('\n')
}

function clusterBlock(options: NatsServerOptions): string[] {
  const { clusterName, host = '127.0.0.1', clusterPort, routes, authorization } = options
  const login = authorization === undefined ? '' : `${encode(authorization.user)}:${encode(authorization.password)}@`
  const urls = routes.map((route) => JSON.stringify(`nats-route://${login}${route}`))
  return [
    'cluster {',
    `  name: ${JSON.stringify(clusterName)}`,
    `  listen: "${host}:${clusterPort}"`,
    `  routes: [${urls.join(', ')}]`,
    ...security(options).map((line) => `  ${line}`),
    '}',
  ]
}

const encode = encodeURIComponent

function security({ authorization, tls }: NatsServerOptions): string[] {
  const lines: string[] = []
  if (authorization !== undefined) {
    const { user, password } = authorization
    lines.push(`authorization { user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }`)
  }
  if (tls !== undefined) {
    const files = [`cert_file: ${JSON.stringify(tls.certFile)}`, `key_file: ${JSON.stringify(tls.keyFile)}`]
    lines.push(`tls { ${files.join(', ')}, ca_file: ${JSON.stringify(tls.caFile)}, verify: true }`)
  }
  return lines
}
