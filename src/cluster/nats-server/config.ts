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
  /** Acknowledge before data is on disk. Default false. */
  readonly lazySync?: boolean
}

/** The text of a configuration file. Every write is synced before it is acknowledged, unless `lazySync`. */
export function natsServerConfig(options: NatsServerOptions): string {
  const { name, host = '127.0.0.1', clientPort, monitorPort, folder } = options
  return [
    `server_name: ${JSON.stringify(name)}`,
    `listen: "${host}:${clientPort}"`,
    `http: "${host}:${monitorPort}"`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(folder)}`,
    ...(options.lazySync ? [] : ['  sync_interval: always']),
    '}',
    ...(options.routes.length === 0 ? [] : clusterBlock(options)),
    '',
  ].join('\n')
}

function clusterBlock({ clusterName, host = '127.0.0.1', clusterPort, routes }: NatsServerOptions): string[] {
  const urls = routes.map((route) => JSON.stringify(`nats-route://${route}`))
  return [
    'cluster {',
    `  name: ${JSON.stringify(clusterName)}`,
    `  listen: "${host}:${clusterPort}"`,
    `  routes: [${urls.join(', ')}]`,
    '}',
  ]
}
