/**
 * What the operator asked for.
 *
 * One table of options (`options.ts`) is read from the command line, the environment, a TOML file and its defaults, in
 * that order, checked, and handed on as one `Config` in which names say the units. Also here: the versions, and the
 * error that keeps a server from starting.
 */
export { bannerText, launchFacts } from './banner.js'
export type {
  BackupsConfig,
  ClusterConfig,
  Config,
  EmbeddingConfig,
  FeaturesConfig,
  HttpConfig,
  ImportConfig,
  IndexingConfig,
  LogConfig,
  OutgoingConfig,
  S3Config,
  SearchConfig,
  TlsConfig,
  WebhooksConfig,
} from './config.js'
export { LaunchError } from './launch-error.js'
export { CLUSTER_PORT_ABOVE, natsPorts } from './nats-ports.js'
export { type Launch, readConfig, type Surroundings } from './read-config.js'
export { parseSize } from './size.js'
export { BUILT_FROM, INTERFACE_VERSION, packageVersion } from './version.js'
